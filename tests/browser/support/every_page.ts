/** @module Which pages there are, as the running service itself says in its sitemap. */

import { type Locale, localeOfPath, LOCALES } from "../../../site/page_path.ts";
import type { Service } from "../../support/service.ts";

/** Where pictures of the pages go; not under version control. */
export const PICTURES = ".screenshots";

/** What a person may have set. */
export const SCHEMES = ["light", "dark"] as const;

/** A page in one language. */
export interface Listed {
  readonly path: string;
  readonly locale: Locale;
  /** Its path in each language, its own included. */
  readonly twins: Readonly<Partial<Record<Locale, string>>>;
}

/** Every page of `sitemap.xml`, in its order. */
export async function everyPage({ url }: Service): Promise<readonly Listed[]> {
  const sitemap = await (await fetch(`${url}/sitemap.xml`)).text();
  return [...sitemap.matchAll(/<url>(.*?)<\/url>/gs)].map(([, entry = ""]) => {
    const path = pathOf(/<loc>(.*?)<\/loc>/.exec(entry)?.[1]);
    const twins = LOCALES.flatMap((locale) => {
      const [, href] = new RegExp(`hreflang="${locale}" href="(.*?)"`).exec(entry) ?? [];
      return href === undefined ? [] : [[locale, pathOf(href)]];
    });
    return { path, locale: localeOfPath(path), twins: Object.fromEntries(twins) };
  });
}

function pathOf(url: string | undefined): string {
  if (url === undefined) throw new Error("Cannot read sitemap.xml: an entry has no address");
  return new URL(url).pathname;
}

/** What stands in for a page's path in the name of a file: `en-index`, `de-pricing`. */
export function slugOf({ path, locale }: Pick<Listed, "path" | "locale">): string {
  const name = path.replace(/^\/de(?=\/|$)/, "").slice(1).replaceAll("/", "-");
  return `${locale}-${name || "index"}`;
}
