/** @module Renders a document around a fragment; its policy forbids inline styles and scripts. */

import { html as markup, raw } from "@hono/hono/html";
import { arrangeDocs } from "./docs_layout.ts";
import { headOf } from "./head.ts";
import { type DocumentView, scriptData } from "./html.ts";
import { footerOf, headerOf } from "./menus.ts";
import { pathsIn } from "./urls.ts";
import { wordsOf } from "../schemas/words.ts";

export function documentOf(view: DocumentView): string {
  const { locale, fragment } = view;
  const scripts = ([
    fragment.includes("<pre") && "copy",
    view.layout === "docs" && "docs",
    view.layout === "docs" && "search",
    view.page?.name === "docs" && "try",
    fragment.includes('<p class="choices"><strong><a') && "decision",
  ] as const).filter((name) => name !== false);
  const texts = wordsOf(locale).scripts;
  const words = Object.fromEntries(
    scripts.flatMap((name) => name in texts ? [[name, texts[name as keyof typeof texts]]] : []),
  );
  return markup`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${headOf(view)}${
    Object.keys(words).length > 0 &&
    markup`<script type="application/json" id="script_words">${scriptData(words)}</script>\n`
  }${
    scripts.map((name) => markup`<script type="module" src="/assets/${name}.js"></script>\n`)
  }</head>
<body class="${bodyClass(view)}">
<a class="skip" href="#main_content">${wordsOf(locale).frame.skip}</a>
${headerOf(view)}
<main id="main_content">
${raw(arrange(view).trimEnd())}
</main>
${raw(view.template ?? "")}${footerOf(view)}
</body>
</html>
`.toString();
}

/** Classes for the stylesheet: the layout, and `home` or, for other documents, `aside`. */
function bodyClass({ layout, page, locale }: DocumentView): string {
  if (page === undefined) return `${layout} aside`;
  return page.path === pathsIn(locale).home ? `${layout} home` : layout;
}

/** Adds what the layout puts around the introduction or after it. */
function arrange({ fragment, layout, locale, page }: DocumentView): string {
  const at = fragment.indexOf("<section");
  const intro = at < 0 ? fragment : fragment.slice(0, at);
  const sections = at < 0 ? "" : fragment.slice(at);
  switch (layout) {
    case "landing":
      return `<div class="hero">\n${intro}</div>\n${sections}`;
    case "docs":
      return arrangeDocs([intro, sections], { locale, page });
    default:
      return fragment;
  }
}
