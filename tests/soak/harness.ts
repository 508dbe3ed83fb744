/** @module The contract harness, run against services under soak as against one in production. */

import { pause } from "../crash/random.ts";
import { runDeno } from "../support/command.ts";
import type { Soaked } from "./services.ts";

/** What a run has shown. */
export interface HarnessRun {
  readonly service: string;
  readonly exchanges: number;
  readonly ms: number;
  /** Each finding in words, or why it could not run. */
  readonly findings: readonly string[];
}

const ROOT = new URL("../../", import.meta.url).pathname;

/** Some ten times what a run takes. */
const RUN_WITHIN_MS = 600_000;

/** From the end of a run to the beginning of the next. */
const BETWEEN_RUNS_MS = 3_000;

/** Runs it again and again, on one service after the other, until told to stop. */
export async function keepRunning(
  services: readonly Soaked[],
  { folder, stopped, runs }: {
    readonly folder: string;
    readonly stopped: () => boolean;
    /** Where runs are added. */
    readonly runs: HarnessRun[];
  },
): Promise<void> {
  for (let n = 0; !stopped(); n++) {
    runs.push(await runHarness(services[n % services.length]!, folder));
    await pause(BETWEEN_RUNS_MS);
  }
}

/** Runs it once; `folder` is for its report. */
export async function runHarness({ name, url }: Soaked, folder: string): Promise<HarnessRun> {
  const began = performance.now();
  const args = ["task", "-q", "contract", "--url", url, "--live", "--report", folder];
  const { code, err } = await runDeno(args, {
    cwd: ROOT,
    stdout: "null",
    group: true,
    withinMs: RUN_WITHIN_MS,
  });
  const ms = performance.now() - began;
  const file = `${folder}/report.json`;
  const text = await Deno.readTextFile(file).catch(() => undefined);
  if (text === undefined || (code !== 0 && code !== 1)) {
    const why = err.trim().split("\n")[0];
    return { service: name, exchanges: 0, ms, findings: [`${name}: it could not run: ${why}`] };
  }
  await Deno.remove(file);
  const { exchanges, open, stale } = JSON.parse(text) as Report;
  const findings = [...open, ...stale].map(({ where, message }) => `${name}: ${where}: ${message}`);
  if (code === 1 && findings.length === 0) findings.push(`${name}: it failed without a finding`);
  return { service: name, exchanges, ms, findings };
}

/** What is read of `report.json`. */
interface Report {
  readonly exchanges: number;
  readonly open: readonly Finding[];
  readonly stale: readonly Finding[];
}

interface Finding {
  readonly where: string;
  readonly message: string;
}
