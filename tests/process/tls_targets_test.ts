/** @module Targets over TLS, from the service as a process: mail with authentication, HTTP/2. */

import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import type { SMTPServerOptions } from "smtp-server";
import { makeCertificate } from "../support/certificate.ts";
import { TcpFront } from "../support/kv_proxy.ts";
import { postLead } from "../support/post_lead.ts";
import { type Service, startService, withFolder } from "../support/service.ts";
import { withSmtpReceiver } from "../support/smtp_receiver.ts";
import { LEAD } from "../support/test_app.ts";

const ADDRESSES = "from=leads@example.com&to=sales@example.org";

/** Runs a service that trusts the authority of the tests, with the start task's permissions. */
function withTrustingService(
  env: Record<string, string>,
  test: (service: Service) => Promise<void>,
): Promise<void> {
  return withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/authority.pem`, makeCertificate().authority);
    const service = await startService(folder, { DENO_CERT: `${folder}/authority.pem`, ...env });
    try {
      await test(service);
    } finally {
      equal(await service.end(), 0);
    }
  });
}

const SERVERS: readonly (readonly [what: string, SMTPServerOptions, method: string])[] = [
  ["STARTTLS", { authMethods: ["PLAIN"] }, "PLAIN"],
  ["TLS from the start", { secure: true, authMethods: ["LOGIN"] }, "LOGIN"],
];

for (const [what, options, expected] of SERVERS) {
  Deno.test(`a lead is sent encrypted and with a password to a server with ${what}`, () => {
    const { cert, key } = makeCertificate();
    const scheme = options.secure ? "smtps" : "smtp";
    let used = "";
    return withSmtpReceiver(async ({ port, mails }) => {
      const LEAD_TARGETS = `${scheme}://ada:secret-word@localhost:${port}?${ADDRESSES}`;
      await withTrustingService({ LEAD_TARGETS }, async (service) => {
        deepEqual(await (await postLead(service.url)).json(), { ok: true, delivered: true });
        deepEqual(mails.map(({ secure, user }) => [secure, user]), [[true, "ada"]]);
        equal(used, expected);
        match(service.output(), new RegExp(`leads go to {3}localhost:${port}\\n`));
        equal(/secret-word|example\.(?:com|org)/.test(service.output()), false, "logged");
      });
    }, {
      cert,
      key,
      authOptional: false,
      onAuth({ method, username, password }, _session, done) {
        used = method;
        done(password === "secret-word" ? null : new Error("Wrong password"), { user: username });
      },
      ...options,
    });
  });
}

Deno.test("a target whose connections go silent gets the next leads at once, although it offers HTTP/2", async () => {
  const front = new TcpFront();
  await using server = Deno.serve({
    ...makeCertificate(),
    hostname: "127.0.0.1",
    port: 0,
    onListen() {},
  }, () => new Response());
  front.to = server.addr.port;
  front.accept();
  const env = { LEAD_TARGETS: `https://localhost:${front.port}/`, LEAD_INLINE_TIMEOUT: "1s" };
  await withTrustingService(env, async (service) => {
    for (const company of ["A", "B", "C", "D"]) {
      const response = await postLead(service.url, { ...LEAD, company });
      deepEqual(await response.json(), { ok: true, delivered: true }, company);
      front.strand();
    }
  });
  await front.end();
});
