/**
 * @module Pages that cannot be served: what `deno task check`, start, doctor and `deno task dev` say of
 * them, as processes, on a copy of the project. Every kind of fault is in `tests/site/check_test.ts`.
 */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { pageText } from "../site/fixture.ts";
import { copyProject } from "../support/checkout.ts";
import { runDeno, start } from "../support/command.ts";
import { freePort, runToItsEnd, withFolder } from "../support/service.ts";
import { until } from "../support/until.ts";

const FAULTY: Readonly<Record<string, string>> = {
  "de/docs.md": "---\n- title\n---\n# Docs\n",
  "de/Über uns.md": pageText("# Über uns\n"),
  "en/about.md": pageText("# About\n", { description: "404", updated: "yesterday" }),
  "en/contact.md": pageText("# Contact\n\n{{nope}}\n"),
  "en/index.md": "# Home\n",
};

const FAULTS = [
  "static/pages/de/docs.md:2: front matter is not in the form `name: value`",
  "static/pages/de/Über uns.md:1: the name is not one of ",
  "static/pages/en/about.md:3: `description` must be one line of text",
  "static/pages/en/about.md:4: `updated` must be a day",
  "static/pages/en/contact.md:9: the placeholder `nope` is unknown; known are ",
  "static/pages/en/index.md:1: front matter between two `---` lines is missing",
];

/** Runs a test with a copy of the project, whose path ends in a slash; with {@link FAULTY} or not. */
function withCopy(
  test: (project: string) => Promise<void>,
  { faulty = true }: { readonly faulty?: boolean } = {},
): Promise<void> {
  return withFolder(async (folder) => {
    await copyProject(folder);
    for (const [file, text] of Object.entries(faulty ? FAULTY : {})) {
      await Deno.writeTextFile(`${folder}/static/pages/${file}`, text);
    }
    await test(`${folder}/`);
  });
}

/** The words of a part of a task that begins with `deno`, without that. */
async function wordsOf(task: string, end: string): Promise<string[]> {
  const { tasks } = JSON.parse(
    await Deno.readTextFile(new URL("../../deno.json", import.meta.url)),
  );
  const parts = String(tasks[task].command).split(" && ").map((part) => part.split(" "));
  const [, ...words] = parts.find((part) => part.at(-1)!.endsWith(end))!;
  return words;
}

Deno.test("`deno task check` names each fault of the pages by file and line, and fails", () =>
  withCopy(async (project) => {
    const { code, err } = await runDeno(await wordsOf("check", "check_pages.ts"), { cwd: project });
    equal(code, 1);
    const lines = err.split("\n");
    for (const fault of FAULTS) {
      ok(lines.some((line) => line.startsWith(fault)), `${fault}: ${err}`);
    }
  }));

Deno.test("a start with faulty pages is refused with exit code 2, and every fault by file and line", () =>
  withCopy(async (project) => {
    await Deno.remove(`${project}static/pages/de/contact.md`);
    const { code, output } = await runToItsEnd(project, { PORT: String(freePort()) }, { project });
    equal(code, 2);
    const [, said = ""] = output.split("Cannot use the pages:\n");
    const missing = "static/pages/de/contact.md:1: there is no such page";
    const expected = [missing, ...FAULTS];
    const lines = said.trimEnd().split("\n");
    equal(lines.length, expected.length, said);
    for (const fault of expected) ok(lines.some((line) => line.startsWith(`  ${fault}`)), said);
  }));

Deno.test("the doctor fails with every fault of the pages", () =>
  withCopy(async (project) => {
    const { code, out, err } = await runDeno(["task", "doctor", "--json"], { cwd: project });
    equal(code, 1, err);
    const findings: { check: string; state: string; message: string }[] = JSON.parse(out).findings;
    const found = findings.filter(({ check }) => check === "pages");
    deepEqual(new Set(found.map(({ state }) => state)), new Set(["fail"]));
    for (const fault of FAULTS) ok(found.some(({ message }) => message.startsWith(fault)), fault);
  }));

Deno.test("deno task dev tells a fault, waits for the author, and serves once it is corrected", () =>
  withCopy(async (project) => {
    const file = `${project}static/pages/en/about.md`;
    const sound = await Deno.readTextFile(file);
    await Deno.writeTextFile(file, "# About\n");
    const port = freePort();
    // Not by `deno task`, whose child would outlive the signal that ends it.
    const line = [Deno.execPath(), ...await wordsOf("dev", "main.ts")];
    const dev = start(line, { cwd: project, env: { PORT: String(port) } });
    try {
      await until("the fault is told", () => dev.output().includes("en/about.md:1: "), 20_000);
      await until("it waits", () => dev.output().includes("Restarting on file change"), 20_000);
      await Deno.writeTextFile(file, sound);
      await until("the page is there", async () => {
        equal(dev.hasEnded(), false, dev.output());
        const response = await fetch(`http://127.0.0.1:${port}/about`).catch(() => undefined);
        await response?.body?.cancel();
        return response?.status === 200;
      }, 20_000);
    } finally {
      await dev.end("SIGKILL"); // SIGTERM ends the service, and the watcher waits for a change
    }
  }, { faulty: false }));
