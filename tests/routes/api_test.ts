/**
 * @module Health, the site index and the OpenAPI document; `documented_answers_test.ts` has their headers.
 */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { parse, parseAllDocuments } from "yaml";
import { SiteIndex } from "../../schemas/operations/site.ts";
import { SKILL } from "../../site/urls.ts";
import { parseConfig } from "../../config/config.ts";
import { knownPaths } from "../../cli/app_without_leads.ts";
import { appWithoutLeads } from "../support/app_without_leads.ts";
import { pagesOf, pageText } from "../site/fixture.ts";

const NAME = '# Ünï: "co" & {x}';
const OWN = {
  SITE_NAME: NAME,
  SERVICE_ID: "other-1",
  SITE_URL: "https://other.example:8443",
  LOCAL_URL: "http://localhost:3000",
};
const FILES = {
  ...Object.fromEntries(["en/developers", "en/docs", "de/docs", "en/new", "de/guide/new"].map(
    (name) => [`${name}.md`, pageText("# Page\n")],
  )),
  "en/index.md": pageText("# Home\n", { description: "What {{site_name}} is." }),
  "de/index.md": pageText("# Start\n", { description: "Was {{site_name}} ist." }),
};
const { request } = await appWithoutLeads({ env: OWN, pages: pagesOf(FILES) });

Deno.test("health has the configured names of site and service", async () => {
  const body = await (await request("/api/health")).json();
  deepEqual(body, { ok: true, name: NAME, service: "other-1", status: "healthy" });
});

/** What specification §1 lets people and agents discover, and its translations. */
const DISCOVERABLE = [
  ...["/", "/developers", "/docs", "/llms.txt", "/llms-full.txt", "/sitemap.xml"],
  ...["/openapi.json", "/api/openapi.yaml", "/api/health"],
  ...["/de/llms.txt", "/de/llms-full.txt", "/.well-known/agent-skills/index.json"],
];

Deno.test("the site index has the home page's description, every page and discovery document", async () => {
  const body = await (await request("/api/site")).json();
  const { resources, productApi, ...brand } = SiteIndex.parse(body);
  deepEqual(brand, {
    name: NAME,
    url: OWN.SITE_URL,
    kind: "marketing-site",
    description: `What ${NAME} is.`,
  });
  equal(productApi.status, "not-on-this-host");
  ok(productApi.note?.includes("does not serve"));
  const urls = Object.values(resources);
  for (const url of urls) ok(url.startsWith(`${OWN.SITE_URL}/`), url);
  for (const path of DISCOVERABLE) ok(urls.includes(OWN.SITE_URL + path), path);
  equal(new Set(urls).size, urls.length);
  for (const path of await knownPaths(parseConfig({}))) {
    const isListed = /^(?!\/assets\/).*\.(?:txt|xml|md|ya?ml)$|^\/(?:\.well-known\/|openapi)/.test(
      path,
    );
    if (isListed && path !== SKILL) ok(urls.includes(OWN.SITE_URL + path), path);
  }
  const pages = Object.entries(resources).slice(0, Object.keys(FILES).length);
  deepEqual(Object.fromEntries(pages.map(([name, url]) => [name, new URL(url).pathname])), {
    ...{ home: "/", developers: "/developers", docs: "/docs", new: "/new" },
    ...{ "home.de": "/de", "docs.de": "/de/docs", "guide/new.de": "/de/guide/new" },
  });
});

Deno.test("the OpenAPI document is the same in JSON and YAML, with the configured servers", async () => {
  const json = await (await request("/openapi.json")).json();
  const yaml = await (await request("/api/openapi.yaml")).text();
  equal(parseAllDocuments(yaml).length, 1);
  deepEqual(parse(yaml), json);
  deepEqual(parse(yaml, { version: "1.1" }), json);
  ok(!/: [&*]\w+$/m.test(yaml), "anchors and aliases");
  ok(json.info.title.startsWith(NAME));
  deepEqual(json.servers.map(({ url }: { url: string }) => url), [OWN.SITE_URL, OWN.LOCAL_URL]);
});
