/** @module The doctor's test event, at receivers that accept it and receivers that fail. */

import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { Webhook } from "standardwebhooks";
import { answering, nobody, raw, selfSigned } from "../../support/faulty_receivers.ts";
import { findingsOf } from "../../support/doctor.ts";
import { withRawReceiver } from "../../support/raw_receiver.ts";
import { withReceiver } from "../../support/receiver.ts";
import { freePort } from "../../support/service.ts";
import { withSmtpReceiver } from "../../support/smtp_receiver.ts";

const SECRET = `whsec_${btoa("a secret of twenty-seven by")}`;
const ADDRESSES = "from=site@example.com&to=sales@example.com";

async function examine(kind: string, LEAD_TARGETS: string, { send = true } = {}) {
  const variables = { KV_PATH: ".data/none", LEAD_TARGETS, LEAD_WEBHOOK_SECRET: SECRET };
  return await findingsOf(kind, variables, { send });
}

Deno.test("each target gets one event that is marked as a test", () =>
  withReceiver((webhook) =>
    withReceiver((channel) =>
      withSmtpReceiver(async ({ port, mails }) => {
        const targets =
          `webhook=${webhook.url} slack=slack+${channel.url} smtp=smtp://127.0.0.1:${port}?${ADDRESSES}`;
        for (let n = 0; n < 2; n++) {
          const found = await examine("target", targets);
          const line = "ok: accepted a test event";
          deepEqual(found.map(({ state, message }) => `${state}: ${message}`), [line, line, line]);
        }
        deepEqual([webhook.received.length, channel.received.length, mails.length], [2, 2, 2]);
        const ids = webhook.received.map(({ headers }) => headers["webhook-id"])
          .concat(mails.map(({ mail }) => mail.messageId));
        equal(new Set(ids).size, 4, "a receiver may ignore what it got before");
        const { headers, body } = webhook.received[0]!;
        const event = new Webhook(SECRET).verify(body, headers) as Record<string, unknown>;
        equal(event["type"], "lead.test");
        match((event["data"] as Record<string, string>)["email"]!, /\.invalid$/);
        match(JSON.parse(channel.received[0]!.body).text, /^Test, not a lead: /);
        equal(mails[0]!.mail.subject, "Test, not a lead: from deno task doctor");
        match(mails[0]!.mail.text!, /This is a test/);
      })
    )
  ));

const FAULTY = [
  [answering(401), "http_401", /LEAD_TARGETS, LEAD_TARGET_HEADERS,.* %23 and \$ as %24/],
  [answering(301, { location: "https://x.example/" }), "http_301", /redirects/],
  [answering(404), "http_404", /path/],
  [answering(400), "http_400", /lead\.test/],
  [answering(429), "http_429", /receiver's log/],
  [raw(() => {}), "unreachable", /receiver runs/],
  [nobody(`http://127.0.0.1:${freePort()}`), "refused", /receiver runs/],
  [nobody("http://no-such-host.invalid"), "dns", /host name/],
  [selfSigned, "tls", /certificate/],
] as const;

Deno.test("a webhook that rejects the event or the connection fails with a fix", async () => {
  for (const [receiving, result, fix] of FAULTY) {
    await receiving(async ({ url }) => {
      const [finding] = await examine("target", url);
      deepEqual([finding!.state, finding!.message.split("event: ")[1]], ["fail", result]);
      match(finding!.fix!, fix);
      if (!["refused", "dns", "tls"].includes(result)) return;
      const [unreached] = await examine("target", url, { send: false });
      deepEqual([unreached!.state, unreached!.message], ["fail", `cannot be reached: ${result}`]);
    });
  }
});

Deno.test("--no-send connects without sending a byte", () =>
  withRawReceiver(async ({ port }) => {
    for (const [kind, scheme] of [["webhook", "http"], ["slack", "slack+http"], ["smtp", "smtp"]]) {
      const url = `${scheme}://127.0.0.1:${port}/${kind === "smtp" ? `?${ADDRESSES}` : ""}`;
      const [finding] = await examine("target", url, { send: false });
      equal(`${finding!.state}: ${finding!.message}`, "ok: accepts connections; nothing was sent");
    }
  }, async (connection) => {
    equal(await connection.read(new Uint8Array(1)), null);
  }));

Deno.test("no target is a warning, except on a branch timeline", async () => {
  equal((await examine("targets", ""))[0]!.state, "warn");
  const branch = { LEAD_TARGETS: "https://a.example", DENO_TIMELINE: "git-branch/x" };
  match((await findingsOf("targets", branch))[0]!.message, /production timeline/);
});
