/** @module Shapes found in plain markdown. */

import { strictEqual as equal } from "node:assert/strict";
import { renderMarkdown } from "../../site/markdown.ts";

async function html(markdown: string): Promise<string> {
  return (await renderMarkdown(markdown)).html.trim();
}

const ICON = "![](/assets/icons.svg#a)";
const DRAWN =
  '<svg class="icon" width="24" height="24" aria-hidden="true"><use href="/assets/icons.svg#a"/></svg>';

/** Lists and quotes, and how their HTML begins. */
const SHAPES = [
  // Lists are cards or steps only if every item begins in bold.
  ["- **a.** b\n- **[c](/c).** d\n", '<ul class="cards">'],
  ["- **a.** b\n\n- **c.** d\n\n  e\n", '<ul class="cards">'],
  [`- ${ICON} **a.** b\n- **c.** d\n`, '<ul class="cards">'],
  ["1. **a.** b\n2. **c.** d\n", '<ol class="steps">'],
  ["3. **a.** b\n", '<ol start="3" class="steps">'],
  ["- **a.** b\n- c **d**\n", "<ul>"],
  ["3. a\n4. b\n", '<ol start="3">'],
  ["- [a](/a)\n-\n", "<ul>"],
  // With an icon each they are a diagram; if each ends in italics, a timeline.
  [`1. ${ICON} **a.** b\n2. ${ICON} **c.** d\n`, '<ol class="flow">'],
  [`1. ${ICON} **a.** b\n2. **c.** d\n`, '<ol class="steps">'],
  [`1. ${ICON} a\n`, "<ol>"],
  [`1. ${ICON} **a** b. *c*\n2. **d** e. *f*\n`, '<ol class="timeline">'],
  ["1. **a** b. *c*\n2. **d** e.\n", '<ol class="steps">'],
  // Quotes.
  ["> **a.** b\n", '<blockquote class="statement">'],
  ["> a **b**\n", "<blockquote>"],
  ["> - **a**\n", "<blockquote>"],
  ["> **a** b\n>\n> **c** · **d**\n", '<figure class="decision">'],
  ["> **a**\n>\n> c **d**\n", '<blockquote class="statement">'],
  ["> - a\n>\n> **c** · **d**\n", "<blockquote>"],
  ["> **a** · **b**\n", '<blockquote class="statement">'],
] as const;

Deno.test("lists and quotes have the shapes that their markdown suggests", async () => {
  for (const [markdown, start] of SHAPES) {
    equal((await html(markdown)).split("\n", 1)[0], start, markdown);
  }
});

Deno.test("a decision has a name, and words that look like buttons", async () => {
  equal(
    await html(`> **a** *b*\n>\n> c\n>\n> - ${ICON} d\n>\n> **e** · **f g**\n`),
    '<figure class="decision">\n<figcaption><strong>a</strong> <em>b</em></figcaption>\n<p>c</p>\n' +
      `<ul>\n<li>${DRAWN} d</li>\n</ul>\n` +
      '<p class="choices"><strong>e</strong> <strong>f g</strong></p>\n</figure>',
  );
});

Deno.test("an icon is a part of a drawing of the site, without text", async () => {
  equal(await html(`a ${ICON}`), `<p>a ${DRAWN}</p>`);
  for (
    const [image, expected] of [
      ["![a](/assets/icons.svg#a)", '<img src="/assets/icons.svg#a" alt="a">'],
      ["![](/assets/icons.svg)", '<img src="/assets/icons.svg" alt="">'],
      ["![](/icons.svg#a)", '<img src="/icons.svg#a" alt="">'],
      ["![](https://a.example/assets/icons.svg#a)", ""],
    ] as const
  ) {
    equal(await html(`a ${image}`), `<p>a ${expected}</p>`);
  }
});
