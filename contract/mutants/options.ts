/** @module The command line of `deno task contract:mutants`. */

import { readArguments, UsageError, wholeNumber } from "../options.ts";
import type { Mutant } from "./mutant.ts";
import { MUTANTS } from "./mutants.ts";

export interface MutantOptions {
  readonly mutants: readonly Mutant[];
  readonly list: boolean;
  readonly full: boolean;
  readonly clean: number;
  readonly atOnce: number;
  /** The folder of the report; undefined: none is written. */
  readonly report: string | undefined;
  readonly help: boolean;
}

const CLEAN = 20;
const AT_ONCE = 3;

export const MUTANTS_USAGE = `Runs the harness against the service with one seeded fault at a time.

  deno task contract:mutants [options]

  --only TEXT      the mutants whose names contain this; --only help lists all, --only none: none
  --full           all tiers for every mutant; else the quick ones, or the slow one that has to
                   find it. The clean service meets all tiers in any case
  --clean N        runs of the service without fault, which must raise no alarm (default: ${CLEAN})
  --at-once N      runs at a time (default: ${AT_ONCE})
  --report DIR     write mutants.json there; the HTML report of the harness includes it
  --help           this

Exit code 0: every fault is caught and no alarm is false; 1: not so; 2: could not run.
`;

/** Reads the command line. @throws {UsageError} naming the option that is wrong */
export function parseMutantOptions(args: readonly string[]): MutantOptions {
  const values = readArguments(args, {
    strings: ["only", "clean", "at-once", "report"],
    booleans: ["full", "help"],
  });
  const { only = "", full, report, help } = values;
  const list = only === "help";
  const mutants = MUTANTS.filter(({ name }) => list || name.includes(only));
  if (mutants.length === 0 && only !== "none") {
    throw new UsageError(`--only: no mutant has ${only}`);
  }
  const atOnce = wholeNumber("--at-once", values["at-once"] ?? String(AT_ONCE));
  if (atOnce === 0) throw new UsageError("--at-once takes 1 or more");
  return {
    mutants: only === "none" ? [] : mutants,
    list,
    full,
    clean: wholeNumber("--clean", values.clean ?? String(CLEAN)),
    atOnce,
    report,
    help,
  };
}
