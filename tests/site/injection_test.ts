/** @module Hostile markdown in every context, parsed as by a browser, has only allowed elements. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { LAYOUTS } from "../../site/front_matter.ts";
import { renderMarkdown } from "../../site/markdown.ts";
import { Site } from "../../site/site.ts";
import { commentsOf, elementsOf, type HtmlElement } from "../support/html.ts";
import { FACTS, pagesOf, pageText, SITE_URL } from "./fixture.ts";

const HOSTILE: readonly string[] = [
  // Elements.
  ...["<script>alert(1)</script>", "<SCRIPT SRC=//evil.example/x.js></SCRIPT>"],
  ...["<script\n>alert(1)</script\n>", "<img src=x onerror=alert(1)>"],
  ...["<img src=x onerror=alert(1) ", '<svg onload="alert(1)"><circle/></svg>'],
  ...["<math><mtext><img src=x onerror=a></mtext></math>", "<iframe srcdoc='<script>'></iframe>"],
  ...["<style>body{background:url(javascript:a)}</style>", "<base href=https://evil.example/>"],
  "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
  "<form action=https://evil.example/><input name=a></form>",
  ...["<div style=position:fixed>x</div>", "text <b onclick=alert(1)>bold</b>"],
  "<div>\n\n<img src=x onerror=alert(1)>\n\n</div>",
  // Unclosed; after these a markdown parser emits text unescaped.
  ...["<kbd> <img src=x onerror=alert(1) ", "<pre>\n<img src=x onerror=alert(1) \n"],
  // Sections that parsers skip, and how they end.
  ...["<!-- <script>alert(1)</script> -->", "<![CDATA[<script>alert(1)</script>]]>"],
  ...["<!DOCTYPE html><script>alert(1)</script>", "</main></body></html><script>alert(1)</script>"],
  ...["</title></head><script>alert(1)</script>", "<pre>\n<script>alert(1)</script>\n</pre>"],
  "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
  ...["<scr<script>ipt>alert(1)</scr</script>ipt>", "&lt;script&gt;alert(1)&lt;/script&gt;"],
  ...["\\<script>alert(1)\\</script>", "\u0000<script\u0000>alert(1)</script>"],
  // Every form of link.
  ...["[a](javascript:alert(1))", "[a](JaVaScRiPt:alert(1))", "[a](<java\tscript:alert(1)>)"],
  ...["[a](<java&NewLine;script:alert(1)>)", "[a](\u0001javascript:alert(1))"],
  ...["[a](javascript&colon;alert(1))", "[a](&#x6A;avascript&#58;alert(1))"],
  "[a](javascript://%0aalert(1))",
  ...["[a](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)", "[a](//evil.example/)"],
  ...["[a](/\\evil.example/)", "[a](\\\\evil.example/)", "[a][x]\n\n[x]: javascript:alert(1)"],
  "[a][x]\n\n[x]: <javascript:alert(1)> 'title'",
  ...["[x]\n\n[x]: data:text/html,<script>alert(1)</script>", "<javascript:alert(1)>"],
  ...["![a](javascript:alert(1))", "![a](data:image/svg+xml,<svg onload=alert(1)>)"],
  ...["![a](https://evil.example/pixel.gif)", "[![a](javascript:alert(1))](javascript:alert(1))"],
  // Breaking out of an attribute.
  ...['[a](/docs "\\" onmouseover=\\"alert(1)")', '[a](/docs "&quot; onmouseover=&quot;alert(1)")'],
  ...['[a](/docs"onmouseover="alert(1))', '[a](#"onmouseover="alert(1))'],
  ...['[a](mailto:a@b.example"onmouseover="alert(1))', '![" onerror="alert(1)](/assets/a.png)'],
  ...['![a](/assets/a.png"onerror="alert(1))', "http://a.example/<script>"],
  ...['https://a.example/"onmouseover="alert(1)', 'a@b.example"onmouseover="alert(1)'],
  ...['# a" onmouseover="alert(1)', '## a" onmouseover="alert(1)\n\n## <script>alert(1)</script>'],
  '```"><script>alert(1)</script>\nx\n```',
  "``` js onmouseover=alert(1)\n</code></pre><script>alert(1)</script>\n```",
  ...["`</code><script>alert(1)</script>`", "### `GET /<script>alert(1)</script>`"],
  '```js <b>" onclick="a\n"<b>"; // <b>\n```\n\n```json 400 <img src=x onerror=a>\n{"<b>": "<b>"}\n```',
  "```http 200 OK\nA: <b>\n\n<script>alert(1)</script>\n```",
  '| " onmouseover="alert(1) | <script>alert(1)</script> |\n| --- | --- |\n| <img src=x onerror=a> | [a](javascript:a) |',
  '1. **" onmouseover="alert(1).** <script>alert(1)</script>',
  "- [ ] <script>alert(1)</script>",
  // Overlapping emphasis and links.
  ...["[<script>alert(1)</script>](/docs)", "[a <b](/docs) onmouseover=alert(1)>"],
  '**[<img src=x onerror=alert(1)>](/docs "<script>")**',
];

/** Contexts in which a text may appear. Contexts of one line get it on one line. */
const PLACES: Readonly<Record<string, (text: string) => string>> = {
  alone: (text) => text,
  "in a sentence": (text) => `Before ${text} behind`,
  "in a heading": (text) => `## ${oneLine(text)}`,
  "in a list": (text) => `- ${text.replaceAll("\n", "\n  ")}`,
  "on a card": (text) => `- **${oneLine(text)}** behind`,
  "on a decision": (text) => `> ${oneLine(text)}\n>\n> **${oneLine(text)}** · **b**`,
  "as an icon": (text) => `![](/assets/a.svg#${oneLine(text)})`,
  "in a quotation": (text) => `> ${text.replaceAll("\n", "\n> ")}`,
  "in a cell": (text) => `| a | b |\n| --- | --- |\n| ${cell(text)} | b |`,
  "in the head of a table": (text) => `| ${cell(text)} | b |\n| --- | --- |\n| a | b |`,
  "in the text of a link": (text) => `[${oneLine(text)}](/docs)`,
  "in the title of a link": (text) => `[a](/docs "${oneLine(text)}")`,
  "as the target of a link": (text) => `[a](${oneLine(text)})`,
  "as the target of a link in brackets": (text) => `[a](<${oneLine(text)}>)`,
  "in a definition": (text) => `[a][x]\n\n[x]: ${oneLine(text)}`,
  "between angle brackets": (text) => `<${oneLine(text)}>`,
  "in the text of an image": (text) => `![${oneLine(text)}](/assets/a.png)`,
  "as the name of a language": (text) => `\`\`\`${oneLine(text)}\nx\n\`\`\``,
  "in a block of code": (text) => `~~~~\n${text}\n~~~~`,
  "in a code span": (text) => `\`\`${oneLine(text)}\`\``,
  "below an open comment": (text) => `<!--\n\n${text}`,
  "below an open element": (text) => `<div title="\n\n${text}`,
};

function oneLine(text: string): string {
  return text.replaceAll("\n", " ");
}

function cell(text: string): string {
  return oneLine(text).replaceAll("|", "\\|");
}

/** Allowed elements with their attributes, beside those allowed on any element. */
const ELEMENTS: Readonly<Record<string, readonly string[]>> = {
  a: ["href", "title"],
  img: ["src", "alt", "title"],
  ol: ["start"],
  input: ["type", "checked", "disabled", "name"], // of a task list, of tabs
  th: ["scope"],
  svg: ["width", "height", "aria-hidden"],
  use: ["href"],
  ...Object.fromEntries(
    ("blockquote br code del div em figcaption figure h1 h2 h3 h4 h5 h6 hr label li p pre section span " +
      "strong table tbody td thead tr ul").split(" ").map((name) => [name, []]),
  ),
};
const ANY_ELEMENT = ["id", "class", "role", "tabindex", "aria-label", "aria-labelledby"];

function assertHarmless(elements: readonly HtmlElement[], input: string): void {
  for (const { name, attributes } of elements) {
    const message = `${input}\n<${name} ${JSON.stringify(attributes)}>`;
    ok(Object.hasOwn(ELEMENTS, name), message);
    for (const [attribute, value] of Object.entries(attributes)) {
      ok([...ELEMENTS[name]!, ...ANY_ELEMENT].includes(attribute), message);
      if (attribute === "class") ok(/^[\w-]+(?: [\w-]+)?$/.test(value), message);
      if (attribute === "id") ok(/^[a-z0-9-]+$/.test(value), message);
      if (attribute === "href" || attribute === "src") assertSafeTarget(value, message);
      if (attribute === "src") equal(new URL(value, SITE_URL).origin, SITE_URL, message);
    }
  }
}

/** Checks a URL as written and as resolved by a browser. */
function assertSafeTarget(target: string, message: string): void {
  ok(/^(?:https?:\/\/|mailto:|#|\/(?![/\\]))/i.test(target), message);
  const { protocol, origin } = new URL(target, `${SITE_URL}/page`);
  ok(/^(?:https?|mailto):$/.test(protocol), message);
  if (/^[#/]/.test(target)) equal(origin, SITE_URL, message);
}

function inFragment(html: string): HtmlElement[] {
  return elementsOf(`<!doctype html><title></title><main>${html}</main>`)
    .filter(({ name }) => !["html", "head", "title", "body", "main"].includes(name));
}

for (const [place, put] of Object.entries(PLACES)) {
  Deno.test(`renderMarkdown() makes hostile text harmless: ${place}`, async () => {
    for (const hostile of HOSTILE) {
      const { html } = await renderMarkdown(put(hostile));
      const message = `${put(hostile)}\n→ ${html}`;
      assertHarmless(inFragment(html), message);
      deepEqual(commentsOf(html), [], message);
    }
  });
}

/** The active content of a document: scripts, frames, styles, forms and metadata. */
function activeContent(elements: readonly HtmlElement[]): string[] {
  return elements
    .filter(({ name, attributes }) =>
      /^(?:script|style|iframe|object|embed|base|form|meta|link|template|svg|math)$/.test(name) ||
      Object.keys(attributes).some((attribute) => /^(?:on|style$|srcdoc$)/.test(attribute))
    )
    .map(({ name, attributes: { src, href, type, rel, name: key = "", property = "" } }) =>
      [name, key || property, rel, type, src, rel === "stylesheet" ? href : ""].join(" ")
    );
}

/** Front matter refuses control characters. */
const withoutControls = (text: string) => text.replace(/\p{Cc}/gu, "\ufffd");

async function documentWith(text: string, layout: string): Promise<string> {
  const line = oneLine(text);
  const member = JSON.stringify(withoutControls(line));
  const members = ["title", "description", "label"].map((name) => [name, member]);
  const body = `# T\n\nLead\n\n## A\n\n~~~\ncode\n~~~\n\n${text}\n\n## ${line}\n\n## C\n`;
  const source = pageText(body, { ...Object.fromEntries(members), layout });
  const site = await Site.read(pagesOf({ "en/page.md": source }), FACTS);
  return await site.html(site.pages[0]!);
}

for (const layout of LAYOUTS) {
  Deno.test(`hostile text does not change the active content of a ${layout} page`, async () => {
    const expected = activeContent(elementsOf(await documentWith("Text", layout)));
    ok(expected.length > 5, expected.join("\n"));
    for (const hostile of HOSTILE) {
      const html = await documentWith(hostile, layout);
      const elements = elementsOf(html);
      deepEqual(activeContent(elements), expected, `${hostile}\n${html}`);
      deepEqual(commentsOf(html), [], hostile);
      for (const { name, attributes: { href }, text } of elements) {
        if (name === "a") assertSafeTarget(href!, hostile);
        if (name === "title") ok(text.startsWith(withoutControls(oneLine(hostile))), text);
        if (name === "script" && text !== "") ok(JSON.parse(text), text);
      }
    }
  });
}
