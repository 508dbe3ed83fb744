/** @module Blocks of code: panels, tabs, requests beside responses, colours. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { renderMarkdown } from "../../site/markdown.ts";
import { elementsOf } from "../support/html.ts";

async function html(markdown: string): Promise<string> {
  return (await renderMarkdown(markdown)).html;
}

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
    equal(await html(infos.map((info) => block(info)).join("\n")), expected);
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
