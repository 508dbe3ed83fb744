/** @module What agents act on: the recipe of llms.txt, the skill and its index, the ARD manifest. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { parse } from "yaml";
import { LeadRequest } from "../../schemas/lead.ts";
import { SITE_URL, startApp } from "../support/test_app.ts";

const SKILL = "/.well-known/agent-skills/send-an-enquiry/SKILL.md";
const RECIPES = ["/llms.txt", "/de/llms.txt", SKILL];

for (const path of RECIPES) {
  Deno.test(`an agent sends a test lead from ${path} alone, and knows fields and limits`, async () => {
    const env = { LEAD_RATE_LIMIT: "7/3h", LEAD_ATTEMPT_LIMIT: "91/2m" };
    await using app = await startApp({ env });
    const text = await (await app.request(path)).text();
    const [, url = "", type = "", body = ""] =
      /^curl (\S+) \\\n {2}-H '([^']+)' \\\n {2}-d '([^']+)'$/m.exec(text) ?? [];
    const [name, value] = type.split(": ");
    const headers = { [name!]: value! };
    const init = { method: "POST", headers, body };
    const response = await app.request(url.slice(SITE_URL.length), init);
    equal(response.status, 200);
    deepEqual(await response.json(), { ok: true, delivered: false });
    const { email, locale } = LeadRequest.parse(JSON.parse(body));
    match(email, /\.invalid$/);
    equal(locale, path.startsWith("/de") ? "de" : "en");

    const fields = [...text.matchAll(/^- `([a-z]+)`(?: \(|:)/gm)].map(([, field]) => field);
    deepEqual(fields, Object.keys(LeadRequest.shape));
    for (const limit of [/ 120 /, / 2[.,]000 /, /\b7 in 3 /, /\b91 in 2 /]) match(text, limit);
    for (const status of [200, 400, 429, 502]) ok(text.includes(`- \`${status}\``), `${status}`);
    for (const plan of LeadRequest.shape.plan.unwrap().options) ok(text.includes(`\`${plan}\``));
  });
}

Deno.test("the index of skills has the name, description and digest of the SKILL.md served", async () => {
  await using app = await startApp();
  const index = await (await app.request("/.well-known/agent-skills/index.json")).json();
  const served = await (await app.request(SKILL)).bytes();
  const text = new TextDecoder().decode(served);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", served)).toHex();
  const [, frontMatter = ""] = /^---\n([^]*?\n)---\n/.exec(text) ?? [];
  const { name, description } = parse(frontMatter);
  deepEqual(index, {
    $schema: "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
    skills: [{
      name,
      type: "skill-md",
      description,
      url: SITE_URL + SKILL,
      digest: `sha256:${digest}`,
    }],
  });
  // The folder has the name of the skill (agentskills.io/specification).
  equal(SKILL.split("/").at(-2), name);
  ok(description.length <= 1024 && text.length < 20_000);
});

Deno.test("the ARD manifest is one that registries take, and pages lead to it", async () => {
  await using app = await startApp();
  const { specVersion, entries } = await (await app.request("/.well-known/ard.json")).json();
  equal(specVersion, "1.0");
  equal(entries.length, 1);
  const [{ identifier, displayName, type, url, representativeQueries, ...others }] = entries;
  equal(identifier, "urn:air:www.example.com:skill:send-an-enquiry");
  ok(displayName.length > 0);
  equal(type, 'text/markdown; profile="urn:air:agent-skills"');
  equal(url, SITE_URL + SKILL);
  ok(representativeQueries.length >= 2 && representativeQueries.length <= 5);
  equal("data" in others, false);
  const page = await app.request("/");
  match(page.headers.get("link")!, /<[^>]+\/\.well-known\/ard\.json>; rel="ard"/);
  match(await page.text(), /<link rel="ard [^>]+href="\/\.well-known\/ard\.json">/);
});

for (const path of ["/llms.txt", "/de/llms.txt"]) {
  Deno.test(`below the headings of ${path} there are only links, to markdown or text`, async () => {
    await using app = await startApp();
    const [head = "", ...sections] = (await (await app.request(path)).text()).split(/^## .*$/m);
    match(head, /^# .+\n\n> .+\n/);
    equal(/^#/m.test(head.slice(1)), false, "a heading before the sections");
    const lines = sections.flatMap((section) => section.split("\n").filter((line) => line !== ""));
    ok(lines.length > 2);
    for (const line of lines) match(line, /^- \[[^\]]+\]\(https:[^)]+\.(?:md|txt)\): \S/);
  });
}
