/**
 * @module `deno task bench:guard`: the processor time of a request and of a start, beside the commit that
 * this one is based on, both measured by turns. Exit code 1: a row took 10 % more, twice; 2: could not
 * measure.
 */

// deno-lint-ignore-file no-console -- a program that prints

import { parseArgs } from "node:util";
import { run } from "../../support/command.ts";
import { processorMs } from "../../support/process_figures.ts";
import { ask } from "../../support/raw_http.ts";
import { withFolder } from "../../support/service.ts";
import { load } from "./load.ts";
import { prepare } from "./measure.ts";
import { inTurn, median } from "./report.ts";
import { ANSWERS, STARTS, VISITOR } from "./rows.ts";
import { launch, type Program, ROOT, type Server, serviceProgram } from "./servers.ts";

const MOST = 1.1;
const [SLICE_MS, WARM_UP_MS, ROUNDS, STARTS_BEFORE] = [500, 1_000, 4, 2];
/** It is read in steps of 10 ms, and a busy machine gives a server little of it in a slice. */
const [LEAST_MS, MOST_SLICES] = [200, 5];
/** Of the same code, two processes differ by up to 18 % for as long as they live. */
const PAIRS = 2;
const NAMES = ["health", "home-html", "304", "404", "429", "400", "lead", "start-home"];

/** Its measures: milliseconds of processor time. */
type Measure = () => Promise<number>;

async function git(...words: readonly string[]): Promise<string> {
  const { code, out } = await run(["git", ...words], { cwd: ROOT });
  return code === 0 ? out.trim() : "";
}

/** The first that exists: what BASE_COMMIT names, where this branch left main, the one before this. */
async function baseCommit(): Promise<string | undefined> {
  const head = await git("rev-parse", "HEAD");
  const candidates = await Promise.all([
    // GitHub names zeros for a new branch, and after a forced push what no clone has.
    git("rev-parse", "--verify", "-q", `${Deno.env.get("BASE_COMMIT") || "none"}^{commit}`),
    git("merge-base", "HEAD", "origin/main"),
    git("merge-base", "HEAD", "main"),
    git("rev-parse", "--verify", "-q", "HEAD^"),
  ]);
  return candidates.find((commit) => commit !== "" && commit !== head);
}

/** The time of a request, while it is sent over and over. */
async function ofRequest(name: string, server: Server): Promise<Measure> {
  const { request } = await prepare(ANSWERS.find((one) => one.name === name)!, server);
  await load(server, { requests: [request], ms: WARM_UP_MS });
  return async () => {
    const spent = { ms: 0, requests: 0 };
    for (let slice = 0; slice < MOST_SLICES && spent.ms < LEAST_MS; slice++) {
      const { processorMs, requests } = await load(server, { requests: [request], ms: SLICE_MS });
      spent.ms += processorMs;
      spent.requests += requests;
    }
    return spent.ms / spent.requests;
  };
}

/** The time of a process up to its first answer. */
function ofStart(path: string, program: Program): Measure {
  return async () => {
    await using server = await launch(program);
    await ask(server.port, { path, headers: VISITOR });
    return await processorMs(server.pid);
  };
}

/** @returns the time of this commit as a ratio to that of its base, by row */
async function compare(
  names: readonly string[],
  programs: Readonly<Record<"own" | "base", Program>>,
): Promise<Record<string, number>> {
  const ratios: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]));
  for (let pair = 0; pair < PAIRS; pair++) {
    await using own = await launch(programs.own);
    await using base = await launch(programs.base);
    for (const name of names) {
      const start = STARTS.find((one) => one.name === name);
      const sides = start === undefined
        ? { own: await ofRequest(name, own), base: await ofRequest(name, base) }
        : { own: ofStart(start.path, programs.own), base: ofStart(start.path, programs.base) };
      if (start !== undefined) await inTurn(sides, STARTS_BEFORE);
      const rounds = await inTurn(sides, ROUNDS);
      ratios[name]!.push(...rounds.map(({ own, base }) => own / base));
    }
  }
  const medians = names.map((name) => [name, median(ratios[name]!)] as const);
  for (const [name, ratio] of medians) console.log(`${name.padEnd(12)}${ratio.toFixed(2)}`);
  return Object.fromEntries(medians);
}

async function main(): Promise<number> {
  const { values } = parseArgs({ args: Deno.args, options: { base: { type: "string" } } });
  const commit = values.base ?? await baseCommit();
  if (commit === undefined) {
    console.log("There is no commit to compare with: nothing was measured. Give one with --base.");
    return 0;
  }
  return await withFolder(async (folder) => {
    const root = `${folder}/base/`;
    await Deno.mkdir(root);
    const { code, err } = await run(
      ["sh", "-c", 'git archive "$0" | tar -x -C "$1"', commit, root],
      { cwd: ROOT },
    );
    if (code !== 0 || err !== "") throw new Error(`Cannot read commit ${commit}: ${err}`);
    console.log(`Processor time as a ratio to commit ${commit.slice(0, 8)}:`);
    const programOf = async (root: string) =>
      await serviceProgram(await Deno.makeTempDir({ dir: folder }), root);
    const measure = async (names: readonly string[]) => {
      const programs = { own: await programOf(ROOT), base: await programOf(root) };
      const ratios = await compare(names, programs);
      return names.filter((name) => !(ratios[name]! <= MOST));
    };
    const slower = await measure(NAMES);
    if (slower.length === 0) return 0;
    console.log(`Slower: ${slower.join(", ")}. Measuring again.`);
    return (await measure(slower)).length === 0 ? 0 : 1;
  });
}

try {
  Deno.exit(await main());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  Deno.exit(2);
}
