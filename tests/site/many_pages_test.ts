/**
 * @module A site of a thousand pages starts with the names of its sources alone: none is read before a
 * request needs it, and then each is read once.
 */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { LOCALES } from "../../site/page_path.ts";
import type { PageSource } from "../../site/site.ts";
import { appWithoutLeads } from "../support/app_without_leads.ts";
import { pagesOf, pageText } from "./fixture.ts";

const PAGES_A_LANGUAGE = 1_000;

const FILES = Object.fromEntries(
  LOCALES.flatMap((locale) =>
    ["index", ...Array.from({ length: PAGES_A_LANGUAGE - 1 }, (_, n) => `page-${n}`)]
      .map((name) => [`${locale}/${name}.md`, pageText(`# ${name}\n\nText.\n`)])
  ),
);

/** The app on these sources, and what it has asked them for so far. */
async function countingApp() {
  const asked = { lists: 0, reads: [] as string[] };
  const source = pagesOf(FILES, asked.reads);
  const pages: PageSource = {
    list: () => {
      asked.lists++;
      return source.list();
    },
    read: source.read,
  };
  const { request } = await appWithoutLeads({ pages });
  return { asked, request };
}

const NEEDS_NO_PAGE = [
  "/api/health",
  "/api/site",
  "/openapi.json",
  "/api/openapi.yaml",
  "/robots.txt",
  "/site.webmanifest",
  "/.well-known/api-catalog",
  "/.well-known/security.txt",
  "/assets/site.css",
  "/api/nope",
];

Deno.test("a start lists the sources and reads none, nor does what needs no page", async () => {
  const { asked, request } = await countingApp();
  deepEqual(asked, { lists: 1, reads: [] });
  for (const path of NEEDS_NO_PAGE) await (await request(path)).body?.cancel();
  deepEqual(asked, { lists: 1, reads: [] });
});

Deno.test("the first page reads each source once, and no later page reads any", async () => {
  const { asked, request } = await countingApp();
  const { lists } = asked;
  // Together, as they come where a service has just been started.
  const paths = ["/page-1", "/de/page-2", "/sitemap.xml", "/nope", "/llms.txt"];
  for (const response of await Promise.all(paths.map((path) => request(path)))) {
    await response.body?.cancel();
  }
  equal(asked.lists, lists + 1);
  deepEqual(asked.reads.toSorted(), Object.keys(FILES).toSorted());
  const later = await request("/page-3");
  equal(later.status, 200);
  await later.body?.cancel();
  equal(asked.lists, lists + 1);
  equal(asked.reads.length, 2 * PAGES_A_LANGUAGE);
});
