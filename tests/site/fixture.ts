/** @module Sites for tests: the real sources from disk, or a handful of lines in memory. */

import type { AssetSource } from "../../routes/discovery.ts";
import type { PageSource, SiteFacts } from "../../site/site.ts";

const STATIC = new URL("../../static/", import.meta.url);

export const SITE_URL = "https://www.example.com";

export const FACTS: SiteFacts = {
  siteName: "Example",
  siteUrl: SITE_URL,
  localUrl: "http://localhost:8000",
  serviceId: "example-frontdoor",
  leadRateLimit: { count: 20, windowMs: 600_000 },
  leadAttemptLimit: { count: 120, windowMs: 60_000 },
  leadRetentionMs: 90 * 86_400_000,
};

/** The sources that are served. */
export const REAL_PAGES: PageSource = {
  list: async () =>
    (await Promise.all(
      ["en", "de"].map(async (locale) =>
        (await namesIn(`pages/${locale}`)).map((name) => `${locale}/${name}`)
      ),
    )).flat(),
  read: (file) => Deno.readTextFile(new URL(`pages/${file}`, STATIC)),
};

/** The assets that are served. */
export const REAL_ASSETS: AssetSource = {
  list: () => namesIn("assets"),
  read: (name) => Deno.readFile(new URL(`assets/${name}`, STATIC)),
};

async function namesIn(folder: string): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(new URL(folder, STATIC)));
  return entries.filter((entry) => entry.isFile).map((entry) => entry.name);
}

/** Sources in memory; `reads` notes what was read. */
export function pagesOf(
  files: Readonly<Record<string, string>>,
  reads: string[] = [],
): PageSource {
  return {
    list: () => Promise.resolve(Object.keys(files)),
    read: (file) => {
      reads.push(file);
      return Promise.resolve(files[file]!);
    },
  };
}

/** A sound source with this body. */
export function pageText(body: string, members: Readonly<Record<string, string>> = {}): string {
  const all = {
    title: "Title",
    description: "A description that is long enough to be worth reading by anybody.",
    updated: "2026-11-21",
    ...members,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return ["---", ...lines, "---", "", body].join("\n");
}
