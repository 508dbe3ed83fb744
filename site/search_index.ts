/** @module The text of all pages in a language, which `static/assets/search.js` searches. */

import type { Locale } from "../schemas/site_data.ts";
import { slug } from "./links.ts";
import { renderMarkdown } from "./markdown.ts";
import type { Catalogue, Page } from "./page.ts";

/** A heading or the name of a row, the text below it, and its id if that is not implied. */
type Part = readonly [heading: string, text: string, id?: string];

/** The pages in reading order; the first part of each begins with its title. */
export type SearchIndex = readonly (readonly [path: string, parts: readonly Part[]])[];

export async function searchIndexOf(locale: Locale, site: Catalogue): Promise<SearchIndex> {
  return await Promise.all(
    site.pagesIn(locale).map(async (page) => [page.path, await partsOf(page, site)] as const),
  );
}

/** Names from which search.js makes the same id as `slug`; the others' are half a kilobyte. */
const IMPLIED = /^[\p{ASCII}äöüß]*$/iu;

/** Where a part begins and its name ends. */
const NAMED = /<(h[1-3]|tr) id="([^"]+)">(.*?)<\/(?:h[1-3]|td)>/s;

/** Without blocks of code, which are half of the text and say it again. */
async function partsOf(page: Page, site: Catalogue): Promise<Part[]> {
  const { html } = await renderMarkdown((await site.text(page)).body, page.locale);
  const pieces = html.replace(/<div class="code".*?<\/div>|<thead>.*?<\/thead>/gs, "").split(NAMED)
    .slice(1);
  return Array.from({ length: pieces.length / 4 }, (_, at) => {
    const [, id = "", heading = "", text = ""] = pieces.slice(4 * at, 4 * at + 4);
    const name = plain(heading);
    const isImplied = IMPLIED.test(name) && slug(name) === id;
    return isImplied ? [name, plain(text)] : [name, plain(text), id];
  });
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };

function plain(html: string): string {
  return html.replace(/<(?:\/(?:p|li|t[dh]|tr|h\d)|br)[^>]*>/g, " ").replace(/<[^>]*>/g, "")
    .replace(/&(?:#39|(\w+));/g, (entity, name = "") => entity === "&#39;" ? "'" : ENTITIES[name]!)
    .replace(/\s+/g, " ").trim();
}
