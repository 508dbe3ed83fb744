/** @module Mail over TLS from the service as a process. */

import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { makeCertificate } from "../support/certificate.ts";
import { postLead } from "../support/post_lead.ts";
import { startService, withFolder } from "../support/service.ts";
import { withSmtpReceiver } from "../support/smtp_receiver.ts";

const ADDRESSES = "from=leads@example.com&to=sales@example.org";

Deno.test("leads are sent by smtp and smtps, encrypted and authenticated, with the start task's permissions", () =>
  withFolder((folder) => {
    const { authority, ...certificate } = makeCertificate();
    const options = {
      ...certificate,
      authOptional: false,
      onAuth: ({ username, password }, _session, done) =>
        password === "secret-word"
          ? done(null, { user: username })
          : done(new Error("Wrong password")),
    } satisfies Parameters<typeof withSmtpReceiver>[1];
    return withSmtpReceiver((plain) =>
      withSmtpReceiver(async (secure) => {
        await Deno.writeTextFile(`${folder}/authority.pem`, authority);
        const targets = [`smtp://LOGIN:${plain.port}`, `smtps://LOGIN:${secure.port}`]
          .map((url) => url.replace("LOGIN", "ada:secret-word@localhost"));
        const service = await startService(folder, {
          DENO_CERT: `${folder}/authority.pem`,
          LEAD_TARGETS: targets.map((url) => `${url}?${ADDRESSES}`).join(" "),
        });
        const response = await postLead(service.url);
        deepEqual(await response.json(), { ok: true, delivered: true });
        for (const { mails } of [plain, secure]) {
          deepEqual(mails.map(({ secure, user }) => [secure, user]), [[true, "ada"]]);
        }
        equal(await service.end(), 0);
        match(service.output(), new RegExp(`leads go to {3}localhost:${plain.port}, localhost:`));
        equal(/secret-word|example\.(?:com|org)/.test(service.output()), false, "logged");
      }, { ...options, secure: true }), options);
  }));
