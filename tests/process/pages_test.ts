/**
 * @module A faulty page stops check, doctor and start, each a process on a copy of the project.
 * `tests/site/check_test.ts` covers every kind of fault.
 */

import { match, strictEqual as equal } from "node:assert/strict";
import { pageText } from "../site/fixture.ts";
import { copyProject } from "../support/checkout.ts";
import { runDeno } from "../support/command.ts";
import { freePort, withFolder } from "../support/service.ts";

/** A part of `deno task check`, and two tasks; how each begins the line of a fault, and its exit code. */
const PROGRAMS = [
  ["run --allow-env --allow-read=static tests/support/check_pages.ts", "", 1],
  ["task -q doctor --no-send", "FAIL  pages: ", 1],
  ["task -q start", "  ", 2],
] as const;

Deno.test("check, doctor and start fail with each fault of the pages, by file and line", () =>
  withFolder(async (cwd) => {
    await copyProject(cwd);
    const page = pageText("# Contact\n\n{{nope}}\n{{none}}\n");
    await Deno.writeTextFile(`${cwd}/static/pages/de/contact.md`, page);
    const env = { PORT: String(freePort()) };
    await Promise.all(PROGRAMS.map(async ([line, begin, expected]) => {
      const { code, out, err } = await runDeno(line.split(" "), { cwd, env });
      equal(code, expected, out + err);
      for (const [at, name] of [[9, "nope"], [10, "none"]]) {
        const fault = `static/pages/de/contact\\.md:${at}: the placeholder \`${name}\``;
        match(out + err, new RegExp(`^${begin}${fault} is unknown; known are `, "m"));
      }
    }));
    // A name that cannot be a URL ends the start before it listens.
    await Deno.writeTextFile(`${cwd}/static/pages/de/Über uns.md`, page);
    const { code, err } = await runDeno(["task", "-q", "start"], { cwd, env });
    equal(code, 2);
    match(err, /de\/contact\.md:9: [^]*de\/Über uns\.md:1: the name is not one of /);
  }));
