/** @module `deno task contract`. Exit code 0: contract kept; 1: broken; 2: it could not run. */

import { pathToFileURL } from "node:url";
import { CannotRun, named, print } from "./lib/cannot_run.ts";
import { runProgram, UsageError } from "./lib/command_line.ts";
import { quoted } from "./lib/exchange.ts";
import { COMMAND, headersBy, type Options, parseOptions } from "./run/options.ts";
import { writeReports } from "./report/files.ts";
import { annotations, terminalReport } from "./report/terminal.ts";
import { readProfile } from "./oracle/profile.ts";
import { run } from "./run/run.ts";
import { keepSecret } from "./lib/secrets.ts";
import { readCounterexample, replayTier } from "./tiers/corpus.ts";
import { readChecks } from "./oracle/check.ts";
import { createLauncher } from "./service/instances/launcher.ts";
import { TIERS } from "./service/tiers.ts";
import { readWaivers } from "./run/waivers.ts";

const PASSED = 0;
const VIOLATED = 1;
const FAILED = 2;

const SERVICE = new URL("service/", import.meta.url);

async function main(args: readonly string[]): Promise<number> {
  const options = parseOptions(args, (name) => Deno.env.get(name));
  for (const header of options.headers) keepSecret(header);
  if (options.tiers.includes("help")) {
    print(TIERS.map(({ name, tries }) => `${name.padEnd(12)}${tries}`).join("\n"));
    return PASSED;
  }
  const { url, report, generic } = options;
  const planned = await planOf(options);
  for (const [name, path] of Object.entries({ report, corpus: options.corpus })) {
    if (path !== undefined) await writing(`--${name} ${path}`, () => checkFolder(path));
  }
  const { checks: file } = options;
  const checks = file && await named(`--checks ${file}`, readChecks(pathToFileURL(file)));
  const { headers, renew } = await headersBy(options);
  const { interrupted, code } = interruption();
  const result = await run({
    ...options,
    ...planned,
    checks: checks || undefined,
    headers,
    renew,
    cases: generic ? undefined : casesOf(options),
    orGeneric: url === undefined || options.cases !== undefined
      ? undefined
      : options.waivers === undefined
      ? []
      : planned.waivers,
    launcher: url === undefined ? createLauncher(new URL("../../", SERVICE)) : undefined,
    interrupted,
    command: commandOf(options),
    progress: showProgress,
  });
  print(terminalReport(result));
  if (options.annotate) print(annotations(result));
  if (report !== undefined) {
    await writing(`--report ${report}`, () => writeReports(report, result));
  }
  return code() ?? (result.failed ? FAILED : result.passed ? PASSED : VIOLATED);
}

/** The command that tests the same service again; the values of headers are in variables. */
function commandOf(options: Options): string {
  const names = ["url", "generic", "live", "document", "cases", "checks"] as const;
  const words = names.flatMap((name) => {
    const value = options[name];
    if (value === undefined || value === false) return [];
    return value === true ? [`--${name}`] : [`--${name}`, value];
  });
  const headers = [...options.headers, ...options.commands].flatMap(([name]) => ["--header", name]);
  return ["deno task contract", ...[...words, ...headers].map(quoted)].join(" ");
}

async function planOf(options: Options) {
  const { replay, tiers, live, waivers, corpus } = options;
  // Waivers and corpus are in the folder of cases.
  const own = options.generic ? undefined : casesOf(options);
  if (options.cases !== undefined) await named("--cases", readProfile(casesOf(options)));
  if (replay !== undefined) {
    const [, path, number = ""] = /^(.*?)(#\d+)?$/.exec(replay)!;
    const file = new URL(number, pathToFileURL(path!));
    await named("--replay", readCounterexample(file));
    const tier = replayTier(file, print);
    return { tiers: [tier], complete: false, corpus: undefined, waivers: [] };
  }
  const stored = corpus === undefined ? undefined : pathToFileURL(`${corpus}/`);
  return {
    tiers: selectedTiers(tiers),
    complete: tiers.length === 0 && !live,
    corpus: stored,
    replayed: live ? undefined : stored ?? (own && new URL("corpus/", own)),
    waivers: waivers !== undefined
      ? await named("--waivers", readWaivers(pathToFileURL(waivers), { isNeeded: true }))
      : own === undefined
      ? []
      : await readWaivers(new URL("waivers.yaml", own)),
  };
}

function selectedTiers(names: readonly string[]) {
  const unknown = names.filter((name) => !TIERS.some((tier) => tier.name === name));
  if (unknown.length > 0) {
    const known = TIERS.map(({ name }) => name).join(", ");
    throw new UsageError(`--only knows ${known}, not ${unknown.join(", ")}`);
  }
  return TIERS.filter(({ name }) => names.length === 0 || names.includes(name));
}

function casesOf({ cases }: Options): URL {
  return cases === undefined ? SERVICE : pathToFileURL(`${cases}/`);
}

/** Creates a folder, so that a run does not end without its report. */
async function checkFolder(path: string): Promise<void> {
  await Deno.mkdir(path, { recursive: true });
  await Deno.remove(await Deno.makeTempFile({ dir: path }));
}

async function writing(what: string, write: () => Promise<void>): Promise<void> {
  await write().catch(({ message }: Error) => {
    throw new CannotRun(`${what} cannot be written: ${message.split(":")[0]}`);
  });
}

/** Resolves on the first SIGINT or SIGTERM, and exits on the second. */
function interruption() {
  const { promise: interrupted, resolve } = Promise.withResolvers<void>();
  let code: number | undefined;
  for (const [signal, number] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
    Deno.addSignalListener(signal, () => {
      if (code !== undefined) Deno.exit(number);
      code = number;
      resolve();
    });
  }
  return { interrupted, code: () => code };
}

/** Between two lines of progress without a terminal, in milliseconds. */
const QUIET_MS = 10_000;

let shownAt = performance.now();

function showProgress(tier: string, done: number, total: number): void {
  const isTerminal = Deno.stderr.isTerminal();
  if (!isTerminal) {
    if (performance.now() - shownAt < QUIET_MS) return;
    shownAt = performance.now();
  }
  const text = `${tier} ${done} of ${total}`;
  const line = isTerminal ? `\r\x1b[K${done < total ? text : ""}` : `${text}\n`;
  Deno.stderr.writeSync(new TextEncoder().encode(line));
}

await runProgram(COMMAND, main);
