/** @module Discovery documents over HTTP, and what agents act on: recipes, the skill, the ARD manifest. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { parse } from "yaml";
import { LOCALES } from "../../schemas/site_data.ts";
import { GUESSED_PATHS } from "../../routes/not_found.ts";
import { REQUIRED_PAGES, SENT_PAGE, TEST_PAGE } from "../../site/urls.ts";
import { pagesOf, pageText, SITE_URL } from "../site/fixture.ts";
import { parseConfig } from "../../config/config.ts";
import { knownPaths } from "../../cli/app_without_leads.ts";
import { appWithoutLeads } from "../support/app_without_leads.ts";
import { LeadRequest } from "../../schemas/lead.ts";
import { startApp } from "../support/test_app.ts";

const now = () => Date.UTC(2026, 10, 21, 12);
const { request } = await appWithoutLeads({ now });
const PLAIN = "text/plain; charset=utf-8";

for (
  const [path, type, start] of [
    ["/llms.txt", PLAIN, "# Example\n\n> "],
    ["/de/llms.txt", PLAIN, "# Example\n\n> "],
    ["/llms-full.txt", PLAIN, "# Example\n\n> Index of this site"],
    ["/de/llms-full.txt", PLAIN, "# Example\n\n> Verzeichnis dieser Website"],
    ["/sitemap.xml", "application/xml; charset=utf-8", '<?xml version="1.0" '],
    ["/robots.txt", PLAIN, "# Every page"],
    ["/sitemap.md", "text/markdown; charset=utf-8", "# Example: Sitemap\n\n## English\n\n- ["],
    ["/.well-known/ard.json", "application/json", '{"specVersion":"1.0","entries":[{"identifier":'],
    [
      "/.well-known/agent-skills/index.json",
      "application/json",
      '{"$schema":"https://schemas.agentskills.io/discovery/0.2.0/schema.json","skills":[{"name":',
    ],
    [
      "/.well-known/agent-skills/send-an-enquiry/SKILL.md",
      "text/markdown; charset=utf-8",
      "---\nname: send-an-enquiry\ndescription: ",
    ],
    ["/site.webmanifest", "application/manifest+json", '{"name":"Example"'],
    ["/.well-known/security.txt", PLAIN, `Contact: ${SITE_URL}/contact\nExpires: 2027-05-20T00:`],
    [
      "/.well-known/api-catalog",
      'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
      '{"linkset":[{"anchor":"https://www.example.com',
    ],
  ] as const
) {
  Deno.test(`${path} is ${type}, cached and readable by any origin`, async () => {
    const response = await request(path);
    equal(response.status, 200);
    equal(response.headers.get("content-type"), type);
    equal(response.headers.get("cache-control"), "public, max-age=300");
    equal(response.headers.get("access-control-allow-origin"), "*");
    equal(response.headers.get("x-robots-tag"), path.endsWith(".md") ? "noindex" : null);
    const catalog = `<${SITE_URL}/.well-known/api-catalog>; rel="api-catalog"`;
    equal(response.headers.get("link"), path.endsWith("api-catalog") ? catalog : null);
    const hasTag = path !== "/.well-known/security.txt"; // which has a date
    equal(response.headers.has("etag"), hasTag);
    const body = await response.text();
    ok(body.startsWith(start), body.slice(0, 200));
    const isLong = new TextEncoder().encode(body).byteLength >= 300;
    equal(response.headers.get("vary"), isLong && hasTag ? "Accept-Encoding" : null);
  });
}

Deno.test("every page that the service itself links to is a required one", async () => {
  const files = LOCALES.flatMap((locale) => REQUIRED_PAGES.map((name) => `${locale}/${name}.md`));
  const pages = pagesOf(Object.fromEntries(files.map((file) => [file, pageText("# Page\n")])));
  const { request } = await appWithoutLeads({ pages });
  const linked = new Set<string>();
  for (
    const path of [
      ...await knownPaths(parseConfig({})),
      "/",
      "/de",
      "/contact",
      "/de/contact",
      "/nope",
    ]
  ) {
    const response = await request(path);
    const text = `${response.headers.get("link")} ${await response.text()}`;
    const links = text.matchAll(/(?:www\.example\.com|href=")(\/[\w-]+(?:[./][\w-]+)*)/g);
    for (const [, link] of links) linked.add(link!);
  }
  for (const name of REQUIRED_PAGES.slice(1, -1)) {
    ok(linked.has(`/${name}`) || name === SENT_PAGE || name === TEST_PAGE, name);
  }
  for (const link of linked) ok((await request(link)).status !== 404, link);
});

Deno.test("where clients guess the API description, they are led to it; it does not list those paths", async () => {
  await using app = await startApp();
  const { paths } = await (await app.request("/openapi.json")).json();
  for (const [path, guesses] of Object.entries(GUESSED_PATHS)) {
    ok(path in paths);
    for (const guess of guesses) {
      const { status, headers } = await app.request(guess);
      deepEqual([status, headers.get("location"), guess in paths], [308, path, false], guess);
    }
  }
});

const SKILL = "/.well-known/agent-skills/send-an-enquiry/SKILL.md";
const RECIPES = ["/llms.txt", "/de/llms.txt", SKILL];

for (const path of RECIPES) {
  Deno.test(`an agent sends a test lead from ${path} alone, and knows fields and limits`, async () => {
    const env = { LEAD_RATE_LIMIT: "7/3h", LEAD_ATTEMPT_LIMIT: "91/2m" };
    await using app = await startApp({ env });
    const text = await (await app.request(path)).text();
    const [, url = "", type = "", body = ""] =
      /^curl -i (\S+) \\\n {2}-H '([^']+)' \\\n {2}-d '([^']+)'$/m.exec(text) ?? [];
    const [name, value] = type.split(": ");
    const headers = { [name!]: value! };
    const init = { method: "POST", headers, body };
    const response = await app.request(url.slice(SITE_URL.length), init);
    equal(response.status, 200);
    deepEqual(await response.json(), { ok: true, delivered: false });
    ok(text.includes(`\`Lead-Test: ${response.headers.get("lead-test")}\``), "a test is not told");
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
