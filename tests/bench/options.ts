/** @module The command line of the benchmark. */

import { parseArgs } from "node:util";
import { CASES } from "./cases.ts";

/** The parts that can be chosen beside single answers. */
export const PARTS = [
  "answers",
  "start",
  "latency",
  "memory",
  "growth",
  "lead-parts",
] as const;

/** A part of the benchmark. */
export type PartName = typeof PARTS[number];

/** What a run is asked to do. */
export interface Options {
  /** Kinds of answers, by the names in `cases.ts`. */
  readonly cases: readonly string[];
  readonly parts: readonly PartName[];
  readonly rounds: number;
  /** Milliseconds of one slice of load. */
  readonly sliceMs: number;
  readonly starts: number;
  /** Requests before memory is compared. */
  readonly requests: number;
  readonly json: string | undefined;
  readonly svg: string | undefined;
  readonly help: boolean;
}

/** The command line makes no sense. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

const FULL = { rounds: 7, seconds: 2, starts: 15, requests: 2_000_000 };
const QUICK = { rounds: 3, seconds: 0.7, starts: 5, requests: 200_000 };
/** Filling a database with a hundred thousand leads takes longer than all the rest of a quick run. */
const NOT_QUICK: readonly PartName[] = ["growth"];

export const USAGE = `Measures the service beside a bare Deno.serve that gives the same answers (the
floor) and beside the usual stack, by turns, and prints ratios. Close other programs first.

  deno task bench [options]

  --quick          ${QUICK.rounds} rounds of ${QUICK.seconds} s; without growth
  --only NAMES     these only, by commas: parts of the benchmark (${PARTS.join(", ")})
                   or single answers (${CASES.map(({ name }) => name).join(", ")})
  --rounds N       rounds of each comparison (${FULL.rounds})
  --seconds N      of each slice of load (${FULL.seconds})
  --starts N       starts of each program (${FULL.starts})
  --requests N     before memory is compared (${FULL.requests})
  --json FILE      write all figures there
  --svg FILE       write the chart there
  --help

Load is made by wrk where it is installed, else by autocannon. The table shows the median of the
rounds and the range that half of them lie in. The floor of an answer that never changes hands out
copies of one, which is the least that Deno can do. A full run takes half an hour, a quick one four
minutes.

Exit code 0: measured, whatever the figures; 2: could not be measured. deno task bench:guard is what fails.
`;

/**
 * Reads the command line.
 *
 * @throws {UsageError} saying what is wrong
 */
export function parseOptions(args: readonly string[]): Options {
  const text = { type: "string" } as const;
  let values;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        quick: { type: "boolean", default: false },
        only: text,
        rounds: text,
        seconds: text,
        starts: text,
        requests: text,
        json: text,
        svg: text,
        help: { type: "boolean", default: false },
      },
    }));
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  const { rounds, seconds, starts, requests } = values.quick ? QUICK : FULL;
  return {
    ...chosen(values.only, values.quick),
    rounds: count("rounds", values.rounds, rounds),
    sliceMs: Math.round(number("seconds", values.seconds, { usual: seconds, least: 0.3 }) * 1_000),
    starts: count("starts", values.starts, starts),
    requests: count("requests", values.requests, requests),
    json: values.json,
    svg: values.svg,
    help: values.help,
  };
}

function chosen(only: string | undefined, quick: boolean): Pick<Options, "cases" | "parts"> {
  const all = CASES.map(({ name }) => name);
  if (only === undefined) {
    return { cases: all, parts: PARTS.filter((name) => !quick || !NOT_QUICK.includes(name)) };
  }
  const names = only.split(",").map((name) => name.trim());
  const unknown = names.filter((name) => !all.includes(name) && !isPart(name));
  if (unknown.length > 0) {
    const known = [...PARTS, ...all].join(", ");
    throw new UsageError(`--only knows ${known}, not ${unknown.join(", ")}`);
  }
  const cases = names.includes("answers") ? all : all.filter((name) => names.includes(name));
  const parts = names.filter(isPart);
  return { cases, parts: cases.length > 0 ? [...new Set<PartName>(["answers", ...parts])] : parts };
}

function isPart(name: string): name is PartName {
  return PARTS.some((part) => part === name);
}

function count(name: string, text: string | undefined, usual: number): number {
  const value = number(name, text, { usual, least: 1 });
  if (Number.isInteger(value)) return value;
  throw new UsageError(`--${name} takes a whole number`);
}

function number(
  name: string,
  text: string | undefined,
  { usual, least }: { readonly usual: number; readonly least: number },
): number {
  if (text === undefined) return usual;
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
  if (value >= least) return value;
  throw new UsageError(`--${name} takes a number of at least ${least}`);
}
