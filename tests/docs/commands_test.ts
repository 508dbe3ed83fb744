/**
 * @module No command stands in a document that nobody runs: each `sh` block is under a heading that a
 * test takes its commands from, or says what it needs that tests do not have.
 */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal, throws } from "node:assert/strict";
import { blocksOf, Commands, DOCUMENTS } from "./document.ts";
import { isRunInCi, taskNames, taskOf } from "./tasks.ts";

const ROOT = new URL("../../", import.meta.url);

/** Rooms whose files CI runs, and which of their files are tests. */
const TEST_FILES = /^tests\/(?:docs|process)\/.*_test\.ts$|^tests\/(?:deploy|cluster)\/[^/]+\.ts$/;

/** `documented(DOCUMENT, HEADING)` in a test is the claim that it runs that section. */
async function claims(): Promise<string[]> {
  const found: string[] = [];
  for (const room of ["docs", "process", "deploy", "cluster"]) {
    for await (const { name } of Deno.readDir(new URL(`tests/${room}/`, ROOT))) {
      const path = `tests/${room}/${name}`;
      if (!TEST_FILES.test(path)) continue;
      const text = await Deno.readTextFile(new URL(path, ROOT));
      const calls = text.matchAll(/\bdocumented\(\s*"([^"]+)",\s*"([^"]+)",?\s*\)/g);
      found.push(...[...calls].map(([, document, heading]) => `${document}, ${heading}`));
    }
  }
  return found.sort();
}

Deno.test("every section with commands is run by exactly one test, or needs what tests do not have", async () => {
  const sections = new Set<string>();
  for (const document of DOCUMENTS) {
    for (const { heading, outside } of await blocksOf(document)) {
      if (outside === undefined) sections.add(`${document}, ${heading}`);
    }
  }
  deepEqual(await claims(), [...sections].sort());
});

Deno.test("every task that a document names exists", async () => {
  const names = await taskNames();
  for (const document of DOCUMENTS) {
    const text = await Deno.readTextFile(new URL(document, ROOT));
    const named = text.match(/\bdeno(?:@\S+)? task [^`\n|&]+/g) ?? [];
    const unknown = named.filter((command) => !names.includes(taskOf(command) ?? ""));
    deepEqual(unknown, [], document);
  }
});

Deno.test("a task that a document names in passing is run by CI, or by the section that shows it", async () => {
  const shown = new Set<string>();
  for (const document of DOCUMENTS) {
    for (const { commands } of await blocksOf(document)) {
      for (const command of commands) shown.add(taskOf(command) ?? "");
    }
  }
  for (const document of DOCUMENTS) {
    const text = await Deno.readTextFile(new URL(document, ROOT));
    for (const [, command] of text.matchAll(/`(deno task [^`]+)`/g)) {
      const name = taskOf(command!)!;
      ok(shown.has(name) || await isRunInCi(`deno task ${name}`), `${document}: ${command}`);
    }
  }
});

Deno.test("what is said to be outside says what it needs, and is not what CI has", async () => {
  for (const document of DOCUMENTS) {
    const text = await Deno.readTextFile(new URL(document, ROOT));
    const marks = text.match(/<!--.*outside.*-->/g) ?? [];
    const blocks = (await blocksOf(document)).filter(({ outside }) => outside !== undefined);
    equal(marks.length, blocks.length, `${document}: a mark without a block, or one misspelt`);
  }
});

Deno.test("a section with a command that its test has not taken fails", () => {
  const commands = new Commands("a document", ["one", "two --three"]);
  equal(commands.take("one"), "one");
  throws(() => commands.end(), { message: "a document: not run: two --three" });
});

Deno.test("only what CI runs counts as run by CI", async () => {
  ok(await isRunInCi("deno task test"), "each of its parts is run");
  ok(await isRunInCi("deno task contract"), "with options added");
  equal(await isRunInCi("deno task contract --live"), false);
  equal(await isRunInCi("deno task start"), false);
  equal(await isRunInCi("deno task con"), false);
});
