/**
 * @module `deno task check`, `test`, `ok` and the tiers: runs `deno` on the same terminal, passes signals
 * on.
 */

import { stripVTControlCharacters } from "node:util";
import { type Command, InvalidArgumentError } from "commander";
import { EXIT_FAILED, runProgram, standardOutput } from "../cli/terminal.ts";
import config from "../deno.json" with { type: "json" };
import site from "../static/site.json" with { type: "json" };
import { SAMPLE, SAMPLE_TESTS, type Step, STEPS, task, type Tier, TIERS } from "./tiers.ts";

const DESCRIPTIONS: Readonly<Record<string, { readonly description: string }>> = config.tasks;

interface TestOptions {
  readonly filter?: string;
  readonly coverage?: string;
}

const output = standardOutput(EXIT_FAILED);
let isSignalled = false;

/** What a step has shown; one that is no `deno test` counts as one test. */
interface Outcome {
  readonly code: number;
  readonly passed: number;
  readonly failed: number;
}

/** The last line of `deno test`, without its colours. */
const SUMMARY = /^(?:ok|FAILED) \| (\d+) passed\b.* \| (\d+) failed\b/;

/** Enough of the end of an output to have its last line. */
const TAIL_LENGTH = 1_000;

/**
 * Runs this Deno, whatever is in PATH.
 *
 * @param passOn gets the standard output, which otherwise goes to the terminal
 * @returns its exit code
 */
async function deno(
  args: readonly string[],
  { env = {}, passOn }: {
    readonly env?: Tier["env"];
    readonly passOn?: (chunk: Uint8Array<ArrayBuffer>) => void;
  } = {},
): Promise<number> {
  const stdout = passOn === undefined ? "inherit" : "piped";
  const child = new Deno.Command(Deno.execPath(), { args: [...args], env, stdout }).spawn();
  const listeners = (["SIGINT", "SIGTERM"] as const).map((signal) => {
    function kill(): void {
      isSignalled = true;
      child.kill(signal);
    }
    Deno.addSignalListener(signal, kill);
    return () => Deno.removeSignalListener(signal, kill);
  });
  if (passOn !== undefined) { for await (const chunk of child.stdout) passOn(chunk); }
  const { code } = await child.status;
  for (const remove of listeners) remove();
  return code;
}

function runTier(
  { files, flags, env, options = [], isProgram }: Tier,
  { only, filter, coverage, ...own }: TestOptions & { readonly only: readonly string[] },
): Promise<number> {
  const config = ["--config", "tests/deno.json", ...flags];
  if (isProgram) return deno(["run", ...config, ...files], { env });
  const isSample = String([site.languages, site.plans]) ===
    String([SAMPLE.languages, SAMPLE.plans]);
  const ignored = isSample || only.length > 0 || !files.includes("tests") ? [] : SAMPLE_TESTS;
  if (ignored.length > 0) {
    output.err(
      `skipped: ${ignored.length} files that test the sample's languages and plans, ` +
        "which this site does not have\n",
    );
  }
  return deno([
    ...["test", ...config, "--parallel", "--sanitize-ops", "--sanitize-resources"],
    ...(filter === undefined ? [] : ["--filter", filter]),
    ...(coverage === undefined
      ? []
      : ["--clean", `--coverage=${coverage}`, "--coverage-raw-data-only"]),
    ...(ignored.length > 0 ? [`--ignore=${ignored.join()}`] : []),
    ...(only.length > 0 ? only : files),
    ...(options.length > 0 ? ["--"] : []),
    ...Object.entries(own).map(([name, value]) => `--${name}=${value}`),
  ], { env });
}

async function runStep([name, ...line]: Step): Promise<Outcome> {
  const tier = TIERS[name];
  if (tier === undefined || tier.isProgram) {
    const code = await deno(line);
    return { code, passed: Number(code === 0), failed: Number(code !== 0) };
  }
  const decoder = new TextDecoder();
  let tail = "";
  const code = await deno(line, {
    passOn(chunk) {
      for (let rest = chunk; rest.length > 0;) rest = rest.subarray(Deno.stdout.writeSync(rest));
      tail = (tail + decoder.decode(chunk, { stream: true })).slice(-TAIL_LENGTH);
    },
  });
  const last = stripVTControlCharacters(tail).trimEnd().split("\n").at(-1)!;
  const [, passed = 0, failed = 0] = (SUMMARY.exec(last) ?? []).map(Number);
  const hasRun = passed + failed > 0;
  return { code: code || Number(!hasRun), passed, failed: failed || Number(code > 0 || !hasRun) };
}

async function runSteps(steps: readonly Step[]): Promise<number> {
  const width = Math.max(...steps.map(([name]) => name.length));
  const report: string[] = [];
  const total = { code: 0, passed: 0, failed: 0 };
  for (const step of steps) {
    const [name, ...line] = step;
    if (isSignalled) {
      report.push(`- ${name.padEnd(width)}  not run`);
      total.failed++;
      continue;
    }
    output.err(`\n${name}\n`);
    const began = performance.now();
    const { code, passed, failed } = await runStep(step);
    const seconds = ((performance.now() - began) / 1_000).toFixed(1).padStart(6);
    const again = code === 0 ? "" : `   deno ${line.map(quoted).join(" ")}`;
    report.push(`${code === 0 ? "✓" : "✗"} ${name.padEnd(width)} ${seconds} s${again}`);
    total.code = code || total.code;
    total.passed += passed;
    total.failed += failed;
  }
  output.err(`\n${report.join("\n")}\n\n`);
  output.out(`${total.passed} passed, ${total.failed} failed\n`);
  return total.code || Number(isSignalled);
}

function quoted(word: string): string {
  return /^[\w./:=-]+$/.test(word) ? word : `'${word}'`;
}

function wholeNumber(text: string): string {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("It takes a whole number.");
  return text;
}

function add(program: Command, name: string, note: string): Command {
  return program.command(name).description(`${DESCRIPTIONS[name]!.description}\n\n${note}`)
    .showHelpAfterError(`deno task ${name} --help lists the options`);
}

function addTests(command: Command): Command {
  return command.argument("[files...]", "run only these files")
    .option("--filter <text>", "run only tests whose names contain it, or match /it/");
}

let failed = 0;
const invalid = await runProgram({ name: "deno task", words: Deno.args, ...output }, (program) => {
  for (const [name, tier] of Object.entries(TIERS)) {
    const command = add(program, name, tier.note);
    if (!tier.isProgram) {
      addTests(command).option("--coverage <dir>", "write coverage there, for deno coverage");
    }
    for (const [flags, description, value] of tier.options ?? []) {
      command.option(flags, description, wholeNumber, value);
    }
    command.action(async () => {
      failed = await runTier(tier, { only: command.args, ...command.opts<TestOptions>() });
    });
  }
  const all = "Runs all steps even if one fails, and ends with a table and the number of tests.";
  const test = addTests(add(program, "test", `${all}\nWith files or --filter: those tests alone.`));
  test.action(async () => {
    const given = Deno.args.slice(1);
    failed = await runSteps(given.length > 0 ? [task("test:unit", ...given)] : STEPS.test);
  });
  for (const name of ["check", "ok"] as const) {
    const steps = STEPS[name].map(([step]) => step).join(", ");
    add(program, name, `${all}\nSteps: ${steps}.`)
      .action(async () => {
        failed = await runSteps(STEPS[name]);
      });
  }
});
Deno.exit(invalid || failed);
