/**
 * @module `deno task fuzz`: runs Schemathesis, which generates requests from the service's document
 * and checks the answers by the document and hooks.py. Finds Python, installs what is missing and
 * starts the service unless a URL is given.
 */

import { resolve } from "node:path";
import { exitWith, print } from "./cannot_run.ts";
import { FUZZ_USAGE, type FuzzOptions, parseFuzzOptions, repeatCommand } from "./fuzz/options.ts";
import {
  installSchemathesis,
  runSchemathesis,
  type SchemathesisResult,
} from "./fuzz/schemathesis.ts";
import { UNLIMITED } from "./run.ts";
import { createLauncher, endOnSignals } from "./service.ts";

const OUTCOMES = {
  held: { word: "Held", code: 0 },
  violated: { word: "Violated", code: 1 },
  "could not run": { word: "Could not run", code: 2 },
} as const;

const PROJECT = new URL("../", import.meta.url);

async function main(args: readonly string[]): Promise<number> {
  const options = parseFuzzOptions(args);
  if (options.help) {
    print(FUZZ_USAGE);
    return OUTCOMES.held.code;
  }
  const started = performance.now();
  const bin = await installSchemathesis(PROJECT, print);
  const launcher = createLauncher(PROJECT);
  endOnSignals(launcher);
  try {
    const base = options.url ?? (await launcher.start(UNLIMITED)).url;
    const report = options.report === undefined ? undefined : resolve(options.report);
    const result = await runSchemathesis({ ...options, project: PROJECT, bin, base, report });
    print(summary(options, { base, result, seconds: (performance.now() - started) / 1_000 }));
    return OUTCOMES[result.outcome].code;
  } finally {
    await launcher.stopAll();
  }
}

function summary(
  options: FuzzOptions,
  { base, result, seconds }: {
    readonly base: string;
    readonly result: SchemathesisResult;
    readonly seconds: number;
  },
): string {
  const { outcome, calls, findings, reason } = result;
  return [
    "",
    ...findings.map((finding) => `✗ ${finding}`),
    `${OUTCOMES[outcome].word}: ${base}, ${calls} requests, ${seconds.toFixed(1)} s, ` +
    `seed ${options.seed}${reason === undefined ? "" : ` (${reason})`}`,
    `Repeat: ${repeatCommand(options)}`,
  ].join("\n");
}

await exitWith(main, "fuzz");
