/** @module CONTRIBUTING's "Add an operation" is complete; a step that is left out is named by its file. */

import { match, ok, strictEqual as equal } from "node:assert/strict";
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

const PLACES: Readonly<Record<string, string>> = {
  "schemas/error_codes.ts": "} as const;",
  "schemas/openapi.ts": '"/openapi.json": {',
  "routes/app.ts": 'app.get("/openapi.json"',
  "tests/routes/documented_answers_test.ts": "];\n\ntype Examples",
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

/** Follows the steps but for the German texts. @returns each file as it was */
async function follow(folder: string): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  for (const { file, text } of STEPS) {
    const before = await Deno.readTextFile(`${folder}/${file}`).catch(() => "");
    all.set(file, before);
    let after = before === "" ? text : before;
    const [paths = "", schemas = ""] = text.split("# in schemas\n");
    const own: readonly (readonly [string, string])[] = file.endsWith("specification.yaml")
      ? [["  /api/lead:\n", indented(paths, 2)], ["    LeadRequest:\n", indented(schemas, 4)]]
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
  return all;
}

function indented(text: string, by: number): string {
  return text.replace(/^(?=.)/gm, " ".repeat(by));
}

const PAGES = ["task", "-q", "check:pages"];
const TEST = ["test", "-A", "--no-check", "--config=tests/deno.json"];
const ROUTES = [...TEST, "tests/routes/api_test.ts"];
const ANSWERS = [...TEST, "tests/routes/documented_answers_test.ts"];
const DESCRIPTION = ["run", "-A", "contract/main.ts", "--only=document"];
const CONTRACT = ["run", "-A", "contract/main.ts", "--only=document,http,properties"];

const LEFT_OUT: readonly (readonly [file: string, command: readonly string[], RegExp])[] = [
  ["schemas/openapi.ts", ROUTES, /schemas\/openapi\.ts: add the operation GET \/api\/planets/],
  ["routes/app.ts", ROUTES, /routes\/app\.ts: add a route for GET \/api\/planets/],
  [
    "contract/service/specification.yaml",
    DESCRIPTION,
    /GET \/api\/planets, .*: specification\.yaml lacks this/,
  ],
  ["tests/routes/documented_answers_test.ts", ANSWERS, /_test\.ts:\nadd .* listPlanets 200/],
];

Deno.test("the example of an operation has eight files and passes every check; one left out is named", () =>
  withFolder(async (folder) => {
    await copyProject(folder);
    const before = await follow(folder);
    equal(before.size, 8);
    const write = (file: string, text: string) => Deno.writeTextFile(`${folder}/${file}`, text);
    async function outcome(args: readonly string[]): Promise<[number, string]> {
      const { code, out, err } = await runDeno(args, { cwd: folder });
      return [code, out + err];
    }
    // The check of the pages names the texts to translate.
    const [, named] = await outcome(PAGES);
    const texts = [...named.matchAll(/^ {2}(".*")$/gm)].map(([, text]) => JSON.parse(text!));
    const own = ["Lists the planets.", "How many planets to list.", "How many moons it has."];
    for (const text of own) ok(texts.includes(text), text);
    const words = JSON.parse(await Deno.readTextFile(`${folder}/static/words/de.json`));
    for (const text of texts) words.description[text] = text;
    await write("static/words/de.json", JSON.stringify(words));

    await Promise.all([PAGES, ["check", "main.ts"], ROUTES, ANSWERS, CONTRACT].map(async (args) => {
      const [code, output] = await outcome(args);
      equal(code, 0, output);
    }));
    for (const [file, command, message] of LEFT_OUT) {
      const complete = await Deno.readTextFile(`${folder}/${file}`);
      await write(file, before.get(file)!);
      const [code, output] = await outcome(command);
      ok(code !== 0);
      match(output, message);
      await write(file, complete);
    }
  }));
