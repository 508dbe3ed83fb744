/**
 * @module Whatever the schema of a lead validates is stored, told apart, exported and delivered. The members
 * come from the schema, so that one that is added there and forgotten elsewhere fails here.
 */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { z } from "zod";
import { wordingOf } from "../../leads/delivery/wording.ts";
import type { LeadContent } from "../../leads/lead.ts";
import { LeadRequest } from "../../schemas/lead.ts";
import { openApiDocument } from "../../schemas/openapi.ts";
import { enquiryText } from "../../site/agent_recipe.ts";
import { apiReference } from "../../site/api_reference.ts";
import { contactForm } from "../../site/contact_form.ts";
import { tryPanel } from "../../site/try_panel.ts";
import { test } from "../cli/leads/fixture.ts";
import { FACTS } from "../site/fixture.ts";
import { run } from "../support/command.ts";
import { recordOf } from "../support/delivering.ts";
import { startReceiver } from "../support/receiver.ts";
import { post, stored, theLead } from "../support/sent_leads.ts";
import { withFolder } from "../support/service.ts";
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

Deno.test("every member of a lead is in the form, the panel of the docs, the reference and the recipe", () => {
  const reference = apiReference(openApiDocument(FACTS), "de");
  const [form, panel] = [contactForm("de"), tryPanel("de")];
  for (const { name } of MEMBERS) {
    // The language of a lead is that of the page.
    equal(form.includes(`name="${name}"`), name !== "locale", `${name} in the form`);
    ok(panel.includes(`name="${name}"`), `${name} in the panel`);
    ok(reference.includes(`| \`${name}\` |`), `${name} in the reference`);
    ok(enquiryText("de", FACTS).includes(`\n- \`${name}\``), `${name} in the recipe`);
  }
});

/** Prints what a site with this `static/site.json` has of plans. */
const PLANS_OF = (root: string) => `
import { LeadRequest, parseLead, TEST_LEADS } from "${root}schemas/lead.ts";
import { contactForm } from "${root}site/contact_form.ts";
import { tryPanel } from "${root}site/try_panel.ts";
import { STORED_FIELDS } from "${root}schemas/lead_fields.ts";
console.log(JSON.stringify({
  members: Object.keys(LeadRequest.shape),
  stored: STORED_FIELDS.map(([name]) => name),
  valid: Object.values(TEST_LEADS).every((lead) => "lead" in parseLead(lead)),
  controls: [contactForm("en"), tryPanel("en")].map((html) => html.includes('name="plan"')),
}));`;

// `tests/cli/init_test.ts` has a site with plans of its own.
Deno.test("a site without plans has no field for them", () =>
  withFolder(async (folder) => {
    const root = new URL("../../", import.meta.url).href;
    const { imports } = JSON.parse(await Deno.readTextFile(new URL("deno.json", root)));
    const site = `${folder}/site.json`;
    await Deno.writeTextFile(site, JSON.stringify({ name: "A", languages: ["en"], plans: [] }));
    const map = { ...imports, [`${root}static/site.json`]: `file://${site}` };
    await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify({ imports: map }));
    await Deno.writeTextFile(`${folder}/plans.ts`, PLANS_OF(root));
    const command = [Deno.execPath(), "run", "-A", "--no-check", "--no-lock", "-q"];
    const { code, out, err } = await run([...command, `${folder}/plans.ts`], { cwd: folder });
    equal(code, 0, err);
    const { members, stored, valid, controls } = JSON.parse(out);
    deepEqual([members, stored].map((names) => names.includes("plan")), [false, false]);
    deepEqual([valid, ...controls], [true, false, false]);
  }));
