/** @module Front matter: what is read from it, and what is refused with file and line. */

import { deepStrictEqual as deepEqual, strictEqual as equal, throws } from "node:assert/strict";
import { splitFrontMatter } from "../../site/front_matter.ts";

const HEAD = "---\ntitle: T\ndescription: D\nupdated: 2026-11-21\n";
const REST = "description: D\nupdated: 2026-11-21\n---\n"; // after a title

Deno.test("splitFrontMatter() returns members, body and their lines", () => {
  const source = `${HEAD}label: "L: l"\nlayout: docs\nfooter: 9999\n---\n\n# Body\n`;
  const known = { title: "T", description: "D", updated: "2026-11-21" };
  deepEqual(splitFrontMatter(source, "en/a.md"), {
    frontMatter: { ...known, label: "L: l", layout: "docs", footer: 9999 },
    lines: { title: 2, description: 3, updated: 4, label: 5, layout: 6, footer: 7 },
    body: "# Body\n",
    bodyLine: 10,
    problems: [],
  });
  const plain = splitFrontMatter(`${HEAD}nav: 2\n---\n`, "en/a.md");
  deepEqual(plain.frontMatter, { ...known, nav: 2, layout: "text" });
});

Deno.test("splitFrontMatter() ignores a byte order mark and carriage returns", () => {
  const unix = splitFrontMatter(`${HEAD}---\nBody\n`, "en/a.md");
  const windows = `\uFEFF${HEAD}---\nBody\n`.replaceAll("\n", "\r\n");
  deepEqual(splitFrontMatter(windows, "en/a.md"), unix);
});

const TITLES: readonly (readonly [written: string, title: string])[] = [
  ['"A: b # \\"c\\" \\u00e4"', 'A: b # "c" ä'],
  ["'It''s: here'", "It's: here"],
  ["!!str 42", "42"],
  ["a #b", "a"],
  [">-\n  T\n  folded", "T folded"],
  ...["no", "2026-11-21", "12:30:45", "1_000", "0777x", "<<", "__proto__"]
    .map((text) => [text, text] as const),
];

Deno.test("splitFrontMatter() reads values as YAML 1.2", () => {
  for (const [written, title] of TITLES) {
    const source = `---\n# a comment\n\ntitle:  ${written}\n${REST}`;
    const { frontMatter, lines } = splitFrontMatter(source, "en/a.md");
    equal(frontMatter.title, title);
    equal(lines["title"], 4);
  }
});

const LINE =
  "must be one line of text without control characters, in quotes where YAML would read another type";
const PLACE = "must be a whole number from 0 to 9999";
const LACKS = "3: front matter needs a line";
const DAY = "`updated` must be a day in the form YYYY-MM-DD";
const UNKNOWN =
  "unknown field in front matter: it may have title, description, updated, date, translations, " +
  "nav, footer, label, layout";

/** Values that are not one line of text. */
const NO_TEXTS = [
  ...["[T]", "{{site_name}}", "{a: b}", "|\n  T", '"T\\nU"'],
  ...["true", "12", "0x1f", "1e3", "~", ""],
];

const ALIAS = "front matter: aliases such as *name are not read";

/** Nine levels of ten aliases each, a billion if resolved. */
const BOMB = Array.from({ length: 9 }, (_, level) => {
  const items = level === 0 ? "x" : `*a${level - 1}`;
  return `a${level}: &a${level} [${Array.from({ length: 10 }, () => items).join(", ")}]\n`;
}).join("");

const PROBLEMS: readonly (readonly [source: string, ...problems: string[]])[] = [
  ...["# No front matter\n", "---\ntitle: T\n"]
    .map((source) =>
      [source, "1: the file must begin with front matter between two `---` lines"] as const
    ),
  ["---\ntitle: T\n---\n", `${LACKS} \`description: …\``, `${LACKS} \`updated: …\``],
  ["---\n- a\n---\n", "2: front matter must have lines of the form `name: value`"],
  ["---\n\n---\n", "2: front matter: expected a document, but the input is empty"],
  [`${HEAD}title: U\n---\n`, "5: front matter: duplicated mapping key"],
  [`${HEAD}"title": U\n---\n`, "5: front matter: duplicated mapping key"],
  ...["colour: red", "__proto__: red", "constructor: red", "<<: {title: U}"]
    .map((line) => [`${HEAD}${line}\n---\n`, `5: ${UNKNOWN}`] as const),
  [`${HEAD}? [nav]\n: 1\n---\n`, `6: ${UNKNOWN}`],
  ...["first", '"1"', "1.5", "-1", ".inf", "", "10000"]
    .map((nav) => [`${HEAD}nav: ${nav}\n---\n`, `5: \`nav\` ${PLACE}`] as const),
  [`${HEAD}footer: 10000\n---\n`, `5: \`footer\` ${PLACE}`],
  [`${HEAD}label: ""\n---\n`, `5: \`label\` ${LINE}`],
  [`${HEAD}label: 404\n---\n`, `5: \`label\` ${LINE}`],
  [`${HEAD}layout: wide\n---\n`, "5: `layout` must be one of text, docs, landing"],
  ...["2026-02-30", "2026-13-01", "21.11.2026"]
    .map((day) => [`---\ntitle: T\nupdated: ${day}\ndescription: D\n---\n`, `3: ${DAY}`] as const),
  [
    '---\ntitle: 1\ndescription: " "\nupdated: 2026-11-21T00:00:00Z\n---\n',
    ...[`2: \`title\` ${LINE}`, `3: \`description\` ${LINE}`, `4: ${DAY}`],
  ],
  ...NO_TEXTS.map((text) => [`---\ntitle: ${text}\n${REST}`, `2: \`title\` ${LINE}`] as const),
  [`---\ntitle: &t T\nlabel: *t\n${REST}`, `3: ${ALIAS}`],
  [`---\n${BOMB}title: T\n${REST}`, `3: ${ALIAS}`],
];

Deno.test("splitFrontMatter() throws every problem with its line", () => {
  for (const [source, ...problems] of PROBLEMS) {
    const places = problems.map((problem) => `static/pages/en/a.md:${problem}`);
    throws(() => splitFrontMatter(source, "en/a.md"), { name: "PageError", places }, source);
  }
});

Deno.test("splitFrontMatter() takes members that a translation lacks from its twin", () => {
  const twin = `${HEAD}nav: 3\n---\n`;
  const own = "---\ntitel: Preise\ndescription:\nnav: x\nupdated: 2026-12-01\n---\n";
  const { frontMatter, problems } = splitFrontMatter(own, "de/a.md", twin);
  const taken = { title: "T", description: "D", nav: 3 };
  deepEqual(frontMatter, { ...taken, layout: "text", updated: "2026-12-01" });
  deepEqual(problems.map(({ line }) => line), [2, 3, 4, 6]);
  throws(() => splitFrontMatter(own, "de/a.md", own), { name: "PageError" });
});

Deno.test("splitFrontMatter() throws YAML errors with their line", () => {
  for (const title of ["a: b", '"open', "'it's'", "@a", "`a`", "%a", "!nope T", "T\n\tU: 1"]) {
    throws(() => splitFrontMatter(`---\ntitle: ${title}\n${REST}`, "en/a.md"), {
      name: "PageError",
      message: /^Cannot read static\/pages\/en\/a\.md:[23]: front matter: [a-z]/,
    });
  }
});
