/** @module Runs the examples of the documentation in Python and Go against the real service. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { claimOf, examplesOf, isAsShown, PAGES } from "../../docs/page_examples.ts";
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
          const claim = claimOf(example);
          if (claim !== "") {
            const invalid = example.text.replace(/Example Ltd|Beispiel GmbH/, "x".repeat(121));
            await Deno.writeTextFile(`${folder}/${file}`, `${invalid}\n`);
            const refused = await run([...line, file], { cwd: folder });
            match(refused.out, /^invalid_lead Correct what details\.issues lists; /);
          }
          if (claim !== "") equal(`${out.trimEnd()}\n`, claim, example.text);
          else ok(example.responses.some((one) => isAsShown(out, one)), example.text);
          ran.push(`${page} ${example.lang}`);
        }
      }
      deepEqual(ran, [
        ...["/docs python", "/docs go", "/de/docs python", "/de/docs go"],
        ...["/docs/reference", "/de/docs/reference"]
          .flatMap((page) => Array(5).fill(`${page} python`)),
      ]);
    })
  ));
