/**
 * @module Markdown to HTML: what an author writes, and what it becomes. That nothing hostile comes out
 * is `injection_test.ts`.
 */

import assert from "node:assert/strict";
import { renderMarkdown } from "../../site/markdown.ts";

async function html(markdown: string): Promise<string> {
  return (await renderMarkdown(markdown)).html.trim();
}

for (
  const [markdown, expected] of [
    ["a <b onclick=x>b</b>", "<p>a &lt;b onclick=x&gt;b&lt;/b&gt;</p>"],
    ["<div>\n\n*a*\n\n</div>", "<p>&lt;div&gt;</p>\n<p><em>a</em></p>\n<p>&lt;/div&gt;</p>"],
    ["<!-- a -->", "<p>&lt;!-- a --&gt;</p>"],
    ["`<script>`", "<p><code>&lt;script&gt;</code></p>"],
  ] as const
) {
  Deno.test(`raw HTML comes out as the text that it is: ${JSON.stringify(markdown)}`, async () => {
    assert.equal(await html(markdown), expected);
  });
}

const REFUSED = [
  "javascript:alert(1)",
  "JavaScript:alert(1)",
  "java&#115;cript:alert(1)",
  "&#106;avascript:alert(1)",
  "data:text/html,x",
  "vbscript:x",
  "file:///etc/passwd",
  "ftp://a.example/",
  "//a.example/",
  "/\\a.example/",
  "docs",
  "../docs",
  "http:/docs",
];

for (const href of REFUSED) {
  Deno.test(`a link is refused and its text stays: ${href}`, async () => {
    assert.equal(await html(`see [the *text*](${href})`), "<p>see the <em>text</em></p>");
  });
}

for (const href of ["/docs", "/docs#a", "#a", "https://a.example/?a=1&b=2", "mailto:a@b.example"]) {
  Deno.test(`a link is kept: ${href}`, async () => {
    const escaped = href.replace("&", "&amp;");
    assert.equal(await html(`[text](${href})`), `<p><a href="${escaped}">text</a></p>`);
  });
}

Deno.test("an image of this site is kept, another becomes its alternative text", async () => {
  assert.equal(
    await html('![a & b](/assets/a.svg "t")'),
    '<p><img src="/assets/a.svg" alt="a &amp; b" title="t"></p>',
  );
  assert.equal(await html("![a & b](https://a.example/a.svg)"), "<p>a &amp; b</p>");
});

Deno.test("headings get ids of ASCII letters, each once", async () => {
  const { headings } = await renderMarkdown(
    "# Größe & `Über`sicht\n## Links\n## Links\n### ???\n## [Link](/a) *here*",
  );
  assert.deepEqual(headings, [
    { depth: 1, id: "groesse-uebersicht" },
    { depth: 2, id: "links" },
    { depth: 2, id: "links-2" },
    { depth: 3, id: "section" },
    { depth: 2, id: "link-here" },
  ]);
});

Deno.test("a section opens with each level-2 heading and takes its name from it", async () => {
  assert.equal(
    await html("# A\n\na\n\n## B\n\n### C\n\nc\n\n## B\n\n[ref]\n\n[ref]: /docs\n"),
    '<h1 id="a">A</h1>\n<p>a</p>\n' +
      '<section aria-labelledby="b">\n<h2 id="b">B</h2>\n<h3 id="c">C</h3>\n<p>c</p>\n</section>\n' +
      '<section aria-labelledby="b-2">\n<h2 id="b-2">B</h2>\n' +
      '<p><a href="/docs">ref</a></p>\n</section>',
  );
});

Deno.test("a heading within another block opens no section", async () => {
  assert.doesNotMatch(await html("> ## a\n\n- ## b\n"), /section/);
});

Deno.test("a list is cards or steps if, and only if, every item begins in bold", async () => {
  const start = async (markdown: string) => (await html(markdown)).split("\n", 1)[0];
  assert.equal(await start("- **a.** b\n- **[c](/c).** d\n"), '<ul class="cards">');
  assert.equal(await start("- **a.** b\n\n- **c.** d\n\n  e\n"), '<ul class="cards">');
  assert.equal(await start("1. **a.** b\n2. **c.** d\n"), '<ol class="steps">');
  assert.equal(await start("3. **a.** b\n"), '<ol start="3" class="steps">');
  assert.equal(await start("- **a.** b\n- c **d**\n"), "<ul>");
  assert.equal(await start("3. a\n4. b\n"), '<ol start="3">');
  assert.equal(await start("- [a](/a)\n-\n"), "<ul>");
});

Deno.test("a table has header cells and a name, and can be scrolled by keyboard", async () => {
  assert.equal(
    await html("| a | b |\n| --- | --- |\n| `c` | d |"),
    '<div class="table" role="group" aria-label="a, b" tabindex="0"><table><thead><tr>' +
      '<th scope="col">a</th><th scope="col">b</th></tr></thead><tbody>\n' +
      "<tr><td><code>c</code></td><td>d</td></tr>\n</tbody></table></div>",
  );
});

Deno.test("where a table's first column has no heading, its cells are headings of rows", async () => {
  const table = await html("|  | **P** |\n| --- | --- |\n| a | b |");
  assert.ok(table.includes('<tr><td></td><th scope="col"><strong>P</strong></th></tr>'), table);
  assert.ok(table.includes('<tr><th scope="row">a</th><td>b</td></tr>'), table);
  assert.ok(table.includes('aria-label="P"'), table);
});

Deno.test("the names of tables are text, each once", async () => {
  const table = '| `<a>` "b" | [c](/c) |\n| --- | --- |\n';
  assert.deepEqual(
    [...(await html(`${table}\n${table}`)).matchAll(/aria-label="(.*?)"/g)].map(([, name]) => name),
    ["&lt;a&gt; &quot;b&quot;, c", "&lt;a&gt; &quot;b&quot;, c 2"],
  );
});

Deno.test("a code block keeps its text and names its language", async () => {
  assert.equal(
    await html("```js\na < b && c;\n```"),
    '<pre tabindex="0"><code class="language-js">a &lt; b &amp;&amp; c;\n</code></pre>',
  );
});
