/**
 * @module What a person writes is data for every kind of target, whatever ends a line or a text
 * somewhere: it changes neither the headers nor the structure of what is delivered. Tried past the
 * schema as well, which lets none of this into an address. Mail is in
 * `tests/leads/delivery/mail_injection_test.ts`, mentions and links in `slack_test.ts`.
 */

import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { parseLead } from "../../schemas/lead.ts";
import type { LeadContent } from "../../leads/lead.ts";
import { deliver, recordOf } from "../support/delivering.ts";
import { type Receiver, withReceiver } from "../support/receiver.ts";

/** What ends a line, a header, a text or a value somewhere, and what is not what it looks like. */
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

const MEMBERS = ["company", "message", "email"] as const;

/** Every hostile text in every member, between what would be a header if the text ended a line. */
function* attacks(): Generator<{ what: string; lead: Partial<LeadContent> }> {
  for (const text of HOSTILE) {
    for (const member of MEMBERS) {
      const value = `a${text}Bcc: victim@example.net${text}X-Injected: 1${text}${text}b`;
      yield {
        what: `${JSON.stringify(text)} in ${member}`,
        lead: { [member]: member === "email" ? `${value}@example.com` : value },
      };
    }
  }
}

/** Without what belongs to one request alone. */
function headersOf({ received }: Receiver): [string, string][] {
  const own = ["content-length", "webhook-signature", "host"];
  return Object.entries(received.at(-1)!.headers).filter(([name]) => !own.includes(name));
}

/** Delivers a plain lead, and then each attack. */
async function afterPlain(
  url: string,
  check: (attack: { what: string; lead: Partial<LeadContent> } | undefined) => void,
): Promise<void> {
  const secrets = [`whsec_${new Uint8Array(32).toBase64()}`];
  for (const attack of [undefined, ...attacks()]) {
    const outcome = await deliver(url, { record: recordOf(attack?.lead), secrets });
    deepEqual(outcome, { result: "ok" }, attack?.what);
    check(attack);
  }
}

Deno.test("a webhook's headers are the same for every lead, and its JSON holds what was written", () =>
  withReceiver(async (receiver) => {
    let plain: [string, string][] = [];
    await afterPlain(receiver.url, (attack) => {
      if (attack === undefined) plain = headersOf(receiver);
      deepEqual(headersOf(receiver), plain, attack?.what);
      const { data } = JSON.parse(receiver.received.at(-1)!.body);
      const { id, lead } = recordOf(attack?.lead);
      deepEqual(data, { id, ...lead }, attack?.what);
    });
  }));

Deno.test("a channel's message has the same lines before the quotation, whatever the lead holds", () =>
  withReceiver(async (receiver) => {
    let plain: [string, string][] = [];
    await afterPlain(`slack+${receiver.url}`, (attack) => {
      if (attack === undefined) plain = headersOf(receiver);
      deepEqual(headersOf(receiver), plain, attack?.what);
      const payload = JSON.parse(receiver.received.at(-1)!.body);
      deepEqual(Object.keys(payload), ["text", "unfurl_links", "unfurl_media"]);
      const lines = String(payload.text).split(/\r\n|[\r\n\v\f\u0085\u2028\u2029]/);
      const labels = lines.map((line) => /^(?:\*(\w+):\*|New lead)/.exec(line)?.[1] ?? line[0]);
      const quoted = labels.slice(7);
      deepEqual(
        labels.slice(0, 7),
        ["N", "Email", "Company", "Language", "Received", "Lead", "Message"].slice(
          0,
          attack?.lead.message === undefined ? 6 : 7,
        ),
        attack?.what,
      );
      ok(quoted.every((mark) => mark === ">"), attack?.what);
    });
  }));

Deno.test("none of it is let into an address, a plan or a language by the schema", () => {
  const lead = { email: "ada@example.com", company: "", locale: "en" };
  for (const text of HOSTILE) {
    const what = JSON.stringify(text);
    // Percent signs and the signs of encoded words may stand in an address.
    if (!/^[!-~]+$/.test(text) || /["<>]/.test(text)) {
      ok("issues" in parseLead({ ...lead, email: `a${text}b@example.com` }), what);
    }
    ok("issues" in parseLead({ ...lead, email: `ada@example${text}.com` }), what);
    ok("issues" in parseLead({ ...lead, plan: `pro${text}` }), what);
    ok("issues" in parseLead({ ...lead, locale: `en${text}` }), what);
  }
});
