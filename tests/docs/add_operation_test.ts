/**
 * @module CONTRIBUTING's "Add an operation": its example is complete as written, and a step that is
 * left out is named with its file.
 */

import { deepStrictEqual as deepEqual, match, ok } from "node:assert/strict";
import { copyProject } from "../support/checkout.ts";
import { runDeno } from "../support/command.ts";
import { withFolder } from "../support/service.ts";

const DOCUMENT = await Deno.readTextFile(new URL("../../.github/CONTRIBUTING.md", import.meta.url));
const SECTION = DOCUMENT.split(/^## /m).find((section) => section.startsWith("Add an operation"))!;

/** Each step's file, and its block or the code in its text. */
const STEPS = SECTION.split(/^\d\. /m).slice(1).map((step) => ({
  file: /^`([^`]+)`/.exec(step)![1]!,
  text: (/^ *```\w+\n(.*?)^ *```$/ms.exec(step) ?? /: `(.*)`/.exec(step))?.[1]
    ?.replace(/^ {3}/gm, "") ?? "",
}));

/** Where a contributor writes a step's text: before these words. */
const PLACES: Readonly<Record<string, string>> = {
  "schemas/error_codes.ts": "} as const;",
  "schemas/openapi.ts": '"/openapi.json": {',
  "routes/app.ts": 'app.get("/openapi.json"',
  "tests/routes/documented_answers_test.ts": "];\n\ninterface Operation",
};

/** What the steps say in words: imports, and both schemas in `SCHEMAS`. */
const WORDS: Readonly<Record<string, readonly (readonly [before: string, text: string])[]>> = {
  "schemas/openapi.ts": [
    [
      "import { z }",
      'import { parsePlanetsQuery, Planet, Planets, PlanetsQuery } from "./planets.ts";\n',
    ],
    ["SiteIndex };", "Planet, Planets, "],
  ],
  "routes/app.ts": [["import { Hono }", 'import { planets } from "./planets.ts";\n']],
};

/** Follows the steps in a copy of the project, but for the German texts and one step. */
async function follow(folder: string, skipped?: string): Promise<void> {
  await copyProject(folder);
  for (const { file, text } of STEPS.filter((step) => step.file !== skipped)) {
    const before = await Deno.readTextFile(`${folder}/${file}`).catch(() => "");
    let after = before === "" ? text : before;
    const [operations = "", schemas = ""] = text.split("# in schemas\n");
    const own: readonly (readonly [string, string])[] = file.endsWith("specification.yaml")
      ? [["  createLead:\n", indented(operations)], ["  ApiError: {", indented(schemas)]]
      // Another operation may have the error code already.
      : PLACES[file] === undefined || /^ {2}invalid_query:/m.test(before)
      ? []
      : [[PLACES[file], text]];
    for (const [words, inserted] of [...own, ...WORDS[file] ?? []]) {
      ok(after.includes(words), `${file} has no ${words}`);
      after = after.replace(words, () => inserted + words);
    }
    await Deno.writeTextFile(`${folder}/${file}`, after);
  }
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}

/** Runs a part of `deno task check` or `deno task test`; returns its exit code and output. */
async function outcome(folder: string, ...args: readonly string[]): Promise<[number, string]> {
  const { code, out, err } = await runDeno(args, { cwd: folder, env: { NO_COLOR: "1" } });
  return [code, out + err];
}

const PAGES = ["run", "-A", "--config=tests/deno.json", "tests/support/check_pages.ts"];
const TESTS = [
  ...["test", "-A", "--no-check", "--config=tests/deno.json"],
  ...["api", "documented_answers"].map((name) => `tests/routes/${name}_test.ts`),
];
const CONTRACT = ["run", "-A", "contract/main.ts", "--only=document,http,properties"];

/** Translates what the check of the pages names. */
async function translate(folder: string): Promise<string[]> {
  const [, output] = await outcome(folder, ...PAGES);
  const texts = [...output.matchAll(/^ {2}(".*")$/gm)].map(([, text]) => JSON.parse(text!));
  const file = `${folder}/site/words/de.json`;
  const words = JSON.parse(await Deno.readTextFile(file));
  for (const text of texts) words.description[text] = text;
  await Deno.writeTextFile(file, JSON.stringify(words));
  return texts;
}

Deno.test("the example of an operation has eight files, and passes every check", () =>
  withFolder(async (folder) => {
    deepEqual(new Set(STEPS.map(({ file }) => file)).size, 8);
    await follow(folder);
    const texts = await translate(folder);
    const own = ["Lists the planets.", "How many planets to list.", "How many moons it has."];
    for (const text of own) ok(texts.includes(text), text);
    for (const args of [PAGES, ["check", "main.ts"], TESTS, CONTRACT]) {
      const [code, output] = await outcome(folder, ...args);
      ok(code === 0, output);
    }
  }));

for (
  const [skipped, command, message] of [
    ["schemas/openapi.ts", TESTS, /schemas\/openapi\.ts: add the operation GET \/api\/planets/],
    ["routes/app.ts", TESTS, /routes\/app\.ts: add a route for GET \/api\/planets/],
    ["contract/cases/specification.yaml", CONTRACT, /listPlanets: specification\.yaml lacks this/],
    [
      "tests/routes/documented_answers_test.ts",
      TESTS,
      /_answers_test\.ts:\nadd .* listPlanets 200/,
    ],
  ] as const
) {
  Deno.test(`an operation without ${skipped} is named`, () =>
    withFolder(async (folder) => {
      await follow(folder, skipped);
      await translate(folder);
      const [code, output] = await outcome(folder, ...command);
      ok(code !== 0);
      match(output, message);
    }));
}
