/**
 * @module Arranges the layout `docs`: the page as markdown below the introduction, a table of contents, and
 * a link to each heading.
 */

import { html as markup, raw } from "@hono/hono/html";
import type { DocumentView, Markup } from "./html.ts";
import { drawnIcon } from "./markdown_components.ts";
import { fill, type Words, wordsOf } from "../schemas/words.ts";

/** Pages with fewer sections need no table of contents. */
const MIN_SECTIONS = 3;

/** What describes one operation, up to the next heading. */
const OPERATION = /<h3 [^>]*><span class="method.*?(?=<h[23] |<\/section>)/gs;

const HEADING = /<h([2-4]) id="([^"]+)">(.*?)<\/h\1>/gs;

/** @param parts the introduction, and the sections after it */
export function arrangeDocs(
  [intro, sections]: readonly [intro: string, sections: string],
  { locale, page }: Pick<DocumentView, "locale" | "page">,
): string {
  const words = wordsOf(locale).docs;
  const feed = page?.feedPath &&
    markup` <a href="${page.feedPath}">${drawnIcon("/assets/icons.svg#feed")}${words.feed}</a>`;
  const source = page &&
    markup`<div data-markdown-ignore class="source"><a href="${page.markdownPath}">${words.markdown}</a>${feed}</div>\n`;
  const contents = contentsOf([intro, ...sections.split("<section").slice(1)], words.contents);
  return markup`${raw(linked(intro, words))}${source}${contents}${raw(linked(sections, words))}`
    .toString();
}

/** Adds links beside the headings, not within: they would be read as part of each heading. */
function linked(text: string, words: Words["docs"]): string {
  const grouped = text.replace(OPERATION, '<div class="operation">\n$&</div>\n');
  return grouped.replace(HEADING, (heading, _depth, id: string, content: string) => {
    // Code is not escaped for attributes.
    const text = content.replace(/<[^>]*>/g, "").replaceAll('"', "&quot;");
    const name = raw(fill(words.link, { heading: text }));
    const link = markup`<a class="permalink" href="#${id}" aria-label="${name}"></a>`;
    return markup`<div class="heading">${raw(heading)}${link}</div>`.toString();
  });
}

/** Headings of levels 2 and 3; undefined for a short page. On a phone it opens by its name. */
function contentsOf(parts: readonly string[], name: string): Markup | undefined {
  const [intro = [], ...sections] = parts.map((part) =>
    [...part.matchAll(HEADING)].filter(([, depth]) => depth !== "4").map(([, , id, content = ""]) =>
      markup`<a href="#${id}">${raw(content.replace(/<(?!\/?span)[^>]*>/g, ""))}</a>`
    )
  );
  if (sections.length < MIN_SECTIONS) return undefined;
  const items = (links: readonly Markup[]) => links.map((link) => markup`<li>${link}</li>`);
  const entries = sections.map(([first, ...nested]) =>
    markup`<li>${first}${nested.length > 0 && markup`<ul>${items(nested)}</ul>`}</li>\n`
  );
  return markup`<nav class="contents" aria-labelledby="contents_title">
<p id="contents_title">${name}</p>
<details><summary>${name}</summary>
<ul>${items(intro)}${entries}</ul>
</details>
</nav>
`;
}
