/**
 * @module Whatever the schema of a lead validates is stored, told apart, exported and delivered. The members
 * come from the schema, so that one that is added there and forgotten elsewhere fails here.
 */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { z } from "zod";
import { wordingOf } from "../../leads/delivery/wording.ts";
import type { LeadContent } from "../../leads/lead.ts";
import { LeadRequest } from "../../schemas/lead.ts";
import { test } from "../cli/leads/fixture.ts";
import { recordOf } from "../support/delivering.ts";
import { startReceiver } from "../support/receiver.ts";
import { post, stored, theLead } from "../support/sent_leads.ts";
import { startApp } from "../support/test_app.ts";

interface Rule {
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly maxLength?: number;
}

const { properties = {} } = z.toJSONSchema(LeadRequest, { unrepresentable: "any" });

/** Two valid values of each member but the honeypot. */
const MEMBERS = Object.entries(properties as Record<string, Rule>)
  .filter(([, { maxLength }]) => maxLength !== 0)
  .map(([name, { enum: choices, format }]) => {
    const other = format === "email" ? `other-${name}@example.com` : `Another ${name}`;
    const value = other.toLowerCase().replace("other", "first");
    return { name, values: choices === undefined ? [value, other] : choices.slice(0, 2) };
  });

const FULL = Object.fromEntries(MEMBERS.map(({ name, values }) => [name, values[0]]));

Deno.test("every member of a lead is stored, sent to webhooks, and makes two leads different", async () => {
  await using receiver = startReceiver();
  await using t = await startApp({ env: { LEAD_TARGETS: receiver.url } });
  equal(await post(t, FULL), "200 true");
  deepEqual((await theLead(t)).lead, FULL);
  const { id, ...sent } = JSON.parse(receiver.received[0]!.body).data;
  deepEqual([id, sent], [(await theLead(t)).id, FULL]);
  for (const [index, { name, values }] of MEMBERS.entries()) {
    equal(await post(t, { ...FULL, [name]: values[1] }), "200 true", name);
    equal((await stored(t)).length, index + 2, `${name} makes no difference`);
  }
});

/** What people read of a lead by mail and chat. */
function read(lead: Record<string, unknown>): string {
  const { rows, texts } = wordingOf(recordOf(lead as LeadContent));
  return JSON.stringify([rows, texts]);
}

Deno.test("every member of a lead is in mails and messages", () => {
  for (const { name, values } of MEMBERS) {
    ok(read(FULL) !== read({ ...FULL, [name]: values[1] }), name);
  }
});

test("every member of a lead is shown, and exported as CSV and JSON", async (cli) => {
  const { id } = await cli.put({ lead: FULL });
  const json = JSON.parse(await cli.printed("export", "--format", "jsonl"));
  const csv = await cli.printed("export", "--format", "csv");
  const shown = await cli.printed("show", id);
  for (const { name, values: [value = ""] } of MEMBERS) {
    equal(json[name], value);
    ok(csv.split("\r\n")[0]!.split(",").includes(name) && csv.includes(value), `${name} in CSV`);
    ok(shown.includes(value), `${name} in show`);
  }
});
