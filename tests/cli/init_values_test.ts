/** @module What `deno task init` asks for and refuses. */

import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { run, runDeno, start } from "../support/command.ts";
import { INIT, init, LOGO, replacePictures, state, testCopy } from "../support/init.ts";
import { until } from "../support/until.ts";

const PNG = "\x89PNG\r\n\x1a\n";

/** By the bytes of a file, as text in Latin-1. */
const BAD_LOGOS: readonly (readonly [file: string, RegExp])[] = [
  [PNG, /128 pixels or more a side: it has 0 by 0/],
  [`${PNG}\0\0\0\rIHDR\0\0\x01\0\0\0\x01\0\x08\x06\0\0\0`, /SVG or PNG that draws/],
  ["\xff\xd8\xff\xe0 JFIF", /^must be an SVG or PNG that draws something$/],
  [LOGO.replace("40 20", "60 20"), /twice as wide as high/],
  ['<svg><script/><image href="https://evil.example"/></svg>', /no scripts.*other files/],
  ['<svg><path onload="x()"/></svg>', /no scripts/],
  ['<svg xmlns:s="http://www.w3.org/2000/svg"><s:script/></svg>', /no scripts/],
  ['<svg><use xlink:href = " //evil.example/#x"/></svg>', /other files/],
  ["<svg><style>@import '//evil.example'</style></svg>", /other files/],
  ['<svg><path fill="url( //evil.example)"/></svg>', /other files/],
  ["<svg><text>Acme</text></svg>", /text as paths/],
  ["<svg", /an SVG or PNG that draws/],
  [LOGO.replace("#0a7d55", "none"), /an SVG or PNG that draws/],
  [LOGO + " ".repeat(500_000), /at most 500 kB/],
  [LOGO.replace(/<use.*\/>/, ""), /an SVG or PNG that draws/],
];

const NAMES = ("name url languages country plans tagline tagline-de brand accent logo operator " +
  "email targets").split(" ");

testCopy("init reports every problem at once, and changes nothing", async (project) => {
  const before = await state(project);
  const { code, err } = await init(project, [
    ...["--url", "x", "--brand", "red", "--email", "y", "--logo", "/etc/hostname"],
    ...["--languages", "en,fr", "--country", "UK", "--plans", "A,a"],
    ...["--targets", "gopher://x", "--operator", "A\nPORT=1"],
  ]);
  equal(code, 2);
  const asked = NAMES.filter((name) => name !== "tagline-de");
  for (const name of asked) match(err, new RegExp(`^  --${name} .*(?:must|is missing)`, "m"));
  match(err, /^ {2}--languages must .*static\/words\/fr\.json, static\/pages\/fr\/index\.md/m);
  deepEqual(await state(project), before);
});

testCopy("init refuses what pages or .env cannot hold", async (project) => {
  const before = await state(project);
  const rows: readonly (readonly [words: readonly string[], problem: RegExp])[] = [
    [["--name", "🚀".repeat(40)], /--name must be shorter: an emoji/],
    [["--name=A", "--tagline", "one\u2028two"], /--tagline must be one line/],
    [["--name=A", "--tagline", "\uFFFD"], /--tagline must be text/],
    [
      ["--name=A", "--tagline", "{{x}}", "--tagline-de", "[a](b)"],
      /--tagline m.*\n {2}--tagline-de m/,
    ],
    [["--name=A", "--languages=en", "--tagline-de=B"], /--tagline-de must be left out/],
    [["--name=A", "--operator", "it's `$x` # y"], /--operator must not have both ' and `/],
  ];
  for (const [words, problem] of rows) {
    const { code, out, err } = await init(project, [...words, "--yes"]);
    deepEqual([code, out], [2, ""], err);
    match(err, problem);
  }
  deepEqual(await state(project), before);
});

testCopy("init names pages of the owner that the values do not fit", async (project) => {
  await replacePictures(project);
  const edited = `${project}static/pages/en/developers.md`;
  const text = await Deno.readTextFile(edited);
  const title = `title: ${"Developers ".repeat(4)}`;
  await Deno.writeTextFile(edited, text.replace(/^title: .*/m, title));
  const { code, out } = await init(project, ["--name", "x".repeat(40), "--yes"]);
  equal(code, 0);
  match(out, /^Correct in.*:\n {2}static\/pages\/en\/developers\.md:2: `title` must have at/m);
});

testCopy(
  "init refuses a logo that is no drawing, has scripts or refers to others",
  async (project) => {
    await Deno.writeTextFile(`${project}logos`, JSON.stringify(BAD_LOGOS.map(([file]) => file)));
    const program = `import { problemsOf } from "./cli/init/values.ts";
    for (const file of JSON.parse(await Deno.readTextFile("logos"))) {
      await Deno.writeFile("logo", Uint8Array.from(file, (one) => one.charCodeAt(0)));
      console.log((await problemsOf("logo", "./logo")).join());
    }`;
    const line = ["eval", "--config", "cli/init/deno.json", program];
    const { out, err } = await runDeno(line, { cwd: project, env: { INIT_CWD: project } });
    const problems = out.split("\n");
    for (const [at, [file, problem]] of BAD_LOGOS.entries()) {
      match(problems[at]!, problem, file + err);
    }
  },
);

testCopy(
  "on a terminal init asks, with defaults, and asks again after a problem",
  async (project) => {
    await replacePictures(project);
    equal((await run(["mkfifo", "keys"], { cwd: project })).code, 0);
    const script = `script -qefc '${[Deno.execPath(), ...INIT].join(" ")}' /dev/null <keys`;
    const terminal = start(["bash", "-c", script], { cwd: project, env: { TERM: "xterm" } });
    using keys = await Deno.open(`${project}keys`, { write: true });
    const answers = "Acme nonsense https://www.acme.example - GB - - - #0A7D55 - - - - -".split(
      " ",
    );
    const questions = ["name", "url", ...NAMES.slice(1)];
    for (const [at, answer] of answers.entries()) {
      const question = new RegExp(`K${questions[at]} \\(`, "g");
      const times = at === 2 ? 2 : 1;
      await until(`${questions[at]} is asked`, () => {
        if (terminal.hasEnded()) throw new Error(terminal.output());
        return [...terminal.output().matchAll(question)].length === times;
      }, 20_000);
      await keys.write(new TextEncoder().encode(`${answer.replace("-", "")}\r`));
    }
    equal(await terminal.finished, 0, terminal.output());
    match(terminal.output(), /It must be an http or https URL/);
    const after = await state(project);
    equal(after[".env"], "SITE_URL=https://www.acme.example\n");
    match(after["static/pages/de/index.md"]!, /^# Willkommen bei Acme$/m);
    match(after["static/styles/brand.css"]!, /brand: #0A7D55;\n {2}--accent: #f2a900;/);
  },
);
