/** @module The command line of the harness. */

import { parseArgs } from "node:util";
import { CannotRun } from "./cannot_run.ts";

export interface Options {
  /** Undefined: the service beside the harness is started. */
  readonly url: string | undefined;
  readonly live: boolean;
  /** Tiers by name; empty: all. */
  readonly only: readonly string[];
  readonly seed: number;
  readonly examples: number;
  readonly replay: string | undefined;
  readonly report: string | undefined;
  readonly against: string | undefined;
  readonly cases: string | undefined;
  readonly help: boolean;
}

/** The command line is wrong. */
export class UsageError extends CannotRun {
  override readonly name = "UsageError";
}

/** Examples of each property by default. */
const EXAMPLES = 100;

/** The default seed: fixed, so that a run is repeatable. */
export const SEED = 42;

export const USAGE = `Checks a service against its OpenAPI document, its specification and HTTP.

  deno task contract [options]

Without options the service beside the harness is started on a free port with a temporary database.

  --url URL        test the service at this base URL: one of your own, started with large limits
  --live           it is in production: .invalid addresses only, few requests, its limits obeyed
  --only TIERS     run only these tiers, by commas; --only help lists them
  --seed N         seed of everything random (default: ${SEED})
  --examples N     examples of each property (default: ${EXAMPLES})
  --replay FILE    send the requests of a counterexample again, and nothing else
  --report DIR     write junit.xml, report.html and report.json there
  --against URL    send the same requests to a second service, and report every difference
  --cases DIR      the cases of another service, its waivers.yaml and corpus/ (default: contract/cases)
  --help           this

Examples:
  deno task contract --url http://localhost:8000 --only cases,http
  deno task contract --url https://www.example.com --live --report report

Exit code 0: held; 1: violated; 2: could not run.
`;

/** Reads the command line. @throws {UsageError} naming the option that is wrong */
export function parseOptions(args: readonly string[]): Options {
  const values = readArguments(args, {
    strings: ["url", "only", "seed", "examples", "replay", "report", "against", "cases"],
    booleans: ["live", "help"],
  });
  return {
    ...values,
    ...baseOf(values),
    only: values.only?.split(",").map((name) => name.trim()).filter((name) => name !== "") ?? [],
    seed: wholeNumber("--seed", values.seed ?? String(SEED)),
    examples: wholeNumber("--examples", values.examples ?? String(EXAMPLES)),
    against: values.against === undefined ? undefined : originOf("--against", values.against),
  };
}

/**
 * Reads the options of a program.
 * @throws {UsageError} for an option that is unknown or lacks its value
 */
export function readArguments<S extends string, B extends string>(
  args: readonly string[],
  { strings, booleans }: { readonly strings: readonly S[]; readonly booleans: readonly B[] },
): Record<S, string | undefined> & Record<B, boolean> {
  const options = Object.fromEntries([
    ...strings.map((name) => [name, { type: "string" }] as const),
    ...booleans.map((name) => [name, { type: "boolean", default: false }] as const),
  ]);
  try {
    const { values } = parseArgs({ args: [...args], options });
    const absent = Object.fromEntries(strings.map((name) => [name, undefined]));
    return { ...absent, ...values } as Record<S, string | undefined> & Record<B, boolean>;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/**
 * The base URL, and whether it is in production.
 * @throws {UsageError} for a service in production without URL
 */
export function baseOf(
  { url, live }: { readonly url: string | undefined; readonly live: boolean },
): Pick<Options, "url" | "live"> {
  if (live && url === undefined) {
    throw new UsageError("--live is for a service in production: give its --url");
  }
  return { url: url === undefined ? undefined : originOf("--url", url), live };
}

/** @throws {UsageError} for anything but a whole number below 10^9 */
export function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`${name} takes a whole number below 10^9`);
  return Number(text);
}

/** The base URL without trailing slash. It may have a path. */
function originOf(name: string, text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "") {
    throw new UsageError(`${name} takes an http or https URL without query`);
  }
  return url.href.replace(/\/$/, "");
}
