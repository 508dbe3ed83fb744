/** @module The tasks read `.env` without a flag; what is set wins, and what is not read is named. */

import { match, ok, strictEqual as equal } from "node:assert/strict";
import { copyProject } from "../support/checkout.ts";
import { runDeno } from "../support/command.ts";
import { withCopy, withDev } from "../support/dev_task.ts";
import { freePort, withFolder } from "../support/service.ts";
import { runTask } from "../support/start_task.ts";
import { until } from "../support/until.ts";

const GOOD = "KV_PATH=.data/file.sqlite\n";
const BAD = `${GOOD}LEAD_WEBHOOK_SECRET=secret-word\nLEAD_TARGETS=secret-word\n`;
const SITE_URL = "https://www.example.invalid";

interface Run {
  readonly title: string;
  /** The contents of `.env`; null: a folder. */
  readonly file?: string | Uint8Array | null;
  readonly words: string;
  readonly env?: Record<string, string>;
  readonly code?: number;
  readonly prints: RegExp;
}

const RUNS: readonly Run[] = [
  {
    title: "there need be none",
    words: "leads list",
    code: 1,
    prints: /\.data\/frontdoor\.sqlite/,
  },
  {
    title: "the doctor reads it",
    file: GOOD,
    words: "doctor --no-send",
    prints: /valid; \.env has been read\.\n[^]*\.data\/file\.sqlite: does not exist yet/,
  },
  {
    title: "a variable that is set wins",
    file: GOOD,
    words: "leads list",
    env: { KV_PATH: ".data/set.sqlite" },
    code: 1,
    prints: /^Cannot open KV at \.data\/set\.sqlite/,
  },
  {
    title: "a file that is given wins",
    file: GOOD,
    words: "--env-file=given leads list",
    code: 1,
    prints: /^Cannot open KV at \.data\/given\.sqlite/,
  },
  {
    title: "the doctor warns that it is not on Deno Deploy",
    file: "KV_PATH=\n",
    words: "doctor --no-send --for deploy",
    prints: /^warn {2}configuration: variables of \.env count here/m,
  },
  {
    title: "leads reads it",
    file: GOOD,
    words: "leads list",
    code: 1,
    prints: /^Cannot open KV at \.data\/file\.sqlite/,
  },
  {
    title: "an invalid value in it is named by its variable",
    file: BAD,
    words: "start",
    code: 2,
    prints: /\n {2}LEAD_TARGETS entry 1 must .*\n {2}LEAD_WEBHOOK_SECRET entry 1 must be whsec_/,
  },
  {
    title: "leads ends if Deno could not read a line of it",
    file: `\uFEFF${BAD}`,
    words: "leads list",
    code: 2,
    prints: /\n {2}KV_PATH in \.env could not be read: /,
  },
  {
    title: "one that cannot be read ends the start",
    file: null,
    words: "start",
    code: 2,
    prints: /\n {2}\.env cannot be read: is a directory\n/,
  },
  {
    title: "one that is not UTF-8 ends the start",
    file: Uint8Array.of(0xff, 0xfe, 65),
    words: "start",
    code: 2,
    prints: /\n {2}\.env cannot be read: it is not UTF-8\n/,
  },
];

function bytesOf(file: string | Uint8Array): Uint8Array {
  return typeof file === "string" ? new TextEncoder().encode(file) : file;
}

Deno.test("tasks read .env without a flag, and print no value of it", () =>
  withFolder(async (cwd) => {
    await copyProject(cwd);
    await Deno.writeTextFile(`${cwd}/given`, "KV_PATH=.data/given.sqlite\n");
    for (const { title, file, words, env = { SITE_URL }, code = 0, prints } of RUNS) {
      if (file === null) await Deno.mkdir(`${cwd}/.env`);
      else if (file !== undefined) await Deno.writeFile(`${cwd}/.env`, bytesOf(file));
      const ended = words.startsWith("-")
        ? await runDeno(["task", "-q", ...words.split(" ")], { cwd, env })
        : await runTask(words, { cwd, env });
      if (file !== undefined) await Deno.remove(`${cwd}/.env`);
      const printed = ended.out + ended.err;
      equal(ended.code, code, `${title}: ${printed}`);
      match(printed, prints, title);
      ok(!/secret-word|Warning/.test(printed), printed);
    }
  }));

Deno.test("dev reads .env, and again when it changes; the summary names it", () =>
  withCopy(async (project) => {
    const write = (name: string) =>
      Deno.writeTextFile(`${project}.env`, `PORT=${freePort()}\nSITE_NAME=${name}\n`);
    await write("First");
    await withDev(async ({ output }) => {
      await until("it starts", () => /^First on .*\n[^]*settings +\.env$/m.test(output()));
      await write("Second\n\uFEFFLEAD_RETENTION=1d");
      const second = /^Second on .*\n[^]*settings +\.env, but not in use: LEAD_RETENTION$/m;
      await until("it starts again", () => second.test(output()), 20_000);
    }, { project });
  }));
