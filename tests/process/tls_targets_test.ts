/** @module Targets over TLS, from the service as a process: mail with authentication, HTTP/2. */

import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import type { SMTPServerOptions } from "smtp-server";
import { makeCertificate } from "../support/certificate.ts";
import { TcpFront } from "../support/kv_proxy.ts";
import { postLead } from "../support/post_lead.ts";
import { type Service, startService, withFolder } from "../support/service.ts";
import { type SmtpReceiver, withSmtpReceiver } from "../support/smtp_receiver.ts";
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

/** Servers that accept `ada` with `secret-word`, and how they differ. */
const SERVERS: readonly SMTPServerOptions[] = [
  { authMethods: ["PLAIN"] },
  { authMethods: ["LOGIN"] },
  { authMethods: ["PLAIN", "LOGIN"], secure: true },
  // AUTH is offered only after STARTTLS.
  {
    disabledCommands: ["AUTH"],
    onSecure(this: { options: SMTPServerOptions }, _socket, _session, done) {
      this.options.disabledCommands = [];
      done();
    },
  },
];

Deno.test("leads are sent by smtp and smtps, encrypted, with AUTH PLAIN and LOGIN", async () => {
  const { authority: _, ...certificate } = makeCertificate();
  const receivers: SmtpReceiver[] = [];
  const methods: string[] = [];
  /** Starts the server at `index` and those after it. */
  async function withServers(index: number): Promise<void> {
    const options = SERVERS[index];
    if (options === undefined) return await test();
    await withSmtpReceiver(async (receiver) => {
      receivers.push(receiver);
      await withServers(index + 1);
    }, {
      ...certificate,
      authOptional: false,
      onAuth({ method, username, password }, _session, done) {
        methods[index] = method;
        if (password === "secret-word") done(null, { user: username });
        else done(new Error("Wrong password"));
      },
      ...options,
    });
  }
  async function test(): Promise<void> {
    const targets = receivers.map(({ port }, index) =>
      `smtp${SERVERS[index]!.secure ? "s" : ""}://ada:secret-word@localhost:${port}?${ADDRESSES}`
    );
    await withTrustingService({ LEAD_TARGETS: targets.join(" ") }, async (service) => {
      deepEqual(await (await postLead(service.url)).json(), { ok: true, delivered: true });
      for (const { mails } of receivers) {
        deepEqual(mails.map(({ secure, user }) => [secure, user]), [[true, "ada"]]);
      }
      deepEqual(methods, ["PLAIN", "LOGIN", "PLAIN", "PLAIN"]);
      match(service.output(), new RegExp(`leads go to {3}localhost:${receivers[0]!.port}, `));
      equal(/secret-word|example\.(?:com|org)/.test(service.output()), false, "logged");
    });
  }
  await withServers(0);
});

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
