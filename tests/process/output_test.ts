/**
 * @module What the operators' programs print: on a terminal nothing that controls it, in files and pipes
 * every byte; and why they cannot print.
 */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { type Ended, run, start } from "../support/command.ts";
import { postLead } from "../support/post_lead.ts";
import { freePort, runToItsEnd, withFolder, withRunningService } from "../support/service.ts";
import { taskFlags } from "../support/start_task.ts";
import { until } from "../support/until.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** C0 with a lone CR, DEL, C1, bidirectional controls, line separators. */
const CONTROLS = "a\x1b[2Jb\x07c\rd\x7fe\x85f\x9b31mg\u061Ch\u200Ei\u202Ej\u2066k\u2028l\u2029m";

const LEAD = {
  email: "ada@example.com",
  company: `Example ${CONTROLS}`,
  locale: "en",
  message: `One\r\nTwo\n\tThree ${CONTROLS}`,
};

/** A hostile word that a message repeats. */
const WORD = "x\x1b[31m\u202E";

const LINES: readonly (readonly [program: "leads" | "doctor", ...words: string[]])[] = [
  ["leads", "list"],
  ["leads", "show", "0"],
  ["leads", "export", "--format", "csv"],
  ["leads", WORD],
  ["doctor", `--for=${WORD}`],
];

async function commandLine(program: "leads" | "doctor", words: readonly string[]) {
  const flags = await taskFlags(program, ROOT);
  return [Deno.execPath(), ...flags, "--no-prompt", `${ROOT}cli/${program}.ts`, ...words];
}

/** Runs a program in bash, as `"$@"`. */
async function shell(
  script: string,
  [program, ...words]: typeof LINES[number],
  { folder, env = {} }: { readonly folder: string; readonly env?: Record<string, string> },
): Promise<Ended> {
  const line = ["bash", "-c", script, "bash", ...await commandLine(program, words)];
  return await run(line, { cwd: folder, env });
}

Deno.test("no text of a lead or a word of the command line controls a terminal", () =>
  withRunningService(async ({ url, folder, output }) => {
    const answer = await postLead(url, LEAD);
    equal((await answer.json()).ok, true);
    const env = { TERM: "xterm", SITE_NAME: "Example \u202E" };
    const terminal = `printf -v line '%q ' "$@"; SHELL=/bin/bash script -qec "$line" /dev/null`;
    await Promise.all(LINES.map(async (line) => {
      const { out } = await shell(terminal, line, { folder, env });
      const found = out.match(/[^\P{Cc}\t\n\r]|[\p{Bidi_Control}\u2028\u2029]|\r(?!\n)/gu);
      deepEqual(found, null, `${line} printed ${JSON.stringify(out)}`);
      ok(out.length > 30, `${line} printed ${out}`);
    }));
    const csv = await shell(`"$@"`, ["leads", "export", "--format", "csv"], { folder });
    ok(csv.out.includes(`"${LEAD.message.replaceAll('"', '""')}"`), JSON.stringify(csv.out));
    ok(!output().includes("\u202E"), "the start printed the name");
  }, { SITE_NAME: "Example \u202E" }));

Deno.test("a start that fails prints no control characters", () =>
  withFolder(async (folder) => {
    const { output } = await runToItsEnd(folder, { HOST: WORD, PORT: String(freePort()) });
    match(output, /^Cannot listen on x\uFFFD\[31m\uFFFD:/m);
  }));

Deno.test("a program that cannot write its output says why; a closed pipe ends it quietly", () =>
  withRunningService(async ({ url, folder }) => {
    await (await postLead(url)).body?.cancel();
    const lines = ["leads list", "leads export --format csv", "doctor --no-send"]
      .map((line) => line.split(" ") as ["leads" | "doctor", ...string[]]);
    await Promise.all(lines.map(async (line) => {
      const { code, err } = await shell(`"$@" > /dev/full`, line, { folder });
      equal(code, 1, `${line}`);
      match(
        err,
        /^(?:LEAD_TARGETS is not .*\n)?Cannot write the output: no space left on device\n$/,
      );
      const pipe = await shell(`"$@" | { read -r; }; exit \${PIPESTATUS[0]}`, line, { folder });
      equal(pipe.code, line[0] === "doctor" ? 1 : 0, `${line}`);
      equal(pipe.err.replace(/^(?:LEAD_TARGETS is not .*|1 lead exported)\n/, ""), "", `${line}`);
    }));
  }));

Deno.test("a watch that cannot write its output ends and says why", () =>
  withRunningService(async ({ url, folder }) => {
    const post = async (company: string) => {
      await (await postLead(url, { ...LEAD, company })).body?.cancel();
    };
    await post("First");
    // The signal of a write beyond the limit would end the process.
    const script = `trap "" XFSZ; unset DENO_COVERAGE_DIR; exec "$@" > watched`;
    const line = await commandLine("leads", ["list", "--watch"]);
    const watch = start(["bash", "-c", script, "bash", ...line], { cwd: folder });
    const watched = () => Deno.readTextFile(`${folder}/watched`).catch(() => "");
    await until("the watch has begun", async () => (await watched()).endsWith("1 lead\n"), 20_000);
    await run(["prlimit", `--pid=${watch.pid}`, "--fsize=1:unlimited"]);
    await post("Second");
    equal(await watch.finished, 1);
    equal(watch.output(), "Cannot write the output: file too large\n");
  }));
