/**
 * @module Hostile content of leads changes neither the headers nor the structure of a webhook, even past
 * the schema. Mail and channels are in `tests/leads/delivery/`.
 */

import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { deliver, recordOf } from "../support/delivering.ts";
import { startReceiver } from "../support/receiver.ts";

/** Texts that end a line, header or value somewhere, and deceptive characters. */
const HOSTILE: readonly string[] = [
  ...["\r\n", "\r", "\n", "\0", "\b", "\t", "\v", "\f", "\x7f", "\u0085", "\u2028", "\ufeff"],
  ...["\u202e", "\u200d", "\u{e0041}\u{e007f}"], // an override, a joiner, tag characters
  ...["\u010a\u560a", "\u010d\u560d"], // letters whose low bytes are LF and CR
  ...["\ud83d", "\ude00"], // half a surrogate pair, and the other half
  ...["%0d%0a", "=?utf-8?Q?=0D=0A?=", `"}],'}]);--`],
];

/** Every hostile text before what would be a header if it ended a line. */
const ATTACKS = HOSTILE.map((text) => {
  const value = `a${text}Bcc: victim@example.net${text}X-Injected: 1${text}${text}b`;
  return { company: value, message: value, email: `${value}@example.com` };
});

/** Headers that vary with the lead; of a hash only its form. */
function formOf(headers: Record<string, string>): Record<string, string> {
  const id = headers["webhook-id"]!.replaceAll(/[\da-f]/g, "x");
  return { ...headers, "webhook-id": id, "webhook-signature": "", "content-length": "" };
}

Deno.test("a webhook's headers contain nothing of the lead but a hash, and its JSON is the lead", async () => {
  await using receiver = startReceiver();
  const { url, received } = receiver;
  const secrets = [`whsec_${new Uint8Array(32).toBase64()}`];
  for (const content of [{}, ...ATTACKS]) {
    const record = recordOf(content);
    deepEqual(await deliver(url, { record, secrets }), { result: "ok" });
    const { headers, body } = received.at(-1)!;
    deepEqual(formOf(headers), formOf(received[0]!.headers));
    deepEqual(JSON.parse(body).data, { id: record.id, ...record.lead });
  }
});
