/** @module Page sources and facts for tests. */

import { SITE } from "../../schemas/site_data.ts";
import { parseConfig } from "../../config/config.ts";
import type { PageSource } from "../../site/files.ts";
import type { SiteFacts } from "../../site/placeholders.ts";

export const SITE_URL = "https://www.example.com";

export const FACTS: SiteFacts = {
  ...parseConfig({ SITE_URL, SITE_NAME: "Example" }),
  brand: { ...SITE, name: "Example", theme: { light: "#ffffff", dark: "#000000" } },
};

export function pagesOf(files: Record<string, string>, reads: string[] = []): PageSource {
  return {
    list: () => Promise.resolve(Object.keys(files)),
    read: (file) => {
      reads.push(file);
      return Promise.resolve(files[file]!);
    },
  };
}

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
