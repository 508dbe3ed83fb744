/** @module Markdown to HTML: nothing that an author writes becomes markup of their own. */

import assert from "node:assert/strict";
import { renderMarkdown } from "../../site/markdown.ts";

async function html(markdown: string): Promise<string> {
  return (await renderMarkdown(markdown)).html.trim();
}

/** What an author may write, on purpose or not; none of it may come out as markup of their own. */
const HOSTILE = [
  "<script>alert(1)</script>",
  "text <b onclick=alert(1)>bold</b>",
  "<div>\n\n<img src=x onerror=alert(1)>\n\n</div>",
  "<!-- <script>alert(1)</script> -->",
  // After these the parser would pass on text as it is.
  "<kbd> <img src=x onerror=alert(1) ",
  "<pre>\n<img src=x onerror=alert(1) \n",
  "<script> <svg onload=alert(1) ",
  "# <img src=x onerror=alert(1)>",
  "| <script>a</script> | b |\n| --- | --- |\n| <iframe src=x> | c |",
  "- <script>a</script>",
  "> <script>a</script>",
  "[<img src=x onerror=alert(1)>](/docs)",
  '[a](/docs "\\" onmouseover=alert(1) x=\\"")',
  '![" onerror="alert(1)](/assets/a.png)',
  '![a](/assets/a.png"onerror="alert(1))',
  '```"><script>alert(1)</script>\n<script>\n```',
  "`<script>`",
  '<https://a.example/"onmouseover=alert(1)>',
  "http://a.example/<script>",
];

for (const markdown of HOSTILE) {
  Deno.test(`raw HTML comes out as text: ${JSON.stringify(markdown)}`, async () => {
    const rendered = await html(markdown);
    const tags = rendered.match(/<[^>]*>/g) ?? [];
    for (const tag of tags) {
      const bare = tag.replace(/"[^"]*"/g, '""');
      assert.match(
        bare,
        /^<\/?(?:a|blockquote|code|div|em|h1|img|li|p|pre|strong|table|t[dhr]|tbody|thead|ul)\b/,
      );
      assert.doesNotMatch(bare, /\son\w+|src=(?!"")/);
    }
    assert.doesNotMatch(rendered.replace(/<[^>]*>/g, ""), /[<>]/);
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
