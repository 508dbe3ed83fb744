/**
 * @module `deno task check`, `test`, `ok` and the tiers: runs `deno` on the same terminal, passes signals
 * on.
 */

import { stripVTControlCharacters } from "node:util";
import { type Command, InvalidArgumentError } from "commander";
import { EXIT_FAILED, runProgram, standardOutput } from "../cli/terminal.ts";
import config from "../deno.json" with { type: "json" };
import site from "../static/site.json" with { type: "json" };
import { SAMPLE, SAMPLE_TESTS, STAGES, type Step, task, type Tier, TIERS } from "./tiers.ts";

const DESCRIPTIONS: Readonly<Record<string, { readonly description: string }>> = config.tasks;

interface TestOptions {
  readonly filter?: string;
  readonly coverage?: string;
}

const output = standardOutput(EXIT_FAILED);

const children = new Set<Deno.ChildProcess>();
let isSignalled = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.addSignalListener(signal, () => {
    isSignalled = true;
    for (const child of children) child.kill(signal);
  });
}

/** What a step has shown; one that is no `deno test` counts as one test. */
interface Counts {
  readonly code: number;
  readonly passed: number;
  readonly failed: number;
  /** What it printed, if that did not go to the terminal. */
  readonly printed: readonly Uint8Array[];
}

interface Outcome extends Counts {
  readonly seconds: number;
}

interface DenoOptions {
  readonly env?: Tier["env"];
  /** Gets the output, which otherwise goes to the terminal. */
  readonly passOn?: (chunk: Uint8Array) => void;
  /** Whether that includes standard error. */
  readonly withErrors?: boolean;
}

/** The last line of what `deno test` prints to standard output, without its colours. */
const SUMMARY = /^(?:ok|FAILED) \| (\d+) passed\b.* \| (\d+) failed\b/gm;

/** Enough of the end of an output to have its last line. */
const TAIL_LENGTH = 1_000;

/** Runs this Deno, whatever is in PATH. @returns its exit code */
async function deno(
  args: readonly string[],
  { env = {}, passOn, withErrors = false }: DenoOptions = {},
): Promise<number> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...args],
    env,
    stdout: passOn === undefined ? "inherit" : "piped",
    stderr: withErrors ? "piped" : "inherit",
  }).spawn();
  children.add(child);
  const read = async (stream: ReadableStream<Uint8Array>) => {
    for await (const chunk of stream) passOn?.(chunk);
  };
  const [{ code }] = await Promise.all([
    child.status.finally(() => children.delete(child)),
    passOn && read(child.stdout),
    withErrors && read(child.stderr),
  ]);
  return code;
}

async function runTier(
  { files, flags, env, options = [], isProgram }: Tier,
  { only, filter, coverage, ...own }: TestOptions & { readonly only: readonly string[] },
): Promise<number> {
  const config = ["--config", "tests/deno.json", ...flags];
  const given = Object.entries(own).map(([name, value]) => `--${name}=${value}`);
  if (isProgram) return deno(["run", ...config, ...files, ...given], { env });
  const isSample = String([site.languages, site.plans]) ===
    String([SAMPLE.languages, SAMPLE.plans]);
  const ignored = isSample || only.length > 0 || !files.includes("tests") ? [] : SAMPLE_TESTS;
  if (ignored.length > 0) {
    output.err(
      `skipped: ${ignored.length} files that test the sample's languages and plans, ` +
        "which this site does not have\n",
    );
  }
  const code = await deno([
    // Their types are a step of `deno task check`.
    ...["test", ...config, "--no-check", "--parallel", "--sanitize-ops", "--sanitize-resources"],
    ...(filter === undefined ? [] : ["--filter", filter]),
    ...(coverage === undefined
      ? []
      : ["--clean", `--coverage=${coverage}`, "--coverage-raw-data-only"]),
    ...(ignored.length > 0 ? [`--ignore=${ignored.join()}`] : []),
    ...(only.length > 0 ? only : files),
    ...(options.length > 0 ? ["--", ...given] : []),
  ], { env });
  // A process that a test has killed leaves an empty file, which `deno coverage` refuses.
  if (coverage !== undefined) {
    await new Deno.Command("find", { args: [coverage, "-empty", "-delete"] }).output();
  }
  return code;
}

function write(stream: typeof Deno.stdout | typeof Deno.stderr, chunk: Uint8Array): void {
  for (let rest = chunk; rest.length > 0;) rest = rest.subarray(stream.writeSync(rest));
}

/** Never rejects: the steps after one that cannot be started are run too. */
async function runStep(step: Step, isQuiet: boolean): Promise<Outcome> {
  const began = performance.now();
  const outcome = await countTests(step, isQuiet).catch((error) => {
    const printed = [new TextEncoder().encode(`Cannot run ${step[0]}: ${error.message}\n`)];
    return { code: EXIT_FAILED, passed: 0, failed: 1, printed };
  });
  return { ...outcome, seconds: (performance.now() - began) / 1_000 };
}

async function countTests([name, ...line]: Step, isQuiet: boolean): Promise<Counts> {
  const printed: Uint8Array[] = [];
  const keep = (chunk: Uint8Array) => void printed.push(chunk);
  const tier = TIERS[name];
  if (tier === undefined || tier.isProgram) {
    const code = await deno(line, isQuiet ? { passOn: keep, withErrors: true } : {});
    const passed = Number(code === 0);
    return { code, passed, failed: 1 - passed, printed };
  }
  const decoder = new TextDecoder();
  let tail = "";
  const code = await deno(line, {
    passOn(chunk) {
      if (isQuiet) keep(chunk);
      else write(Deno.stdout, chunk);
      tail = (tail + decoder.decode(chunk, { stream: true })).slice(-TAIL_LENGTH);
    },
    withErrors: isQuiet,
  });
  const summary = [...stripVTControlCharacters(tail).matchAll(SUMMARY)].at(-1) ?? [];
  const [, passed = 0, failed = 0] = summary.map(Number);
  const hasRun = passed + failed > 0;
  return {
    code: code || Number(!hasRun),
    passed,
    failed: failed || Number(code > 0 || !hasRun),
    printed,
  };
}

/**
 * Starts two steps, and another whenever one ends; what a single one prints is shown at once.
 *
 * @returns their outcomes; undefined: not run
 */
function inPairs(steps: readonly Step[]): [Step, Promise<Outcome | undefined>][] {
  const all = steps.map((step) => ({ step, ...Promise.withResolvers<Outcome | undefined>() }));
  const queue = all.values();
  async function work(): Promise<void> {
    for (const { step, resolve } of queue) {
      resolve(isSignalled ? undefined : await runStep(step, steps.length > 1));
    }
  }
  for (let workers = 0; workers < 2; workers++) void work();
  return all.map(({ step, promise }) => [step, promise]);
}

async function runStages(stages: readonly (readonly Step[])[]): Promise<number> {
  const width = Math.max(...stages.flat().map(([name]) => name.length));
  const report: string[] = [];
  const total = { code: 0, passed: 0, failed: 0 };
  function count([name, ...line]: Step, outcome: Outcome | undefined): void {
    if (outcome === undefined) {
      report.push(`- ${name.padEnd(width)}  not run`);
      total.failed++;
      return;
    }
    const { code, passed, failed, seconds, printed } = outcome;
    for (const chunk of printed) write(Deno.stderr, chunk);
    const time = `${seconds.toFixed(1).padStart(6)} s`;
    const again = code === 0 ? "" : `   deno ${line.map(quoted).join(" ")}`;
    report.push(`${code === 0 ? "✓" : "✗"} ${name.padEnd(width)} ${time}${again}`);
    total.code = code || total.code;
    total.passed += passed;
    total.failed += failed;
  }
  for (const stage of stages) {
    for (const [step, outcome] of inPairs(stage)) {
      if (!isSignalled) output.err(`\n${step[0]}\n`);
      count(step, await outcome);
    }
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
      const read = flags.endsWith("<n>") ? wholeNumber : (text: string) => text;
      command.option(flags, description, read, value);
    }
    command.action(async () => {
      failed = await runTier(tier, { only: command.args, ...command.opts<TestOptions>() });
    });
  }
  const all = "Runs all steps even if one fails, and ends with a table and the number of tests.";
  const test = addTests(add(program, "test", `${all}\nWith files or --filter: those tests alone.`));
  test.action(async () => {
    const given = Deno.args.slice(1);
    failed = await runStages(given.length > 0 ? [[task("test:unit", ...given)]] : STAGES.test);
  });
  for (const name of ["check", "ok"] as const) {
    const steps = STAGES[name].flat().map(([step]) => step).join(", ");
    add(program, name, `${all}\nSteps: ${steps}.`)
      .action(async () => {
        failed = await runStages(STAGES[name]);
      });
  }
});
Deno.exit(invalid || failed);
