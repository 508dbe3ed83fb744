/** @module Runs the examples of the documentation in Python and Go against the real service. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { claimOf, examplesOf, PAGES } from "../../docs/page_examples.ts";
import { run } from "../../support/command.ts";
import { withFolder, withRunningService } from "../../support/service.ts";

const COMMANDS: Readonly<Record<string, readonly [file: string, ...line: string[]]>> = {
  python: ["example.py", "python3"],
  go: ["example.go", "go", "run"],
};

Deno.test("every example in Python and Go prints what the page says", () =>
  withRunningService(({ url }) =>
    withFolder(async (folder) => {
      const ran: string[] = [];
      for (const page of PAGES) {
        for (const example of (await examplesOf(url + page)).examples) {
          const [file, ...line] = COMMANDS[example.lang] ?? [];
          if (file === undefined) continue;
          await Deno.writeTextFile(`${folder}/${file}`, `${example.text}\n`);
          const { code, out, err } = await run([...line, file], { cwd: folder });
          equal(code, 0, `${example.text}\n${out}${err}`);
          equal(`${out.trimEnd()}\n`, claimOf(example), example.text);
          ran.push(`${page} ${example.lang}`);
        }
      }
      deepEqual(ran, ["/docs python", "/docs go", "/de/docs python", "/de/docs go"]);
    })
  ));
