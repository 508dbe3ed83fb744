/**
 * @module The permissions of the start task are sufficient, and no wider than needed but for the network:
 * the hosts of targets and KV are configuration. `tests/process/start_test.ts` removes each permission.
 */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { postLead } from "../support/post_lead.ts";
import { withReceiver } from "../support/receiver.ts";
import { withRunningService } from "../support/service.ts";
import { withSmtpReceiver } from "../support/smtp_receiver.ts";

Deno.test("the start task allows the network, its variables, reading static/ and .data/, writing .data/", async () => {
  const { tasks } = JSON.parse(
    await Deno.readTextFile(new URL("../../deno.json", import.meta.url)),
  );
  const words = String(tasks.start.command).split(" ").filter((word) => word.startsWith("-"));
  const variables = words.filter((word) => /^--allow-env=\w+/.test(word));
  equal(variables.length, 1, "every variable is named");
  deepEqual(words.filter((word) => !variables.includes(word)).sort(), [
    "--allow-net",
    "--allow-read=static,.data",
    "--allow-write=.data",
  ]);
});

Deno.test("the service needs no other permission", () =>
  withReceiver((receiver) =>
    withSmtpReceiver((smtp) => {
      const mail = `smtp://127.0.0.1:${smtp.port}?from=a@example.com&to=b@example.com`;
      return withRunningService(async (service) => {
        const paths = ["/", "/de/docs.md", "/no-such", "/assets/site.css", "/openapi.json"];
        const more = ["/api/openapi.yaml", "/api/site", "/llms-full.txt", "/sitemap.xml"];
        for (const path of [...paths, ...more]) {
          const { status, body } = await fetch(service.url + path);
          await body?.cancel();
          equal(status, path === "/no-such" ? 404 : 200, path);
        }
        const sent = await postLead(service.url);
        deepEqual(await sent.json(), { ok: true, delivered: true });
        const thanks = await fetch(`${service.url}/contact`, {
          method: "POST",
          body: new URLSearchParams({ email: "ada@example.com", company: "Form" }),
        });
        await thanks.body?.cancel();
        equal(thanks.status, 200);
        equal(await service.end(), 0);
        deepEqual([smtp.mails.length, receiver.received.length], [2, 4]);
        equal(/NotCapable|Requires|PermissionDenied|permission/i.test(service.output()), false);
      }, {
        LEAD_TARGETS: `${receiver.url} slack+${receiver.url} ${mail}`,
        LEAD_WEBHOOK_SECRET: `whsec_${new Uint8Array(32).toBase64()}`,
        LEAD_ENCRYPTION_KEYS: `one:${new Uint8Array(32).toBase64()}`,
      });
    })
  ));
