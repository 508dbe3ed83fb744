/** @module Front matter: what is read from it, and what is refused with file and line. */

import assert from "node:assert/strict";
import { splitFrontMatter } from "../../site/front_matter.ts";

const HEAD = "---\ntitle: T\ndescription: D\nupdated: 2026-11-21\n";

Deno.test("front matter is split from the body, with the line where the body starts", async () => {
  assert.deepEqual(await splitFrontMatter(`${HEAD}nav: 2\n---\n\n# Body\n`, "en/a.md"), {
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

Deno.test("a page can have a short name for menus and a layout", async () => {
  const source = `${HEAD}label: "L: l"\nlayout: docs\n---\n`;
  const { frontMatter } = await splitFrontMatter(source, "en/a.md");
  assert.equal(frontMatter.label, "L: l");
  assert.equal(frontMatter.layout, "docs");
});

Deno.test("a byte order mark and carriage returns change nothing", async () => {
  const unix = await splitFrontMatter(`${HEAD}---\nBody\n`, "en/a.md");
  const windows = `\uFEFF${HEAD}---\nBody\n`.replaceAll("\n", "\r\n");
  assert.deepEqual(await splitFrontMatter(windows, "en/a.md"), unix);
});

for (
  const [written, title] of [
    ["It's 5 o'clock, almost", "It's 5 o'clock, almost"],
    ['"A: b # \\"c\\" \\u00e4"', 'A: b # "c" ä'],
    ["'It''s: here'", "It's: here"],
    ['"42"', "42"],
    ["42 reasons", "42 reasons"],
    ["a#b", "a#b"],
    ["a  ", "a"],
    ["a #b", "a"],
    ["T\n  continued", "T continued"],
    [">-\n  T\n  folded", "T folded"],
    ["no", "no"],
    ["Yes", "Yes"],
    ["on", "on"],
    ["2026-11-21", "2026-11-21"],
    ["12:30:45", "12:30:45"],
    ["1_000", "1_000"],
    ["0777x", "0777x"],
    ["<<", "<<"],
    ["!!str 42", "42"],
    ["__proto__", "__proto__"],
  ] as const
) {
  Deno.test(`a value is what YAML 1.2 says: ${JSON.stringify(written)}`, async () => {
    const source =
      `---\n# a comment\n\ntitle:  ${written}\ndescription: D\nupdated: 2026-11-21\n---\n`;
    const { frontMatter, lines } = await splitFrontMatter(source, "en/a.md");
    assert.equal(frontMatter.title, title);
    assert.equal(lines["title"], 4);
  });
}

const LINE = "must be one line of text, in quotes where YAML reads it as something else";
const PLACE = "must be a whole number from 0 to 9999";
const UNKNOWN =
  "front matter holds a member other than title, description, updated, nav, footer, label, layout";

/** The rest of a head that begins with the title. */
const REST = "description: D\nupdated: 2026-11-21\n---\n";

/** Nine levels of ten aliases each: a thousand million, were they followed. */
const BOMB = Array.from({ length: 9 }, (_, level) => {
  const items = level === 0 ? "x" : `*a${level - 1}`;
  return `a${level}: &a${level} [${Array.from({ length: 10 }, () => items).join(", ")}]\n`;
}).join("");

const FAULTS: readonly { source: string; faults: readonly string[] }[] = [
  { source: "# No front matter\n", faults: ["1: front matter between two `---` lines is missing"] },
  { source: "---\ntitle: T\n", faults: ["1: front matter between two `---` lines is missing"] },
  {
    source: "---\ntitle: T\n---\n",
    faults: ["3: front matter lacks `description`", "3: front matter lacks `updated`"],
  },
  { source: "---\n- a\n---\n", faults: ["2: front matter is not in the form `name: value`"] },
  { source: "---\n\n---\n", faults: ["2: front matter is not in the form `name: value`"] },
  { source: `${HEAD}title: U\n---\n`, faults: ["5: front matter: Map keys must be unique"] },
  { source: `${HEAD}"title": U\n---\n`, faults: ["5: front matter: Map keys must be unique"] },
  { source: `${HEAD}colour: red\n---\n`, faults: [`5: ${UNKNOWN}`] },
  { source: `${HEAD}__proto__: red\n---\n`, faults: [`5: ${UNKNOWN}`] },
  { source: `${HEAD}constructor: red\n---\n`, faults: [`5: ${UNKNOWN}`] },
  { source: `${HEAD}<<: {title: U}\n---\n`, faults: [`5: ${UNKNOWN}`] },
  { source: `${HEAD}? [nav]\n: 1\n---\n`, faults: [`2: ${UNKNOWN}`] },
  { source: `${HEAD}nav: first\n---\n`, faults: [`5: \`nav\` ${PLACE}`] },
  { source: `${HEAD}nav: "1"\n---\n`, faults: [`5: \`nav\` ${PLACE}`] },
  { source: `${HEAD}nav: 1.5\n---\n`, faults: [`5: \`nav\` ${PLACE}`] },
  { source: `${HEAD}nav: -1\n---\n`, faults: [`5: \`nav\` ${PLACE}`] },
  { source: `${HEAD}nav: .inf\n---\n`, faults: [`5: \`nav\` ${PLACE}`] },
  { source: `${HEAD}nav:\n---\n`, faults: [`5: \`nav\` ${PLACE}`] },
  { source: `${HEAD}footer: 10000\n---\n`, faults: [`5: \`footer\` ${PLACE}`] },
  { source: `${HEAD}label: ""\n---\n`, faults: [`5: \`label\` ${LINE}`] },
  { source: `${HEAD}label: 404\n---\n`, faults: [`5: \`label\` ${LINE}`] },
  {
    source: `${HEAD}layout: wide\n---\n`,
    faults: ["5: `layout` must be one of text, docs, landing"],
  },
  {
    source: "---\ntitle: T\nupdated: 2026-02-30\ndescription: D\n---\n",
    faults: ["3: `updated` must be a day in the form YYYY-MM-DD"],
  },
  {
    source: '---\ntitle: 1\ndescription: " "\nupdated: 2026-11-21T00:00:00Z\n---\n',
    faults: [
      `2: \`title\` ${LINE}`,
      `3: \`description\` ${LINE}`,
      "4: `updated` must be a day in the form YYYY-MM-DD",
    ],
  },
  ...[
    "[T]",
    "{{site_name}}",
    "{a: b}",
    "*a",
    "|\n  T",
    '"T\\nU"',
    "true",
    "12",
    "0x1f",
    "1e3",
    "~",
    "null",
    "",
  ]
    .map((title) => ({
      source: `---\ntitle: ${title}\n${REST}`,
      faults: [`2: \`title\` ${LINE}`],
    })),
  { source: `---\ntitle: &t T\nlabel: *t\n${REST}`, faults: [`3: \`label\` ${LINE}`] },
  {
    source: `---\n${BOMB}title: T\n${REST}`,
    faults: Array.from(BOMB.trim().split("\n"), (_, at) => `${at + 2}: ${UNKNOWN}`),
  },
];

for (const { source, faults } of FAULTS) {
  Deno.test(`front matter is refused: ${faults[0]} in ${JSON.stringify(source).slice(0, 99)}`, () =>
    assert.rejects(splitFrontMatter(source, "en/a.md"), {
      name: "PageFault",
      places: faults.map((fault) => `static/pages/en/a.md:${fault}`),
    }));
}

for (const title of ["a: b", '"open', "'it's'", "@a", "`a`", "%a", "!nope T", "T\n\tU: 1"]) {
  Deno.test(`front matter that is no sound YAML is refused at its line: title: ${title}`, () =>
    assert.rejects(splitFrontMatter(`---\ntitle: ${title}\n${REST}`, "en/a.md"), {
      name: "PageFault",
      message: /^Cannot read static\/pages\/en\/a\.md:[23]: front matter: [A-Z]/,
    }));
}
