/**
 * @module The table of contents of a long page, for beside its text.
 *
 * Made from the rendered fragment, not from the source, so that it lists every heading that is there. The
 * fragment is the renderer's own: its headings can be found without parsing HTML.
 */

import { html as markup, raw } from "@hono/hono/html";
import type { Markup } from "./html.ts";

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
