/**
 * @module The HTML document around a page's fragment (WHATWG HTML).
 *
 * What `<head>` says is `head.ts`, what is above and below the text `menus.ts`. Nothing inline: the
 * pages' Content-Security-Policy allows neither style nor script. `markup` escapes every text; the one
 * thing taken as markup is the fragment.
 */

import { html as markup, raw } from "@hono/hono/html";
import type { Layout } from "./front_matter.ts";
import { headOf, type HeadView } from "./head.ts";
import type { Markup } from "./html.ts";
import { dayText } from "./language.ts";
import { footerOf, headerOf, type MenuView } from "./menus.ts";
import { homePath } from "./page_path.ts";
import { WORDS } from "./words.ts";

/** Everything that a document shows. Paths are of this site. */
export interface DocumentView extends HeadView, MenuView {
  /** The content, as HTML that `renderMarkdown` made. */
  readonly fragment: string;
  /** The day of the last change, `YYYY-MM-DD`. */
  readonly updated: string | undefined;
  readonly layout: Layout;
}

/** Builds the document. */
export function documentOf(view: DocumentView): string {
  const { locale, fragment } = view;
  const script = markup`<script type="module" src="/assets/copy.js"></script>\n`;
  return markup`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${headOf(view)}${fragment.includes("<pre") && script}</head>
<body class="${bodyClass(view)}">
<a class="skip" href="#content">${WORDS[locale].frame.skip}</a>
${headerOf(view)}
<main id="content">
${raw(laidOut(view).trimEnd())}
${lastUpdated(view)}</main>
${footerOf(view)}
</body>
</html>
`.toString();
}

/** The stylesheet's handles: the layout, and whether this is the home page, or no page at all. */
function bodyClass({ layout, address, locale }: DocumentView): string {
  if (address === undefined) return `${layout} aside`;
  return address.path === homePath(locale) ? `${layout} home` : layout;
}

/** The content with what its layout adds between the introduction and the first section. */
function laidOut({ fragment, layout, locale }: DocumentView): string {
  const at = fragment.indexOf("<section");
  const intro = at < 0 ? fragment : fragment.slice(0, at);
  const sections = at < 0 ? "" : fragment.slice(at);
  switch (layout) {
    case "landing":
      return `<div class="hero">\n${intro}</div>\n${sections}`;
    case "docs":
      return intro + contentsOf(fragment, WORDS[locale].frame.onThisPage) + sections;
    default:
      return fragment;
  }
}

function lastUpdated({ locale, updated }: DocumentView): Markup | undefined {
  if (updated === undefined) return undefined;
  const day = markup`<time datetime="${updated}">${dayText(updated, locale)}</time>`;
  return markup`<p data-markdown-ignore class="updated">${
    WORDS[locale].frame.updated
  }: ${day}</p>\n`;
}

const HEADING = /<h([23]) id="([^"]+)">(.*?)<\/h\1>/g;

/** With fewer sections a page is seen at a glance. */
const FEWEST_SECTIONS = 3;

/**
 * Lists the headings of the second and third level as links.
 *
 * @param fragment HTML that `renderMarkdown` made
 * @param name what the list is called, as text without markup
 * @returns a `<nav>`, or nothing where there is little to list
 */
export function contentsOf(fragment: string, name: string): string {
  const headings = [...fragment.matchAll(HEADING)];
  if (headings.filter(([, depth]) => depth === "2").length < FEWEST_SECTIONS) return "";
  const items: Markup[] = [];
  let nested: Markup[] = [];
  for (const [, depth, id, content = ""] of headings.toReversed()) {
    const link = markup`<a href="#${id}">${raw(content.replace(/<[^>]*>/g, ""))}</a>`;
    if (depth === "3") nested.unshift(markup`<li>${link}</li>`);
    else {
      items.unshift(markup`<li>${link}${nested.length > 0 && markup`<ul>${nested}</ul>`}</li>\n`);
      nested = [];
    }
  }
  return markup`<nav class="contents" aria-labelledby="contents">
<p id="contents">${name}</p>
<ul>${nested}${items}</ul>
</nav>
`.toString();
}
