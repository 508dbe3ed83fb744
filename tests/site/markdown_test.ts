/** @module Markdown to HTML; `injection_test.ts` tests hostile markdown. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { renderMarkdown } from "../../site/markdown.ts";

async function html(markdown: string): Promise<string> {
  return (await renderMarkdown(markdown)).html.trim();
}

const TABLE = '<div class="table" role="group" aria-label="a, b" tabindex="0"><table><thead><tr>' +
  '<th scope="col">a</th><th scope="col">b</th></tr></thead><tbody>\n' +
  "<tr><td><code>c</code></td><td>d</td></tr>\n</tbody></table></div>";

const NO_FIRST_HEADING =
  '<div class="table" role="group" aria-label="P" tabindex="0"><table><thead>' +
  '<tr><td></td><th scope="col"><strong>P</strong></th></tr></thead><tbody>\n' +
  '<tr><th scope="row">a</th><td>b</td></tr>\n</tbody></table></div>';

const SECTIONS = '<h1 id="a">A</h1>\n<p>a</p>\n' +
  '<section aria-labelledby="b">\n<h2 id="b">B</h2>\n<h3 id="c">C</h3>\n<p>c</p>\n</section>\n' +
  '<section aria-labelledby="b-2">\n<h2 id="b-2">B</h2>\n' +
  '<p><a href="/docs">ref</a></p>\n</section>';

for (
  const [markdown, expected] of [
    // Raw HTML is text.
    ["a <b onclick=x>b</b>", "<p>a &lt;b onclick=x&gt;b&lt;/b&gt;</p>"],
    ["<div>\n\n*a*\n\n</div>", "<p>&lt;div&gt;</p>\n<p><em>a</em></p>\n<p>&lt;/div&gt;</p>"],
    // An image of another site becomes its alternative text.
    ['![a & b](/a.svg "t")', '<p><img src="/a.svg" alt="a &amp; b" title="t"></p>'],
    ["![a & b](https://a.example/a.svg)", "<p>a &amp; b</p>"],
    // Level-2 headings open sections, except inside other blocks.
    ["# A\n\na\n\n## B\n\n### C\n\nc\n\n## B\n\n[ref]\n\n[ref]: /docs\n", SECTIONS],
    [
      "> ## a\n\n- ## b\n",
      '<blockquote>\n<h2 id="a">a</h2>\n</blockquote>\n<ul>\n<li><h2 id="b">b</h2>\n</li>\n</ul>',
    ],
    ["| a | b |\n| --- | --- |\n| `c` | d |", TABLE],
    ["|  | **P** |\n| --- | --- |\n| a | b |", NO_FIRST_HEADING],
    // An operation as a heading.
    [
      "### `GET /api/a?b`",
      '<h3 id="get-api-a-b"><span class="method get">GET</span> <code>/api/a?b</code></h3>',
    ],
    ["### `GET` /a", '<h3 id="get-a"><code>GET</code> /a</h3>'],
  ] as const
) {
  Deno.test(`renderMarkdown() renders ${JSON.stringify(markdown)}`, async () => {
    equal(await html(markdown), expected);
  });
}

Deno.test("renderMarkdown() replaces unsafe links by their text", async () => {
  for (const href of ["/docs#a", "#a", "https://a.example/?a=1&b=2", "mailto:a@b.example"]) {
    const escaped = href.replace("&", "&amp;");
    equal(await html(`[text](${href} "t")`), `<p><a href="${escaped}" title="t">text</a></p>`);
  }
  for (const href of ["javascript:a", "java&#115;cript:a", "ftp://a.example/", "//a.example/"]) {
    equal(await html(`see [the *text*](${href})`), "<p>see the <em>text</em></p>", href);
  }
});

Deno.test("renderMarkdown() returns unique ASCII ids of headings, and all link targets", async () => {
  const { headings, hrefs } = await renderMarkdown(
    "# Größe & `Über`sicht\n## Links\n## Links\n### ???\n## [Link](/a) *here* ![b](https://b.example)",
  );
  deepEqual(headings, [
    { depth: 1, id: "groesse-uebersicht" },
    { depth: 2, id: "links" },
    { depth: 2, id: "links-2" },
    { depth: 3, id: "section" },
    { depth: 2, id: "link-here-b" },
  ]);
  deepEqual([...new Set(hrefs)], ["/a", "https://b.example"]);
});

Deno.test("tables have unique names without markup", async () => {
  const table = '| `<a>` "b" | [c](/c) |\n| --- | --- |\n';
  const names = [...(await html(`${table}\n${table}`)).matchAll(/aria-label="(.*?)"/g)];
  const name = "&lt;a&gt; &quot;b&quot;, c";
  deepEqual(names.map(([, each]) => each), [name, `${name} 2`]);
});
