/** @module Front matter: what is read from it, and what is refused with file and line. */

import assert from "node:assert/strict";
import { splitFrontMatter } from "../../site/front_matter.ts";

const HEAD = "---\ntitle: T\ndescription: D\nupdated: 2026-11-21\n";

Deno.test("front matter is split from the body, with the line where the body starts", () => {
  assert.deepEqual(splitFrontMatter(`${HEAD}nav: 2\n---\n\n# Body\n`, "en/a.md"), {
    frontMatter: {
      title: "T",
      description: "D",
      updated: "2026-11-21",
      nav: 2,
      footer: undefined,
      label: undefined,
      layout: "text",
    },
    lines: { title: 2, description: 3, updated: 4, nav: 5 },
    body: "# Body\n",
    bodyLine: 8,
  });
});

Deno.test("a page can have a short name for menus and a layout", () => {
  const { frontMatter } = splitFrontMatter(`${HEAD}label: "L: l"\nlayout: docs\n---\n`, "en/a.md");
  assert.equal(frontMatter.label, "L: l");
  assert.equal(frontMatter.layout, "docs");
});

Deno.test("a byte order mark and carriage returns change nothing", () => {
  const unix = splitFrontMatter(`${HEAD}---\nBody\n`, "en/a.md");
  const windows = `\uFEFF${HEAD}---\nBody\n`.replaceAll("\n", "\r\n");
  assert.deepEqual(splitFrontMatter(windows, "en/a.md"), unix);
});

for (
  const [written, title] of [
    ["It's 5 o'clock, almost", "It's 5 o'clock, almost"],
    ['"A: b # \\"c\\" \\u00e4"', 'A: b # "c" ä'],
    ["'It''s: here'", "It's: here"],
    ['"42"', "42"],
    ["42 reasons", "42 reasons"],
    ["a#b", "a#b"],
  ] as const
) {
  Deno.test(`a value means what it means in YAML: ${written}`, () => {
    const source =
      `---\n# a comment\n\ntitle:  ${written}  \ndescription: D\nupdated: 2026-11-21\n---\n`;
    assert.equal(splitFrontMatter(source, "en/a.md").frontMatter.title, title);
  });
}

const FAULTS: readonly { source: string; message: string }[] = [
  { source: "# No front matter\n", message: "1: front matter between two `---` lines is missing" },
  { source: "---\ntitle: T\n", message: "1: front matter between two `---` lines is missing" },
  { source: "---\ntitle: T\n---\n", message: "3: front matter lacks `description`" },
  { source: "---\ntitle: T\ndescription: D\n---\n", message: "4: front matter lacks `updated`" },
  { source: "---\n- a\n---\n", message: "2: front matter is not in the form `name: value`" },
  {
    source: "---\ntitle:\n  T\n---\n",
    message: "2: front matter is not in the form `name: value`",
  },
  { source: `${HEAD}title: U\n---\n`, message: "5: front matter holds `title` twice" },
  {
    source: `${HEAD}colour: red\n---\n`,
    message:
      "5: front matter holds a member other than title, description, updated, nav, footer, label, layout",
  },
  { source: `${HEAD}nav: first\n---\n`, message: "5: `nav` is not a whole number" },
  { source: `${HEAD}footer: last\n---\n`, message: "5: `footer` is not a whole number" },
  { source: `${HEAD}label: ""\n---\n`, message: "5: `label` is not one line of text" },
  { source: `${HEAD}label: 404\n---\n`, message: "5: `label` has to stand in double quotes" },
  {
    source: `${HEAD}layout: wide\n---\n`,
    message: "5: `layout` is not one of text, docs, landing",
  },
  {
    source: "---\ntitle: T\nupdated: 2026-02-30\ndescription: D\n---\n",
    message: "3: `updated` is not a day in the form YYYY-MM-DD",
  },
  {
    source: '---\ntitle: T\ndescription: " "\nupdated: 2026-11-21\n---\n',
    message: "3: `description` is not one line of text",
  },
  ...[
    "[T]",
    "a: b",
    "a #b",
    "{{site_name}}",
    '"open',
    "'it's'",
    "*a",
    "|",
    "true",
    "12",
    "0x1f",
    "~",
  ]
    .map((title) => ({
      source: `---\ntitle: ${title}\ndescription: D\nupdated: 2026-11-21\n---\n`,
      message: "2: `title` has to stand in double quotes",
    })),
];

for (const { source, message } of FAULTS) {
  Deno.test(`front matter is refused: ${message} in ${JSON.stringify(source)}`, () => {
    assert.throws(() => splitFrontMatter(source, "en/a.md"), {
      name: "PageFault",
      message: `Cannot read static/pages/en/a.md:${message}`,
    });
  });
}
