/** @module Front matter: what is read from it, and what is refused with file and line. */

import { deepStrictEqual as deepEqual, rejects, strictEqual as equal } from "node:assert/strict";
import { splitFrontMatter } from "../../site/front_matter.ts";

const HEAD = "---\ntitle: T\ndescription: D\nupdated: 2026-11-21\n";

Deno.test("front matter is split from the body, with the line where the body starts", async () => {
  deepEqual(await splitFrontMatter(`${HEAD}nav: 2\n---\n\n# Body\n`, "en/a.md"), {
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
  const source = `${HEAD}label: "L: l"\nlayout: docs\nfooter: 9999\n---\n`;
  const { label, layout, footer } = (await splitFrontMatter(source, "en/a.md")).frontMatter;
  deepEqual([label, layout, footer], ["L: l", "docs", 9999]);
});

Deno.test("a byte order mark and carriage returns change nothing", async () => {
  const unix = await splitFrontMatter(`${HEAD}---\nBody\n`, "en/a.md");
  const windows = `\uFEFF${HEAD}---\nBody\n`.replaceAll("\n", "\r\n");
  deepEqual(await splitFrontMatter(windows, "en/a.md"), unix);
});

/** What is written as a title, and what it is by YAML 1.2. */
const TITLES: readonly (readonly [written: string, title: string])[] = [
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
];

Deno.test("a value is what YAML 1.2 says", async () => {
  const rest = "description: D\nupdated: 2026-11-21\n---\n";
  for (const [written, title] of TITLES) {
    const source = `---\n# a comment\n\ntitle:  ${written}\n${rest}`;
    const { frontMatter, lines } = await splitFrontMatter(source, "en/a.md");
    equal(frontMatter.title, title);
    equal(lines["title"], 4);
  }
});

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

/** A source and the faults that are named. */
const FAULTS: readonly (readonly [source: string, ...faults: string[]])[] = [
  ["# No front matter\n", "1: front matter between two `---` lines is missing"],
  ["---\ntitle: T\n", "1: front matter between two `---` lines is missing"],
  [
    "---\ntitle: T\n---\n",
    "3: front matter lacks `description`",
    "3: front matter lacks `updated`",
  ],
  ["---\n- a\n---\n", "2: front matter is not in the form `name: value`"],
  ["---\n\n---\n", "2: front matter is not in the form `name: value`"],
  [`${HEAD}title: U\n---\n`, "5: front matter: Map keys must be unique"],
  [`${HEAD}"title": U\n---\n`, "5: front matter: Map keys must be unique"],
  ...["colour: red", "__proto__: red", "constructor: red", "<<: {title: U}"]
    .map((line) => [`${HEAD}${line}\n---\n`, `5: ${UNKNOWN}`] as const),
  [`${HEAD}? [nav]\n: 1\n---\n`, `2: ${UNKNOWN}`],
  ...["first", '"1"', "1.5", "-1", ".inf", "", "10000"]
    .map((nav) => [`${HEAD}nav: ${nav}\n---\n`, `5: \`nav\` ${PLACE}`] as const),
  [`${HEAD}footer: 10000\n---\n`, `5: \`footer\` ${PLACE}`],
  [`${HEAD}label: ""\n---\n`, `5: \`label\` ${LINE}`],
  [`${HEAD}label: 404\n---\n`, `5: \`label\` ${LINE}`],
  [`${HEAD}layout: wide\n---\n`, "5: `layout` must be one of text, docs, landing"],
  ...["2026-02-30", "2026-13-01", "21.11.2026"].map((day) =>
    [
      `---\ntitle: T\nupdated: ${day}\ndescription: D\n---\n`,
      "3: `updated` must be a day in the form YYYY-MM-DD",
    ] as const
  ),
  [
    '---\ntitle: 1\ndescription: " "\nupdated: 2026-11-21T00:00:00Z\n---\n',
    `2: \`title\` ${LINE}`,
    `3: \`description\` ${LINE}`,
    "4: `updated` must be a day in the form YYYY-MM-DD",
  ],
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
    "",
  ]
    .map((title) => [`---\ntitle: ${title}\n${REST}`, `2: \`title\` ${LINE}`] as const),
  [`---\ntitle: &t T\nlabel: *t\n${REST}`, `3: \`label\` ${LINE}`],
  [
    `---\n${BOMB}title: T\n${REST}`,
    ...BOMB.trim().split("\n").map((_, at) => `${at + 2}: ${UNKNOWN}`),
  ],
];

Deno.test("front matter is refused with each fault at its line", async () => {
  for (const [source, ...faults] of FAULTS) {
    await rejects(
      splitFrontMatter(source, "en/a.md"),
      { name: "PageFault", places: faults.map((fault) => `static/pages/en/a.md:${fault}`) },
      source,
    );
  }
});

Deno.test("front matter that is no sound YAML is refused at its line", async () => {
  for (const title of ["a: b", '"open', "'it's'", "@a", "`a`", "%a", "!nope T", "T\n\tU: 1"]) {
    await rejects(splitFrontMatter(`---\ntitle: ${title}\n${REST}`, "en/a.md"), {
      name: "PageFault",
      message: /^Cannot read static\/pages\/en\/a\.md:[23]: front matter: [A-Z]/,
    });
  }
});
