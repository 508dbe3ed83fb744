/**
 * @module Pages that cannot be served: what start, doctor and `deno task dev` say of them, as
 * processes, on a copy of the project.
 */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { pageText } from "../site/fixture.ts";
import { copyProject } from "../support/checkout.ts";
import { runDeno, start } from "../support/command.ts";
import { freePort, runToItsEnd, withFolder } from "../support/service.ts";
import { until } from "../support/until.ts";

const FAULTS = [
  "static/pages/de/docs.md:2: front matter is not in the form `name: value`",
  "static/pages/en/about.md:3: `description` must be one line of text",
  "static/pages/en/about.md:4: `updated` must be a day",
  "static/pages/en/contact.md:9: the placeholder `nope` is unknown; known are ",
  "static/pages/en/index.md:1: front matter between two `---` lines is missing",
];

/** Runs a test with a copy of the project, whose path ends in a slash. */
function withCopy(test: (project: string) => Promise<void>): Promise<void> {
  return withFolder(async (folder) => {
    await copyProject(folder);
    await test(`${folder}/`);
  });
}

/** Puts each of {@link FAULTS} into its file. */
async function spoil(project: string): Promise<void> {
  const pages = `${project}static/pages`;
  await Deno.writeTextFile(`${pages}/de/docs.md`, "---\n- title\n---\n# Docs\n");
  const faulty = pageText("# About\n", { description: "404", updated: "yesterday" });
  await Deno.writeTextFile(`${pages}/en/about.md`, faulty);
  await Deno.writeTextFile(`${pages}/en/contact.md`, pageText("# Contact\n\n{{nope}}\n"));
  await Deno.writeTextFile(`${pages}/en/index.md`, "# Home\n");
}

Deno.test("a start with faulty pages is refused with exit code 2, and every fault by file and line", () =>
  withCopy(async (project) => {
    await spoil(project);
    const env = { PORT: String(freePort()) };
    const { code, output } = await runToItsEnd(project, env, { project });
    equal(code, 2);
    const [, said = ""] = output.split("Cannot use the pages:\n");
    const lines = said.trimEnd().split("\n");
    equal(lines.length, FAULTS.length, said);
    for (const [at, line] of lines.entries()) ok(line.startsWith(`  ${FAULTS[at]}`), line);
  }));

Deno.test("a file whose name cannot be a URL is told with every other fault", () =>
  withCopy(async (project) => {
    await spoil(project);
    await Deno.writeTextFile(`${project}static/pages/de/Über uns.md`, pageText("# Über uns\n"));
    const { code, output } = await runToItsEnd(project, { PORT: String(freePort()) }, { project });
    equal(code, 2);
    const [, said = ""] = output.split("Cannot use the pages:\n");
    const named = "static/pages/de/Über uns.md:1: the name is not one of ";
    for (const fault of [named, ...FAULTS]) ok(`\n${said}`.includes(`\n  ${fault}`), said);
  }));

Deno.test("a start without the pages is refused with exit code 2", () =>
  withCopy(async (project) => {
    await Deno.remove(`${project}static/pages`, { recursive: true });
    const env = { PORT: String(freePort()) };
    const { code, output } = await runToItsEnd(project, env, { project });
    equal(code, 2);
    match(output, /^Cannot read the pages: No such file or directory/m);
  }));

Deno.test("the doctor fails with every fault of the pages", () =>
  withCopy(async (project) => {
    await spoil(project);
    const { code, out, err } = await runDeno(["task", "doctor", "--json"], { cwd: project });
    equal(code, 1, err);
    const findings: { check: string; state: string; message: string }[] = JSON.parse(out).findings;
    const found = findings.filter(({ check }) => check === "pages");
    deepEqual(found.map(({ state }) => state), FAULTS.map(() => "fail"));
    for (const [at, { message }] of found.entries()) ok(message.startsWith(FAULTS[at]!), message);
  }));

Deno.test("deno task dev tells a fault, waits for the author, and serves once it is corrected", () =>
  withCopy(async (project) => {
    const file = `${project}static/pages/en/about.md`;
    const sound = await Deno.readTextFile(file);
    await Deno.writeTextFile(file, "# About\n");
    const port = freePort();
    // Not by `deno task`, whose child would outlive the signal that ends it.
    const { tasks } = JSON.parse(await Deno.readTextFile(`${project}deno.json`));
    const [, ...words] = String(tasks.dev.command).split(" ");
    const dev = start([Deno.execPath(), ...words], { cwd: project, env: { PORT: String(port) } });
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
  }));
