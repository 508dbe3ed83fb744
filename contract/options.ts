/** @module The command line of the harness. */

import { parseArgs } from "node:util";
import { CannotRun } from "./cannot_run.ts";

export interface Options {
  /** Undefined: start the project's own service. */
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
  /** No cases: the document alone. */
  readonly generic: boolean;
  readonly document: string | undefined;
  readonly help: boolean;
}

/** The command line is wrong. */
export class UsageError extends CannotRun {
  override readonly name = "UsageError";
}

const EXAMPLES = 100;

/** The default seed, fixed so that runs are repeatable. */
export const SEED = 42;

export const USAGE = `Checks a service against its OpenAPI document, its specification and HTTP.

  deno task contract [options]

Without --url, starts the project's own service on a free port with a temporary database.

  --url URL        test the service at this base URL; start your own with large limits
  --live           for production: few requests, .invalid addresses only, limits obeyed
  --only TIERS     run only these tiers, separated by commas; --only help lists them
  --seed N         random seed (default: ${SEED})
  --examples N     examples per property (default: ${EXAMPLES})
  --replay FILE    only send the requests of a counterexample again
  --report DIR     write junit.xml, report.html and report.json to DIR
  --against URL    send the same requests to a second service and report differences
  --generic        no cases of any service: its document alone
  --document PATH  the path of the document (default: /openapi.json)
  --cases DIR      the cases of another service, with its waivers.yaml and corpus/
  --help           show this help

Examples:
  deno task contract --url http://localhost:8000 --only cases,http
  deno task contract --url https://www.example.com --live --report report

Exit code 0: held; 1: violated; 2: could not run.
`;

/** Reads the command line. @throws {UsageError} naming the invalid option */
export function parseOptions(args: readonly string[]): Options {
  const values = readArguments(args, {
    strings: [
      "url",
      "only",
      "seed",
      "examples",
      "replay",
      "report",
      "against",
      "cases",
      "document",
    ],
    booleans: ["live", "generic", "help"],
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
 * @throws {UsageError} for an unknown option or a missing value
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
 * Reads --url and --live.
 * @throws {UsageError} for --live without --url, or an invalid URL
 */
export function baseOf(
  { url, live }: { readonly url: string | undefined; readonly live: boolean },
): Pick<Options, "url" | "live"> {
  if (live && url === undefined) {
    throw new UsageError("--live tests a service in production: give its --url");
  }
  return { url: url === undefined ? undefined : originOf("--url", url), live };
}

/** @throws {UsageError} for anything but a whole number below 10^9 */
export function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`${name} takes a whole number below 10^9`);
  return Number(text);
}

/** A base URL, which may have a path, without trailing slash. */
function originOf(name: string, text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "") {
    throw new UsageError(`${name} takes an http or https URL without query`);
  }
  return url.href.replace(/\/$/, "");
}
