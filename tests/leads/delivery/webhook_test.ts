/** @module Delivery by webhook and to Slack and Mattermost: signatures, headers, and text of a person, which stays text. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal, throws } from "node:assert/strict";
import { Webhook } from "standardwebhooks";
import { webhookIdOf } from "../../../leads/delivery/webhook_id.ts";
import { deliver, recordOf } from "../../support/delivering.ts";
import { FakeClock } from "../../support/fake_clock.ts";
import { startReceiver } from "../../support/receiver.ts";
import { LEAD, startApp } from "../../support/test_app.ts";
import type { LeadContent } from "../../../leads/lead.ts";

const SECRET = `whsec_${btoa("a first secret, 27 bytes ok")}`;
const OTHER = `whsec_${btoa("another secret, 27 bytes ok")}`;

Deno.test("a lead is posted as JSON with its id, under a webhook-id made from its content", async () => {
  await using receiver = startReceiver();
  const { url, received } = receiver;
  const record = recordOf({ message: "Grüße 🚢", plan: "pro", locale: "de" });
  deepEqual(await deliver(url, { record }), { result: "ok" });
  const { method, path, headers, body } = received[0]!;
  equal(method, "POST");
  equal(path, "/leads");
  equal(headers["content-type"], "application/json");
  equal(headers["user-agent"], "frontdoor");
  equal(headers["webhook-id"], webhookIdOf(record));
  equal(headers["webhook-timestamp"], String(record.receivedAt / 1000));
  equal("webhook-signature" in headers, false, "there is no secret to sign with");
  equal("authorization" in headers, false);
  equal(headers["connection"], "close");
  deepEqual(JSON.parse(body), {
    type: "lead.created",
    timestamp: "2026-11-21T12:00:00.000Z",
    data: { id: record.id, ...record.lead },
  });
});

const HOUR = 3_600_000;

Deno.test("webhookIdOf() is a UUIDv8 of the content and the UTC day, and of nothing else", () => {
  const text = { company: "Müller & Söhne", message: "Hello", plan: "pro", locale: "de" } as const;
  const record = recordOf({ ...text, email: "Ada@example.com" });
  const id = webhookIdOf(record);
  // As Python computes it; another one would be another lead for receivers after an upgrade.
  equal(id, "86c81488-c88e-83d7-a99a-9ed7481b3527");
  const endOfDay = Date.parse("2026-11-21T23:59:59.999Z");
  const again = { ...recordOf({ ...text, email: "ada@EXAMPLE.com" }), id: "another" };
  equal(webhookIdOf({ ...again, receivedAt: endOfDay }), id);
  const others = [
    { ...record, receivedAt: endOfDay + 1 },
    // With a retention of an hour, leads two hours apart.
    ...[0, 2].map((hours) => {
      const receivedAt = record.receivedAt + hours * HOUR;
      return { ...record, receivedAt, expiresAt: receivedAt + HOUR };
    }),
    recordOf({ ...text, email: "ada@example.org" }),
    ...Object.entries({ company: "Müller", message: "Hello ", plan: "business", locale: "en" })
      .map(([member, value]) => recordOf({ ...record.lead, [member]: value })),
    recordOf({ company: text.company, locale: "de" }),
  ];
  equal(new Set(others.map(webhookIdOf)).add(id).size, others.length + 1);
});

Deno.test("the official library verifies the signature of each secret, and rejects another body", async () => {
  await using receiver = startReceiver();
  const { url, received } = receiver;
  await deliver(url, { secrets: [SECRET, OTHER] });
  const { headers, body } = received[0]!;
  const real = Date.now;
  Date.now = new FakeClock().now; // the library checks the timestamp
  try {
    for (const secret of [SECRET, OTHER]) {
      const webhook = new Webhook(secret);
      ok(webhook.verify(body, headers));
      throws(() => webhook.verify(`${body} `, headers));
    }
  } finally {
    Date.now = real;
  }
});

Deno.test("credentials in the URL are sent as Basic authorization", async () => {
  await using receiver = startReceiver();
  const { url, received } = receiver;
  await deliver(`${url.replace("//", "//us%C3%A9r:p%40ss%3A@")}?token=a%20b`);
  const pair = new TextEncoder().encode("usér:p@ss:").toBase64();
  equal(received[0]!.headers["authorization"], `Basic ${pair}`);
});

Deno.test("header fields of a target are sent to it, and to no other", async () => {
  await using receiver = startReceiver();
  const { url, received } = receiver;
  const [hook, chat] = ["hook", "chat"].map((path) => url.replace("leads", path));
  await using t = await startApp({
    env: {
      LEAD_TARGETS: `crm=${hook} chat=slack+${chat} other=${url}`,
      LEAD_TARGET_HEADERS: "crm:Authorization=Bearer%20one chat:X-Key=two",
    },
  });
  await t.postLead(LEAD);
  const sent = received.map(({ path, headers }) =>
    `${path} ${headers["authorization"]} ${headers["x-key"]}`
  );
  deepEqual(
    sent.sort().join(),
    "/chat undefined two,/hook Bearer one undefined,/leads undefined undefined",
  );
});

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
  const secrets = [SECRET];
  for (const content of [{}, ...ATTACKS]) {
    const record = recordOf(content);
    deepEqual(await deliver(url, { record, secrets }), { result: "ok" });
    const { headers, body } = received.at(-1)!;
    deepEqual(formOf(headers), formOf(received[0]!.headers));
    deepEqual(JSON.parse(body).data, { id: record.id, ...record.lead });
  }
});

/** The text as it was written: without entities, zero-width spaces and look-alikes. */
function shown(text: string): string {
  return text.replaceAll("\u200B", "").replaceAll("&lt;", "<").replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&").replace(/[∗ˋ∼＿]/g, (sign) => "*`~_"["∗ˋ∼＿".indexOf(sign)]!);
}

async function textOf(lead: Partial<LeadContent>): Promise<string> {
  let text = "";
  {
    await using receiver = startReceiver();
    const { url, received } = receiver;
    deepEqual(await deliver(`slack+${url}`, { record: recordOf(lead) }), { result: "ok" });
    const payload = JSON.parse(received[0]!.body);
    text = payload.text;
    deepEqual(payload, { text, unfurl_links: false, unfurl_media: false });
  }
  return text;
}

Deno.test("a lead is posted as text to an incoming webhook", async () => {
  equal(
    await textOf({ message: "Hello,\n\nwe need 50 seats.", plan: "enterprise" }),
    `New lead from Example GmbH
*Email address:* ada@example.com
*Company:* Example GmbH
*Plan:* Enterprise
*Language:* English
*Received:* 21 November 2026 at 12:00 UTC
*Lead:* ${recordOf().id}
*Message:*
> Hello,
> 
> we need 50 seats.`,
  );
});

/** Mentions, links, emphasis and lines, as Slack or Mattermost take them. */
const NASTY: readonly string[] = [
  "<!channel> <!here> <@U012AB3CD> <!subteam^S012AB3CD> <#C012AB3CD>",
  "<https://evil.example|our site> <!date^1392734382^{date}^https://evil.example/|x>",
  ...["&lt;!channel&gt; &amp;lt;", "@channel @all (@here) _@ada_ -@all .@here @@channel"],
  "[our site](https://evil.example) ![x](https://evil.example/x.png)",
  ...["[a][1] [1]: https://evil.example", `"\\" \\n`],
  "-@here ada+@all x.@channel mail:@here ä_.@all",
  "*Email:* **Email:** _Email:_ __Email:__ ***Email:*** a *",
  ...["` `` ``` ~ ~~ ~~~ ```x``` ~~x~~", ">>> > &gt;&gt;&gt; x", "# x | - | 1. - x |---|"],
];

/** Text that would show lines of its own, or end those above it. */
const LINES: readonly string[] = [
  ..."\n \r\n \r \v \f \x85 \u2028 \u2029 \n\n \n\r".split(" ")
    .map((end) => ["A", "*Email:* eve@example.com", "> B", "```", ""].join(end)),
  "\u202E:liamE\u202C \u2066A\u2069 \u200F\u061C", // right to left
  "&".repeat(2_000),
  "@".repeat(2_000),
  "\n".repeat(2_000),
];

Deno.test("text of a person stays text, on its own lines and within Mattermost's 16,383 characters", async () => {
  const labels = ["Email address", "Company", "Language", "Received", "Lead"];
  for (const words of [...LINES, ...NASTY]) {
    const text = await textOf({ company: `A${words.slice(0, 119)}`, message: words });
    ok([...text].length <= 16_383, words);
    const [head, message] = text.split("\n*Message:*\n");
    const quoted = message!.split(/[\n\r\v\f\x85\u2028\u2029]/);
    ok(quoted.every((line) => line.startsWith("> ")), words);
    const [title, ...rows] = head!.split("\n");
    deepEqual(rows.map((row) => /^\*([\w ]+):\* /.exec(row)?.[1]), labels, words);
    for (const line of [title!, ...rows.map((row) => row.replace(/^\*[\w ]+:\* /, ""))]) {
      equal(/[*`~]|_(?![\w@])|[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u.test(line), false, line);
    }
    const written = text.replace(/^> /gm, "");
    equal(/[<>]|&(?!amp;|lt;|gt;)/.test(written), false, `a link or a mention of Slack: ${words}`);
    equal(/(?<![\p{L}\p{N}]_*)@[\p{L}\p{N}]/u.test(text), false, `a mention: ${words}`);
    equal(/\][(:[]/.test(text), false, `a link of Mattermost: ${words}`);
    if (NASTY.includes(words)) equal(shown(text).split(words).length, 4, "the text as written");
  }
});

Deno.test("an address with underscores can be copied", async () => {
  const text = await textOf({ email: "_ada_l_@example.com", message: "ada_@example.com" });
  ok(text.includes("*Email address:* _ada_l_@example.com\n"));
  ok(text.endsWith("> ada_@example.com"));
});
