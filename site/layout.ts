/** @module Renders a document around a fragment; its policy forbids inline styles and scripts. */

import { html as markup, raw } from "@hono/hono/html";
import { headOf } from "./head.ts";
import type { DocumentView, Markup } from "./html.ts";
import { footerOf, headerOf } from "./menus.ts";
import { homePath } from "./page_path.ts";
import { WORDS } from "./words.ts";

export function documentOf(view: DocumentView): string {
  const { locale, fragment } = view;
  const script = markup`<script type="module" src="/assets/copy.js"></script>\n`;
  const tryIt = markup`<script type="module" src="/assets/try.js"></script>\n`;
  return markup`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${headOf(view)}${fragment.includes("<pre") && script}${view.page?.name === "docs" && tryIt}</head>
<body class="${bodyClass(view)}">
<a class="skip" href="#content">${WORDS[locale].frame.skip}</a>
${headerOf(view)}
<main id="content">
${raw(arrange(view).trimEnd())}
</main>
${footerOf(view)}
</body>
</html>
`.toString();
}

/** Classes for the stylesheet: the layout, and `home` or, for other documents, `aside`. */
function bodyClass({ layout, page, locale }: DocumentView): string {
  if (page === undefined) return `${layout} aside`;
  return page.path === homePath(locale) ? `${layout} home` : layout;
}

/** Adds what the layout puts around the introduction or after it. */
function arrange({ fragment, layout, locale }: DocumentView): string {
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

const HEADING = /<h([23]) id="([^"]+)">(.*?)<\/h\1>/g;

/** Pages with fewer sections need no table of contents. */
const MIN_SECTIONS = 3;

/** Renders a table of contents with the level-2 and level-3 headings, or "" for a short page. */
function contentsOf(fragment: string, name: string): string {
  const [intro = [], ...sections] = fragment.split("<section").map((part) =>
    [...part.matchAll(HEADING)].map(([, , id, content = ""]) =>
      markup`<a href="#${id}">${raw(content.replace(/<[^>]*>/g, ""))}</a>`
    )
  );
  if (sections.length < MIN_SECTIONS) return "";
  const items = (links: readonly Markup[]) => links.map((link) => markup`<li>${link}</li>`);
  const entries = sections.map(([first, ...nested]) =>
    markup`<li>${first}${nested.length > 0 && markup`<ul>${items(nested)}</ul>`}</li>\n`
  );
  return markup`<nav class="contents" aria-labelledby="contents">
<p id="contents">${name}</p>
<ul>${items(intro)}${entries}</ul>
</nav>
`.toString();
}
