/**
 * @module Faulty pages, reported by check, start and doctor as processes on a copy of the project.
 * `tests/site/check_test.ts` covers every kind of fault.
 */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { Finding } from "../../cli/doctor/finding.ts";
import { pageText } from "../site/fixture.ts";
import { copyProject } from "../support/checkout.ts";
import { runDeno } from "../support/command.ts";
import { freePort, runToItsEnd, withFolder } from "../support/service.ts";

const FAULTY: Readonly<Record<string, string>> = {
  "de/Über uns.md": pageText("# Über uns\n"),
  "en/contact.md": pageText("# Contact\n\n{{nope}}\n"),
  "en/index.md": "# Home\n",
};

const FAULTS = [
  "static/pages/de/Über uns.md:1: the name is not one of ",
  "static/pages/en/contact.md:9: the placeholder `nope` is unknown; known are ",
  "static/pages/en/index.md:1: front matter between two `---` lines is missing",
];

/** A part of `deno task check`. */
const CHECK = ["run", "--allow-env", "--allow-read=static", "tests/support/check_pages.ts"];

/** Runs a test with a copy of the project, whose path ends in a slash. */
function withCopy(test: (project: string) => Promise<void>): Promise<void> {
  return withFolder(async (folder) => {
    await copyProject(folder);
    await test(`${folder}/`);
  });
}

function assertFaults(lines: readonly string[], expected: readonly string[] = FAULTS): void {
  for (const fault of expected) {
    ok(lines.some((line) => line.trimStart().startsWith(fault)), `${fault}: ${lines.join("\n")}`);
  }
}

Deno.test("check, doctor and start fail with each fault of the pages, by file and line", () =>
  withCopy(async (project) => {
    for (const [file, text] of Object.entries(FAULTY)) {
      await Deno.writeTextFile(`${project}static/pages/${file}`, text);
    }
    const styles = ":root {\n  --brand: teal;\n  --accent: #f2a900\n}\n";
    await Deno.writeTextFile(`${project}static/styles/brand.css`, styles);
    const checked = await runDeno(CHECK, { cwd: project });
    equal(checked.code, 1);
    const colours = ["brand", "accent"].map((name) =>
      `static/styles/brand.css:1: it must have one line such as --${name}: #`
    );
    assertFaults(checked.err.split("\n"), [...FAULTS, ...colours]);

    const doctor = await runDeno(["task", "doctor", "--json"], { cwd: project });
    equal(doctor.code, 1, doctor.err);
    const { findings }: { findings: Finding[] } = JSON.parse(doctor.out);
    const found = findings.filter(({ check }) => check === "pages");
    deepEqual(new Set(found.map(({ state }) => state)), new Set(["fail"]));
    assertFaults(found.map(({ message }) => message));

    await Deno.remove(`${project}static/pages/de/contact.md`);
    const { code, output } = await runToItsEnd(project, { PORT: String(freePort()) }, { project });
    equal(code, 2);
    const lines = output.split("Cannot use the pages:\n")[1]!.trimEnd().split("\n");
    const expected = ["static/pages/de/contact.md:1: there is no such page", ...FAULTS];
    equal(lines.length, expected.length, output);
    assertFaults(lines, expected);
  }));
