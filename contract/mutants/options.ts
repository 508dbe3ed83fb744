/** @module The command line of `deno task contract:mutants`. */

import { readArguments, UsageError, wholeNumber } from "../arguments.ts";
import type { Mutant } from "./mutant.ts";

export interface MutantOptions {
  readonly mutants: readonly Mutant[];
  readonly list: boolean;
  /** Runs all tiers for every mutant, not only those that must catch it. */
  readonly full: boolean;
  /** Tests as in production: any rule may catch a mutant, and slow tiers do not run. */
  readonly live: boolean;
  readonly clean: number;
  readonly atOnce: number;
  /** The folder of the report; undefined: no report. */
  readonly report: string | undefined;
  readonly help: boolean;
}

const CLEAN = 20;
const AT_ONCE = 3;

export const MUTANTS_USAGE = `Runs the harness against the service with one seeded fault at a time.

  deno task contract:mutants [options]

  --only TEXT      mutants whose names contain TEXT; --only help lists all, --only none selects none
  --full           all tiers for every mutant (default: the fast tiers, or the slow tier that
                   must catch it); clean runs always use all tiers
  --live           run as in production, with the mutants that the fast tiers must catch
  --clean N        runs without fault, which must raise no alarm (default: ${CLEAN})
  --at-once N      concurrent runs (default: ${AT_ONCE})
  --report DIR     write mutants.json to DIR; the harness's HTML report includes it
  --help           show this help

Exit code 0: all faults caught, no false alarm; 1: otherwise; 2: could not run.
`;

/** Reads the command line. @throws {UsageError} naming the invalid option */
export function parseMutantOptions(
  args: readonly string[],
  all: readonly Mutant[],
): MutantOptions {
  const values = readArguments(args, {
    strings: ["only", "clean", "at-once", "report"],
    booleans: ["full", "live", "help"],
  });
  const { only = "", live } = values;
  const list = only === "help";
  const named = all.filter(({ name }) => list || name.includes(only));
  const mutants = live
    ? named.filter(({ by }) => by === undefined).map((one) => ({ ...one, check: undefined }))
    : named;
  if (mutants.length === 0 && only !== "none") {
    throw new UsageError(`--only: no mutant's name contains ${only}`);
  }
  const atOnce = wholeNumber("--at-once", values["at-once"] ?? String(AT_ONCE));
  if (atOnce === 0) throw new UsageError("--at-once takes 1 or more");
  const clean = wholeNumber("--clean", values.clean ?? String(CLEAN));
  return { ...values, mutants: only === "none" ? [] : mutants, list, clean, atOnce };
}
