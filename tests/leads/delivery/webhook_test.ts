/** @module Delivery by webhook: what is posted, how it is signed, and under which name. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { Webhook } from "standardwebhooks";
import { deliver, idsOf, recordOf } from "../../support/delivering.ts";
import { withReceiver } from "../../support/receiver.ts";
import { FakeClock } from "../../support/fake_clock.ts";

const SECRET = `whsec_${btoa("a first secret, 27 bytes ok")}`;
const OTHER = `whsec_${btoa("another secret, 27 bytes ok")}`;

Deno.test("a lead is posted as JSON under the webhook-id of its own id", () =>
  withReceiver(async ({ url, received }) => {
    const record = recordOf({ message: "Grüße 🚢", plan: "pro", locale: "de" });
    deepEqual(await deliver(url, { record }), { result: "ok" });
    const { method, path, headers, body } = received[0]!;
    equal(method, "POST");
    equal(path, "/leads");
    equal(headers["content-type"], "application/json");
    equal(headers["user-agent"], "frontdoor");
    equal(headers["webhook-id"], record.id);
    equal(headers["webhook-timestamp"], String(record.receivedAt / 1000));
    equal("webhook-signature" in headers, false, "there is no secret to sign with");
    equal("authorization" in headers, false);
    deepEqual(JSON.parse(body), {
      type: "lead.created",
      timestamp: "2026-11-21T12:00:00.000Z",
      data: { id: record.id, ...record.lead },
    });
  }));

Deno.test("the official library verifies the signature of each secret, and of no other body", () =>
  withReceiver(async ({ url, received }) => {
    await deliver(url, { secrets: [SECRET, OTHER] });
    const { headers, body } = received[0]!;
    // The library compares the timestamp with the real time: let it have the test's.
    const real = Date.now;
    Date.now = new FakeClock().now;
    try {
      for (const secret of [SECRET, OTHER]) {
        const webhook = new Webhook(secret);
        ok(webhook.verify(body, headers));
        let refused = false;
        try {
          webhook.verify(`${body} `, headers);
        } catch {
          refused = true;
        }
        ok(refused);
      }
    } finally {
      Date.now = real;
    }
  }));

Deno.test("credentials in the URL travel as Basic authorization, and the query as it is", () =>
  withReceiver(async ({ url, received }) => {
    await deliver(`${url.replace("//", "//us%C3%A9r:p%40ss%3A@")}?token=a%20b`);
    const pair = new TextEncoder().encode("usér:p@ss:").toBase64();
    equal(received[0]!.headers["authorization"], `Basic ${pair}`);
  }));

Deno.test("the id names the host, tells paths apart and holds no secret", async () => {
  const [one, other, rotated] = await Promise.all([
    idsOf("https://ada:secret-word@hooks.example/secret-path"),
    idsOf("https://hooks.example/another-path"),
    idsOf("https://ada:rotated@hooks.example/secret-path"),
  ]);
  match(one[0]!, /^webhook:hooks\.example:[0-9a-f]{8}$/);
  equal(one[0] === other[0], false);
  deepEqual(one, rotated);
});

Deno.test("two URLs that differ in their credentials alone are one target", async () => {
  const ids = await idsOf("https://a:b@hooks.example/x", "https://c:d@hooks.example/x");
  equal(ids.length, 1);
});
