/** @module checkSite() and sourceProblems() report every kind of problem with file and line. */

import { deepStrictEqual as deepEqual, match, ok, rejects } from "node:assert/strict";
import { checkSite, requireSoundSources } from "../../site/check.ts";
import { LOCALES } from "../../schemas/site_data.ts";
import { REQUIRED_PAGES } from "../../site/urls.ts";
import { translationsOf } from "../../schemas/words.ts";
import { FACTS, pagesOf, pageText } from "./fixture.ts";
import { operationProblems, problemsOfRoutes } from "../../cli/check_operations.ts";
import { parseConfig } from "../../config/config.ts";

const NO_PAGE = "this page is missing, but the service links to it";
const KNOWN = ["/openapi.json", "/llms.txt", "/de/llms.txt", "/assets/a.svg"];
const REQUIRED = LOCALES.flatMap((locale) => REQUIRED_PAGES.map((name) => `${locale}/${name}.md`));
const DOCS = "# Docs\n\n## Part\n\n[markdown](/docs.md)\n";
const SOUND = {
  ...Object.fromEntries(REQUIRED.map((file) => [file, pageText("# Page\n")])),
  "en/index.md": pageText("# Home\n\n[docs](/docs#part) [api](/openapi.json) [top](#home)\n"),
  "de/index.md": pageText("# Start\n\n[docs](/de/docs)\n"),
  "en/docs.md": pageText(DOCS),
  "de/docs.md": pageText(
    "# Doku\n\n[English](/en/docs#part) [llms](/llms.txt) ![](/assets/a.svg#b)\n\n## Teil\n",
  ),
};

function check(files: Record<string, string>, knownPaths = KNOWN): Promise<string[]> {
  return checkSite(pagesOf({ ...SOUND, ...files }), { facts: FACTS, knownPaths });
}

Deno.test("checkSite() accepts a site whose pages link to their own translations", async () => {
  deepEqual(await check({}), []);
});

const link = (href: string) => pageText(`# D\n\n[b](${href})\n`);
const BELOW = pageText("# D\n\n{{api_reference}}\n\n[b](/nope)\n");

for (
  const [file, text, problem] of [
    ["en/new.md", pageText("# New\n"), "1: its translation de/new.md is missing"],
    ["en/docs.md", "# Docs\n", "1: the file must begin with front matter between two `---` lines"],
    ["de/docs.md", pageText("# D\n", { label: "a: b" }), "5: front matter: this text must"],
    ["de/docs.md", pageText("# D\n", { color: "red" }), "5: unknown field in front matter"],
    [
      "de/docs.md",
      pageText("# D\n", { title: "a".repeat(61) }),
      "2: `title` must have at most 60 characters: it has 61",
    ],
    ["de/docs.md", pageText("# D\n\n{{nope}}\n"), "9: the placeholder `nope`"],
    ["de/docs.md", pageText("# D\n\na\n[b](/nope)\n"), "10: dead link: /nope"],
    ["en/docs.md", BELOW, "11: dead link: /nope"],
    ["de/docs.md", link("/en/docs#no"), "9: link to a missing heading: /docs#no"],
    ["de/docs.md", link("/index#no"), "9: dead link: /index#no"],
    ["de/docs.md", link("/fr/docs"), "9: dead link: /fr/docs"],
    ["de/docs.md", link("/404"), "9: dead link: /404"],
    [
      "de/docs.md",
      link("/docs?plan=gold"),
      "9: link to a plan that static/site.json does not have: /de/docs?plan=gold",
    ],
    ["de/404.md", pageText("# 404\n", { nav: "1" }), "5: no menu lists this page: remove it"],
    ["de/docs.md", link("#no"), "9: link to a missing heading: #no"],
    ["de/docs.md", link("/openapi.json#a"), "9: link to a missing heading"],
    ["de/index.md", link("/docs#part"), "9: link to a missing heading: /de/docs#part"],
    ["de/docs.md", link("javascript:x"), "9: a link must be a path from /"],
    ["de/docs.md", link("docs"), "9: a link must be a path from /"],
    ["de/docs.md", link("\n/docs"), "7: the link to /docs must be written"],
    ...["Text\n", "Text\n\n# D\n", "# A\n\n# B\n"].map((body) =>
      ["de/docs.md", pageText(body), "7: the text must begin with its only level-1"] as const
    ),
    [
      "de/docs.md",
      pageText("# D\n\n```\na\n\v\n```\n"),
      "11: a control character",
    ],
    ["de/docs.md", pageText("# D\n\n\ufffe\n"), "9: a control character"],
    [
      "de/docs.md",
      pageText("# D\n", { title: '"a\\0"' }),
      "2: `title` must be one line of text without",
    ],
    [
      "de/changelog.md",
      pageText("# D\n\n## 22.11.2026: a\n"),
      "9: for the feed, write the day as YYYY-MM-DD",
    ],
    [
      "de/changelog.md",
      pageText("# D\n\n## 2026-02-30: a\n"),
      "9: for the feed, write the day as YYYY-MM-DD",
    ],
    ["de/docs.txt", "Doku", "1: not a page: its name must end in `.md`"],
    ["en/Docs.md", pageText("# D\n"), "1: the name must be en or de"],
  ] as const
) {
  Deno.test(`checkSite() reports ${file}:${problem}`, async () => {
    const problems = await check({ [file]: text });
    const expected = `static/pages/${file}:${problem}`;
    ok(problems.some((message) => message.startsWith(expected)), problems.join("\n"));
  });
}

Deno.test("checkSite() takes pages of one language: posts, and those that say so", async () => {
  const only = pageText("# Jobs\n\n[docs](/docs) [English](/en/docs)\n", { translations: "none" });
  const blog = pageText("# Blog\n\n{{posts}}\n");
  const post = pageText("# Post\n\n[blog](/blog)\n", { date: "2026-11-22" });
  const files = { "de/jobs.md": only, "en/blog/index.md": blog, "de/blog/index.md": blog };
  deepEqual(await check({ ...files, "en/blog/post.md": post }), []);
  const empty = { "en/blog/index.md": pageText("# Blog\n"), "en/blog/post.md": post };
  deepEqual(await check({ ...files, ...empty, "de/blog/index.md": pageText("# Blog\n") }), [
    "static/pages/en/blog/index.md:7: its folder has pages with a `date`: list them by {{posts}}",
  ]);
});

Deno.test("checkSite() names pages of a language that the site does not have, once", async () => {
  deepEqual(await check({ "fr/index.md": "", "fr/docs.md": "# Docs\n", "fr/picture.md": "" }), [
    "static/site.json:1: languages lacks fr, so static/pages/fr is not served: add the language, " +
    "or delete the folder",
  ]);
});

const HTML = (tag: string) =>
  `HTML is shown as text: replace \`${tag}\` by markdown, or put code in backticks`;
const SKIPS = "a heading skips a level: write";
const OUTLINE = (theirs: string, own: string) =>
  `en/docs.md has ${theirs} here, this page ${own}: translations have the same sections`;
const LEFT_OUT = "must be left out, as in en/docs.md";
const SOUND_TEXT = "`<br>` <https://a.example> <a@b.example> \\<b> 1 <2> 3 < a";
const NO_HEADINGS = "`## no`\n\n```html\n<p>\n## A\n```";

/** Texts of German pages, and all problems of the site that they make. */
const ALL_PROBLEMS: readonly (readonly [text: string, ...problems: string[]])[] = [
  [
    pageText(DOCS, { nav: "1", layout: "docs" }),
    `5: \`nav\` ${LEFT_OUT}`,
    "6: `layout` must be text, as in en/docs.md",
  ],
  [
    pageText(DOCS, { footer: "7" }),
    "5: `footer: 7` is the place of de/about.md too: change one of them",
    `5: \`footer\` ${LEFT_OUT}`,
  ],
  ["# D\n", `8: ${OUTLINE("a level-2 heading", "no further heading")}`],
  [
    "# D\n\n### A\n",
    `9: ${SKIPS} \`##\` instead of \`###\``,
    `9: ${OUTLINE("a level-2 heading", "a level-3 heading")}`,
  ],
  [
    `# D\n\nA\n---\n\n${NO_HEADINGS}\n\n#### B\n`,
    `19: ${SKIPS} \`###\` instead of \`####\``,
    `19: ${OUTLINE("no further heading", "a level-4 heading")}`,
  ],
  [
    `${DOCS}\n[f](/nope)\na<br>b <em class="x">c</em>\n<!-- no\n-->\n\n- d\n  <div\n  id=e>\n`,
    "13: dead link: /nope",
    ...[`14: ${HTML("<br")}`, `14: ${HTML("<em")}`, `15: ${HTML("<!--")}`, `19: ${HTML("<div")}`],
  ],
  [`${DOCS}\n${SOUND_TEXT}\n\n${NO_HEADINGS}\n`],
];

Deno.test("checkSite() names HTML, skipped levels, and where a page differs from its translation", async () => {
  const about = pageText("# About\n", { footer: "7" });
  for (const [text, ...problems] of ALL_PROBLEMS) {
    const docs = text.startsWith("---") ? text : pageText(text);
    const found = await check({ "de/docs.md": docs, "en/about.md": about, "de/about.md": about });
    deepEqual(found, problems.map((problem) => `static/pages/de/docs.md:${problem}`));
  }
});

Deno.test("checkSite() requires descriptions of 50 to 200 characters", async () => {
  const problem = "static/pages/de/docs.md:3: `description` must have 50 to 200 characters: it has";
  for (const [length, isProblem] of [[49, true], [50], [200], [201, true]] as const) {
    const text = pageText(DOCS, { description: "x".repeat(length) });
    deepEqual(await check({ "de/docs.md": text }), isProblem ? [`${problem} ${length}`] : []);
  }
});

Deno.test("checkSite() does not report links to a page that cannot be read", async () => {
  deepEqual(await check({ "en/docs.md": "# Docs\n" }), [
    "static/pages/en/docs.md:1: the file must begin with front matter between two `---` lines",
  ]);
});

Deno.test("checkSite() reports a path of two pages, or of a page and another route", async () => {
  const twice = { "en/docs/index.md": pageText("# D\n"), "de/docs/index.md": pageText("# D\n") };
  const place = "static/pages/en/docs.md:1: its path /docs already belongs to";
  ok((await check(twice)).includes(`${place} en/docs/index.md`));
  deepEqual(await check({}, ["/docs", ...KNOWN]), [`${place} another route`]);
});

Deno.test("requireSoundSources() requires readable sources, and each required page per language", async () => {
  const contact = pageText(
    "# Contact\n\n## API\n\n```json\n{{error_not_found}}\n```\n\n{{api_reference}} [b](/nope)\n",
  );
  const sound = { ...SOUND, "en/contact.md": contact, "de/contact.md": contact };
  const german = translationsOf("de");
  const translated = { ...german };
  await requireSoundSources(pagesOf(sound), FACTS);
  const { "de/index.md": _, ...others }: Record<string, string> = sound;
  deepEqual(await checkSite(pagesOf(others), { facts: FACTS, knownPaths: [...KNOWN, "/nope"] }), [
    `static/pages/de/index.md:1: ${NO_PAGE}`,
  ]);
  const docs = { "en/docs.md": "# Docs\n", "de/docs.md": pageText("{{a}}\n") };
  const faulty = { ...others, ...docs, "en/notes.txt": "" };
  const { message: faults } = await requireSoundSources(pagesOf(faulty), FACTS).catch((one) => one);
  deepEqual(faults.split("\n").map((line: string) => line.split(";")[0]), [
    "Cannot use the pages:",
    `  static/pages/de/index.md:1: ${NO_PAGE}`,
    "  static/pages/de/docs.md:7: the placeholder `a` is unknown",
    "  static/pages/en/docs.md:1: the file must begin with front matter between two `---` lines",
  ]);
  Reflect.deleteProperty(german, "The service is up.");
  const untitled = { ...sound, "de/docs.md": sound["de/docs.md"]!.replace(/^title:.*\n/m, "") };
  const known = { facts: FACTS, knownPaths: [...KNOWN, "/nope"] };
  const untranslated = await checkSite(pagesOf(untitled), known).finally(
    () => Object.assign(german, translated),
  );
  match(untranslated[0]!, /^static\/pages\/de\/contact\.md:7: .* need a translation/);
  match(untranslated[1]!, /^static\/pages\/de\/docs\.md:4: front matter needs a line `title: /);
  await requireSoundSources(pagesOf(untitled), FACTS);
  const gone = { ...pagesOf(sound), read: () => Promise.reject(new Error("no disk")) };
  const message = /^Cannot use the pages:\n {2}static\/pages\/de\/.*:1: .* be read: no disk\n/;
  await rejects(requireSoundSources(gone, FACTS), { message });
  const lost = { ...pagesOf(sound), list: () => Promise.reject(new Error("no disk")) };
  await rejects(requireSoundSources(lost, FACTS), { message: "Cannot read the pages: no disk" });
});

const SOURCE = '\n  // API\n  app.get("/api/a", a());\n  app.post("/api/b", b());\n';

Deno.test("the routes of the API are the operations of the document", async () => {
  deepEqual(await operationProblems(parseConfig({})), []);
  const routes = [["GET", "/api/a"], ["POST", "/api/b"], ["POST", "/api/b"], ["GET", "/c"]]
    .map(([method, path]) => ({ method: method!, path: path! }));
  const paths = { "/api/a": { get: {}, put: {} }, "/d.json": { get: {} } };
  deepEqual(problemsOfRoutes(routes, { paths, source: SOURCE }), [
    "routes/app.ts:2: the operation PUT /api/a of schemas/operations/ has no route here",
    "routes/app.ts:2: the operation GET /d.json of schemas/operations/ has no route here",
    "routes/app.ts:4: POST /api/b is no operation of schemas/operations/",
  ]);
});
