/** @module The command line of `deno task contract:mutants`. */

import { parseArgs } from "node:util";
import { UsageError, wholeNumber } from "../options.ts";
import type { Tier } from "../session.ts";
import { TIERS } from "../tiers/tiers.ts";
import type { Mutant } from "./mutant.ts";
import { MUTANTS } from "./mutants.ts";

/** What a run with faults is asked to do. */
export interface MutantOptions {
  readonly mutants: readonly Mutant[];
  /** Whether they are listed and not run. */
  readonly list: boolean;
  /** Whether all tiers are run for every mutant, and not only those that have to notice. */
  readonly full: boolean;
  readonly tiers: readonly Tier[];
  /** Runs of the service without fault. */
  readonly clean: number;
  /** Examples of each property. */
  readonly examples: number;
  readonly schemathesis: boolean;
  /** Runs at a time. */
  readonly atOnce: number;
  /** The folder of the report; undefined: none is kept. */
  readonly report: string | undefined;
  readonly help: boolean;
}

const CLEAN = 20;
const EXAMPLES = 40;
const AT_ONCE = 3;

/** What `--help` prints. */
export const MUTANTS_USAGE = `Runs the harness against the service with one seeded fault at a time.

  deno task contract:mutants [options]

  --only NAMES     these mutants, by commas; --only help lists them, --only none: none
  --full           all tiers for every mutant; else those that are quick, or the slow one that has
                   to notice. The clean service meets all tiers in any case
  --tiers NAMES    these tiers alone, by commas
  --clean N        runs of the service without fault, which must raise no alarm (default: ${CLEAN})
  --examples N     examples of each property (default: ${EXAMPLES})
  --schemathesis   also tell what Schemathesis catches on its own (needs Python)
  --at-once N      runs at a time (default: ${AT_ONCE})
  --report DIR     write mutants.json there, which the report of the harness takes up
  --help

Exit code 0: every fault is caught and no alarm is false; 1: not so; 2: could not run.
`;

/**
 * Reads the command line.
 *
 * @throws {UsageError} saying what is wrong
 */
export function parseMutantOptions(args: readonly string[]): MutantOptions {
  const text = { type: "string" } as const;
  const flag = { type: "boolean", default: false } as const;
  let values;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        only: text,
        full: flag,
        tiers: text,
        clean: text,
        examples: text,
        schemathesis: flag,
        "at-once": text,
        report: text,
        help: flag,
      },
    }));
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  const { only, full, schemathesis, report, help } = values;
  const list = only === "help";
  const atOnce = wholeNumber("--at-once", values["at-once"] ?? String(AT_ONCE));
  if (atOnce === 0) throw new UsageError("--at-once takes 1 or more");
  return {
    mutants: only === "none" ? [] : named(MUTANTS, {
      option: "--only",
      names: list ? undefined : only,
    }),
    list,
    full,
    tiers: named(TIERS, { option: "--tiers", names: values.tiers }),
    clean: wholeNumber("--clean", values.clean ?? String(CLEAN)),
    examples: wholeNumber("--examples", values.examples ?? String(EXAMPLES)),
    schemathesis,
    atOnce,
    report,
    help,
  };
}

/** Those that are named, by commas; without names all. A name of none is no wish for nothing. */
function named<T extends { readonly name: string }>(
  all: readonly T[],
  { option, names }: { readonly option: string; readonly names: string | undefined },
): readonly T[] {
  if (names === undefined) return all;
  const wanted = names.split(",").map((name) => name.trim());
  const unknown = wanted.filter((name) => !all.some((one) => one.name === name));
  if (unknown.length > 0) throw new UsageError(`${option} knows no ${unknown.join(", ")}`);
  return all.filter(({ name }) => wanted.includes(name));
}
