/** @module The program: its help, and what it says to a command line that makes no sense. */

import { match, ok, strictEqual as equal } from "node:assert/strict";
import { nearest } from "../../../cli/leads/nearest.ts";
import { COMMANDS, runProgram } from "../../../cli/leads/program.ts";
import { withCli } from "./fixture.ts";

/** Command lines that make no sense, and what is said about them. */
const NONSENSE: readonly (readonly [words: string, says: RegExp])[] = [
  ["lst", /^Cannot run lst: there is no such command; did you mean list\? \(list, show, /],
  ["exprot", /did you mean export\?/],
  ["frobnicate", /^Cannot run frobnicate: there is no such command \(list, show, .*, help\)$/],
  ["--json list", /^Cannot run --json: a command comes first; try deno task leads --help$/],
  ["help lsit", /did you mean list\?/],
  ["toString", /no such command/],
  ["list --jsno", /^Cannot list: there is no option --jsno; did you mean --json\?$/],
  ["list --frobnicate", /^Cannot list: .* --frobnicate; it has --state, --plan, .*, --json$/],
  ["list --constructor", /there is no option --constructor/],
  ["purge --now", /^Cannot purge: there is no option --now; it has none$/],
  ["list -x", /there is no option -x/],
  ["list --state", /^Cannot list: --state needs a value: waiting, delivered, dead, stored$/],
  ["list --json=yes", /^Cannot list: --json takes no value$/],
  ["list extra", /^Cannot list: 1 words? where none should be; usage: deno task leads list/],
  ["show", /^Cannot show: something is missing; usage: deno task leads show ID/],
  ["show a b", /^Cannot show: 2 words where one should be; usage: /],
];

Deno.test("a command line that makes no sense gets one helpful line and exit code 2", () =>
  withCli(async ({ run }) => {
    for (const [words, says] of NONSENSE) {
      const { code, out, err } = await run(...words.split(" "));
      equal(code, 2, words);
      equal(out, "", words);
      match(err.trimEnd(), says);
      equal(err.split("\n").length, 2, words);
    }
  }));

Deno.test("help needs no KV: of the program, and of every command with an example", () =>
  withCli(async ({ terminal }) => {
    let text = "";
    terminal.out = (more) => text += more;
    const open = () => Promise.reject(new Error("KV was opened"));
    async function help(...words: string[]): Promise<string> {
      text = "";
      equal(await runProgram(words, { terminal, open }), 0);
      return text;
    }
    const program = await help("--help");
    for (const words of [[], ["-h"], ["help"], ["help", "--help"]]) {
      equal(await help(...words), program);
    }
    for (const { name, usage, options } of COMMANDS) {
      match(program, new RegExp(`\n  ${name} `));
      const own = await help(name, "--help");
      equal(await help("help", name), own);
      ok(own.includes(`Usage: deno task leads ${usage}\n`), name);
      match(own, new RegExp(`\nExamples?\n  deno task leads ${name}`));
      for (const option of [...Object.keys(options), "help"]) ok(own.includes(`  --${option}`));
    }
  }));

Deno.test("a failure is one line and exit code 1", () =>
  withCli(async ({ terminal }) => {
    let err = "";
    terminal.err = (text) => err += text;
    const open = () => Promise.reject(new Error("Cannot open KV: locked"));
    equal(await runProgram(["list"], { terminal, open }), 1);
    equal(err, "Cannot open KV: locked\n");
  }));

const NEAREST: readonly (readonly [typed: string, found: string | undefined])[] = [
  ["list", "list"],
  ["lits", "list"],
  ["sta", "stats"],
  ["exprot", "export"],
  ["remove", undefined],
  ["", undefined],
  ["completely different", undefined],
];

Deno.test("nearest() finds what was probably meant, or nothing", () => {
  for (const [typed, found] of NEAREST) {
    equal(nearest(typed, ["list", "stats", "export", "erase"]), found, typed);
  }
});
