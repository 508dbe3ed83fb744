/** @module Discovery documents over HTTP. */

import { ok, strictEqual as equal } from "node:assert/strict";
import { LOCALES } from "../../schemas/site_data.ts";
import { REQUIRED_PAGES, SENT_PAGE } from "../../site/urls.ts";
import { pagesOf, pageText, SITE_URL } from "../site/fixture.ts";
import { parseConfig } from "../../config/config.ts";
import { knownPaths } from "../../cli/app_without_leads.ts";
import { appWithoutLeads } from "../support/app_without_leads.ts";

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
  for (const name of REQUIRED_PAGES.slice(1, -1).filter((name) => name !== SENT_PAGE)) {
    ok(linked.has(`/${name}`), name);
  }
  for (const link of linked) ok((await request(link)).status !== 404, link);
});
