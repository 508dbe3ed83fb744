/** @module Page sources and facts for tests. */

import type { PageSource } from "../../site/page.ts";
import type { SiteFacts } from "../../site/placeholders.ts";

/** The origin of every site for tests. */
export const SITE_URL = "https://www.example.com";

/** An installation with default settings. */
export const FACTS: SiteFacts = {
  siteName: "Example",
  siteUrl: SITE_URL,
  localUrl: "http://localhost:8000",
  serviceId: "example-frontdoor",
  operator: [],
  contactEmail: undefined,
  contentSignal: { search: true, aiInput: true, aiTrain: true },
  leadRateLimit: { count: 20, windowMs: 600_000 },
  leadAttemptLimit: { count: 120, windowMs: 60_000 },
  leadRetentionMs: 90 * 86_400_000,
  kvPath: undefined,
  leadEncryptionKeys: [],
};

/** Creates sources in memory, which record reads in `reads`. */
export function pagesOf(files: Record<string, string>, reads: string[] = []): PageSource {
  return {
    list: () => Promise.resolve(Object.keys(files)),
    read: (file) => {
      reads.push(file);
      return Promise.resolve(files[file]!);
    },
  };
}

/** Returns a valid source with this body. */
export function pageText(body: string, members: Record<string, string> = {}): string {
  const all = {
    title: "Title",
    description: "A description that is long enough to be worth reading by anybody.",
    updated: "2026-11-21",
    ...members,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return ["---", ...lines, "---", "", body].join("\n");
}
