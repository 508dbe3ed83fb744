/**
 * @module Hostile content of leads changes neither the headers nor the structure of a delivery, even past
 * the schema. Mail is in `tests/leads/delivery/`, mentions and links in `slack_test.ts`.
 */

import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import type { LeadContent } from "../../leads/lead.ts";
import { deliver, recordOf } from "../support/delivering.ts";
import { type Receiver, withReceiver } from "../support/receiver.ts";

/** Texts that end a line, header or value somewhere, and deceptive characters. */
const HOSTILE: readonly string[] = [
  ...["\r\n", "\r", "\n", "\n\r", "\r\n\r\n", "\r\n ", "\0", "\b", "\t", "\v", "\f", "\x7f"],
  "\x1b[2J\x1b]0;title\x07", // an escape
  ...["\u0085", "\u009b2J", "\u2028", "\u2029", "\ufeff"], // NEL, CSI, separators, byte order mark
  ...["\u202e", "\u2066\u2067\u2068\u2069", "\u200d"], // overrides, isolates, a joiner
  "\u{e0041}\u{e007f}", // tag characters
  "：＜＞",
  ...["\u010a\u560a", "\u010d\u560d"], // letters whose low bytes are LF and CR
  ...["\ud83d", "\ude00"], // half a surrogate pair, and the other half
  ...["%0d%0a", "=?utf-8?Q?=0D=0A?=", `"}],'}]);--`],
];

/** Every hostile text in every member, before what would be a header if it ended a line. */
const ATTACKS: readonly Partial<LeadContent>[] = HOSTILE.flatMap((text) => {
  const value = `a${text}Bcc: victim@example.net${text}X-Injected: 1${text}${text}b`;
  return [{ company: value }, { message: value }, { email: `${value}@example.com` }];
});

/** The headers of the last delivery, without those that vary; of a hash only its form. */
function headersOf({ received }: Receiver): [string, string][] {
  const own = ["content-length", "webhook-signature", "host"];
  const form = (hash: string) => hash.replaceAll(/[\da-f]/g, "x");
  return Object.entries(received.at(-1)!.headers)
    .filter(([name]) => !own.includes(name))
    .map(([name, value]) => [name, name === "webhook-id" ? form(value) : value]);
}

/** Delivers a plain lead and then each attack; all must have the same headers. */
function deliverAll(
  scheme: string,
  check: (payload: Record<string, unknown>, lead: Partial<LeadContent>) => void,
): Promise<void> {
  return withReceiver(async (receiver) => {
    const secrets = [`whsec_${new Uint8Array(32).toBase64()}`];
    let plain: [string, string][] | undefined;
    for (const lead of [{}, ...ATTACKS]) {
      const what = JSON.stringify(lead);
      const outcome = await deliver(scheme + receiver.url, { record: recordOf(lead), secrets });
      deepEqual(outcome, { result: "ok" }, what);
      deepEqual(headersOf(receiver), plain ??= headersOf(receiver), what);
      check(JSON.parse(receiver.received.at(-1)!.body), lead);
    }
  });
}

Deno.test("a webhook's headers contain nothing of the lead but a hash, and its JSON is the lead", () =>
  deliverAll("", ({ data }, content) => {
    const { id, lead } = recordOf(content);
    deepEqual(data, { id, ...lead });
  }));

Deno.test("a channel's message has the same lines before the quotation, whatever the lead", () =>
  deliverAll("slack+", (payload, lead) => {
    deepEqual(Object.keys(payload), ["text", "unfurl_links", "unfurl_media"]);
    const lines = String(payload["text"]).split(/\r\n|[\r\n\v\f\u0085\u2028\u2029]/);
    const labels = lines.map((line) => /^(?:\*(\w+):\*|New lead)/.exec(line)?.[1] ?? line[0]);
    const expected = ["N", "Email", "Company", "Language", "Received", "Lead"];
    if (lead.message !== undefined) expected.push("Message");
    deepEqual(labels.slice(0, 7), expected);
    ok(labels.slice(7).every((mark) => mark === ">"), JSON.stringify(lead));
  }));
