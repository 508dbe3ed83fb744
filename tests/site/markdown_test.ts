/** @module Markdown to HTML: shapes and blocks of code. `injection_test.ts` tests hostile markdown. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { renderMarkdown } from "../../site/markdown.ts";
import { elementsOf } from "../support/html.ts";

async function html(markdown: string): Promise<string> {
  return (await renderMarkdown(markdown)).html.trim();
}

const TABLE = '<div class="table" role="group" aria-label="a, b" tabindex="0"><table><thead><tr>' +
  '<th scope="col">a</th><th scope="col">b</th></tr></thead><tbody>\n' +
  "<tr><td><code>c</code></td><td>d</td></tr>\n</tbody></table></div>";

const NO_FIRST_HEADING =
  '<div class="table" role="group" aria-label="P" tabindex="0"><table><thead>' +
  '<tr><td></td><th scope="col"><strong>P</strong></th></tr></thead><tbody>\n' +
  '<tr><th scope="row">a</th><td data-column="P">b</td></tr>\n</tbody></table></div>';

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
    // An unsafe link becomes its text.
    ["see [the *text*](ftp://a.example/)", "<p>see the <em>text</em></p>"],
    ['[a](mailto:a@b.example "t")', '<p><a href="mailto:a@b.example" title="t">a</a></p>'],
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
  ["- **a** b. *c*\n- **d** e. *f*\n", '<ul class="rows">'],
  // Quotes.
  ["> **a.** b\n", '<blockquote class="statement">'],
  ["> a **b**\n", "<blockquote>"],
  ["> - **a**\n", "<blockquote>"],
  ["> **a** b\n>\n> **c** · **d**\n", '<figure class="decision">'],
  ["> **a** b\n>\n> - c\n>\n> [**d**](/d) · **[e](/e)**\n", '<figure class="screen">'],
  ["> **a** b\n>\n> - c\n>\n> **[d](/d)** · **[e](/e)**\n", '<figure class="decision">'],
  ["> **a** *b*\n>\n> - c\n", '<figure class="screen">'],
  ["> a\n>\n> - **c**\n", "<blockquote>"],
  ["> **a**\n>\n> c **d**\n", '<blockquote class="statement">'],
  ["> - a\n>\n> **c** · **d**\n", "<blockquote>"],
  ["> **a** · **b**\n", '<blockquote class="statement">'],
] as const;

Deno.test("lists and quotes have the shapes that their markdown suggests", async () => {
  for (const [markdown, start] of SHAPES) {
    equal((await html(markdown)).split("\n", 1)[0], start, markdown);
  }
});

Deno.test("the full stop of an item's name is marked, and none of another sentence", async () => {
  const stop = '<span class="stop">.</span>';
  for (
    const [markdown, names] of [
      ["- **a.** b **c.**\n- **d** e **f.**\n", [`a${stop}`, "c.", "d", "f."]],
      [`1. ${ICON} **[a](/a).** b\n`, [`<a href="/a">a</a>${stop}`]],
      ["- **a.** b\n\n- **c?** d\n", [`a${stop}`, "c?"]],
      ["> **a.** b **c.**\n", [`a${stop}`, "c."]],
      ["- a **b.**\n", ["b."]],
      ["**a.** b\n", ["a."]],
    ] as const
  ) {
    const found = [...(await html(markdown)).matchAll(/<strong>(.*?)<\/strong>/g)];
    deepEqual(found.map(([, name]) => name), names, markdown);
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

function block(info: string, text = "x"): string {
  return `\`\`\`${info}\n${text}\n\`\`\`\n`;
}

const PRE = (language: string) =>
  `<pre tabindex="0"><code class="language-${language}">x\n</code></pre>\n`;
const RADIO = '<input type="radio" name="code-1"';

const GROUPS: readonly (readonly [blocks: readonly string[], expected: string])[] = [
  [["text"], `<div class="code">\n<span class="tab">text</span>${PRE("text")}</div>\n`],
  [[""], '<div class="code">\n<pre tabindex="0"><code>x\n</code></pre>\n</div>\n'],
  [
    ["bash curl", "go A & B"],
    '<div class="code" role="group" aria-label="curl, A &amp; B">\n' +
    `<label class="tab">${RADIO} checked>curl</label>${PRE("bash")}` +
    `<label class="tab">${RADIO}>A &amp; B</label>${PRE("go")}</div>\n`,
  ],
  [
    ["json 200 a", "json 400 b", "json 500 c"],
    '<div class="code">\n<select aria-label="Response"><option>200 a</option>' +
    "<option>400 b</option><option>500 c</option></select>\n" +
    `<span class="tab status-2">200 a</span>${PRE("json")}` +
    `<span class="tab status-4">400 b</span>${PRE("json")}` +
    `<span class="tab status-5">500 c</span>${PRE("json")}</div>\n`,
  ],
  [
    ["json 404 Not Found", "bash curl"],
    `<div class="exchange">\n<div class="code">\n<span class="tab">curl</span>${
      PRE("bash")
    }</div>\n` +
    `<div class="code">\n<span class="tab status-4">404 Not Found</span>${
      PRE("json")
    }</div>\n</div>\n`,
  ],
];

Deno.test("consecutive blocks are tabs; those that begin with a status stand beside them", async () => {
  for (const [infos, expected] of GROUPS) {
    equal(await html(infos.map((info) => block(info)).join("\n")), expected.trimEnd());
  }
});

Deno.test("tabs of two groups are independent; a paragraph or a block without label ends one", async () => {
  const two = `${block("js a")}${block("ts b")}`;
  const alone = await html(["js", "js a", "js", "js b"].map((info) => block(info)).join(""));
  deepEqual([alone.split("<pre").length - 1, alone.includes("<input")], [4, false]);
  const inputs = elementsOf(await html(`${two}\nText\n\n${two}\n- a\n\n  \`\`\`\n  b\n  \`\`\`\n`))
    .filter(({ name }) => name === "input").map(({ attributes }) => attributes);
  deepEqual(inputs.map(({ name }) => name), ["code-1", "code-1", "code-2", "code-2"]);
  deepEqual(inputs.map(({ checked }) => checked), ["", undefined, "", undefined]);
});

const COLOURS: readonly (readonly [language: string, text: string, parts: readonly string[]])[] = [
  ["bash", "curl -X GET 1 'a <b>' # c", ["curl -X GET 1 <s>'a &lt;b&gt;'</s> <c># c</c>"]],
  ["json", '{"a": "b", "c": [1, null]}', ['<p>"a"</p>: <s>"b"</s>', "<n>1</n>, <k>null</k>"]],
  ["js", 'const a = await b.c("d"); // e', [
    "<k>const</k> a = <k>await</k> b.c(<s>",
    "<c>// e</c>",
  ]],
  ["ts", 'import type { A } from "b";', ["<k>import</k> <k>type</k>", '<s>"b"</s>']],
  ["python", "with a as b:  # c", ["<k>with</k> a <k>as</k> b:  <c># c</c>"]],
  ["go", "func a() { b := `c` }", ["<k>func</k>", "<s>`c`</s>"]],
  ["http", 'HTTP/1.1 200 OK\nA-B: c\n\n{"d": 1}', ["\n<p>A-B</p>: c", '{<p>"d"</p>: <n>1</n>}']],
  ["yaml", "a: 3.1.1\n- b-c:\n", ["<p>a</p>: 3.1.1\n<p>- b-c</p>:\n"]],
  ["unknown", 'if "a"', ['if "a"']],
];

Deno.test("code of every language is coloured by classes, which the stylesheet knows", async () => {
  const css = await Deno.readTextFile(new URL("../../static/styles/code.css", import.meta.url));
  for (const [language, text, parts] of COLOURS) {
    const rendered = await html(block(language, text));
    const short = rendered.replace(/<span class="([^l])">(.*?)<\/span>/gs, "<$1>$2</$1>");
    for (const part of parts) ok(short.includes(part), `${part}\n${short}`);
    for (const [, name] of rendered.matchAll(/<span class="(\w)">/g)) {
      match(css, RegExp(`^ *\\.${name} `, "m"));
    }
  }
});

Deno.test("long lines of responses are marked, so that what wraps can be indented", async () => {
  const text = `[\n"${"<".repeat(30)}",\n1]`;
  match(await html(block("json", text)), /\n<span class="l"><.*>,<\/span>\n<span class="n">1/);
  ok(!(await html(block("js", text))).includes('class="l"'));
});

/** What makes careless expressions take for ever. */
const ODD = [
  ..."\"'`/<({[\\#$&*=.:-? \nab0",
  ...["a<", "/[", "`${", "<a ", "/*", '"\n', "a.b(", "</", "=>", "${", "<!--", "A: "],
];

// Code that takes exponential time would not end.
Deno.test("odd code keeps its text; code of more than 4,000 characters is not coloured", async () => {
  for (const [language] of COLOURS) {
    for (const part of ODD) {
      const text = `a${part.repeat(4_000 / part.length - 1)}b`;
      const rendered = await html(`~~~~${language}\n${text}\n~~~~\n`);
      const shown = elementsOf(rendered).find(({ name }) => name === "pre")!.text;
      equal(shown, `${text}\n`, `${language} ${part}`);
    }
  }
  const isPainted = async (count: number) =>
    (await html(block("js", "if ".repeat(count)))).includes('<span class="k"');
  deepEqual([await isPainted(1_000), await isPainted(2_000)], [true, false]);
});
