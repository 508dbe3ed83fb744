/** @module What is stored of a lead, what makes two leads the same, and leads of a form that has changed. */

import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { wordingOf } from "../../leads/delivery/wording.ts";
import type { LeadContent } from "../../leads/lead.ts";
import { contentOf, identityOf } from "../../leads/lead_content.ts";
import { StoredLeadShape } from "../../schemas/stored_lead.ts";
import { test } from "../cli/leads/fixture.ts";
import { recordOf } from "../support/delivering.ts";
import { LEAD } from "../support/test_app.ts";

const ASTRAL = "🌍";

const CONTENT: readonly (readonly [sent: string, company: string, message: string])[] = [
  ["plain", "plain", "plain"],
  ["a\0b", "a\u{FFFD}b", "a\u{FFFD}b"],
  ["\ud800", "\u{FFFD}", "\u{FFFD}"],
  ["\udc00\ud800", "\u{FFFD}\u{FFFD}", "\u{FFFD}\u{FFFD}"],
  [ASTRAL, ASTRAL, ASTRAL],
  ["a\r\nBcc: x@example.com", "a Bcc: x@example.com", "a\r\nBcc: x@example.com"],
  ["a\n\n\rb", "a b", "a\n\n\rb"],
  ["a\u2028b\u2029c", "a b c", "a\u2028b\u2029c"],
];

Deno.test("contentOf() is well-formed, without NUL, with the company in one line", () => {
  for (const [sent, company, message] of CONTENT) {
    const content = contentOf({ ...LEAD, company: sent, message: sent, website: "" });
    deepEqual(content, { ...LEAD, company, message });
    equal(JSON.stringify(content).isWellFormed(), true);
  }
  deepEqual(Object.keys(contentOf(LEAD)), ["email", "company", "locale"]);
});

/** As the form had a fax number, or a topic and no message. */
const OTHER = { ...LEAD, fax: "+49 30 1", topic: "=1" } as LeadContent;

Deno.test("identityOf() never changes for a lead without the fields that are added later", () => {
  const lead = { email: "Ada@Example.com", company: "Example GmbH", locale: "en" } as const;
  equal(identityOf(lead), '["ada@example.com","Example GmbH",null,null,"en"]');
  const full = { ...lead, message: "Hi", plan: "pro" };
  equal(identityOf(full), '["ada@example.com","Example GmbH","Hi","pro","en"]');
  const added =
    '["ada@example.com","Example GmbH",null,null,"en",["fax","+49 30 1"],["topic","=1"]]';
  equal(identityOf(OTHER), added);
});

Deno.test("a mail has the values of fields that have gone, and another site's language", () => {
  const { rows, texts } = wordingOf(recordOf({ ...OTHER, locale: "fr", plan: "free" }));
  const [, , plan, language] = rows;
  deepEqual([plan, language], [["Plan", "Free"], ["Language", "French"]]);
  deepEqual(texts, [["fax", "+49 30 1"], ["topic", "=1"]]);
});

test("a lead of another form is read, listed, shown and exported", async (cli) => {
  const { company: _, ...rest } = OTHER;
  const lead = { ...rest, locale: "fr", plan: "free" } as unknown as LeadContent;
  const { id, ...record } = await cli.put({ lead });
  equal(StoredLeadShape.safeParse({ id, ...record, content: lead }).success, true);
  match(
    await cli.printed("list", "--plan", "free", "--locale", "fr"),
    / free +fr +ada@example\.com /,
  );
  match(await cli.printed("show", id), /\nfax: \+49 30 1\ntopic: =1\n/);
  equal(JSON.parse(await cli.printed("export", "--format", "jsonl")).fax, "+49 30 1");
  match(await cli.printed("list", "--text", "+49 30"), /\n1 lead\n/);
});
