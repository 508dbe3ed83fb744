/**
 * @module Mail from the service as a process, with the permissions of its start task alone and over
 * TLS that it can verify.
 */

import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { makeCertificate } from "../support/certificate.ts";
import { postLead } from "../support/post_lead.ts";
import { runToItsEnd, startService, withFolder } from "../support/service.ts";
import { withSmtpReceiver } from "../support/smtp_receiver.ts";

const ADDRESSES = "from=leads@example.com&to=sales@example.org";

for (const scheme of ["smtp", "smtps"]) {
  Deno.test(`a lead leaves by ${scheme}, encrypted and logged in, with the permissions of the start task`, () =>
    withFolder((folder) => {
      const { cert, key, authority } = makeCertificate();
      return withSmtpReceiver(async ({ port, mails }) => {
        await Deno.writeTextFile(`${folder}/authority.pem`, authority);
        const service = await startService(folder, {
          DENO_CERT: `${folder}/authority.pem`,
          LEAD_TARGETS: `${scheme}://ada:secret-word@localhost:${port}?${ADDRESSES}`,
        });
        const response = await postLead(service.url);
        deepEqual(await response.json(), { ok: true, delivered: true });
        equal(mails.length, 1);
        equal(mails[0]!.secure, true);
        equal(mails[0]!.user, "ada");
        equal(await service.end(), 0);
        match(service.output(), new RegExp(`leads go to {3}localhost:${port}\\n`));
        equal(/secret-word|example\.(?:com|org)/.test(service.output()), false, "a log holds it");
      }, {
        cert,
        key,
        secure: scheme === "smtps",
        authOptional: false,
        onAuth: ({ username, password }, _session, done) =>
          password === "secret-word"
            ? done(null, { user: username })
            : done(new Error("Wrong password")),
      });
    }));
}

Deno.test("a target without from and to stops the start with exit code 2, together with other faults", () =>
  withFolder(async (folder) => {
    const { code, output } = await runToItsEnd(folder, {
      PORT: "80000",
      LEAD_TARGETS: "https://hooks.example smtp://ada:secret-word@mail.example",
    });
    equal(code, 2);
    match(output, /PORT must be/);
    match(output, /LEAD_TARGETS entry 2 must have from=ADDRESS/);
    equal(/secret-word|mail\.example/.test(output), false);
  }));
