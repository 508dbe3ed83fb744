/** @module The command line of the harness. */

import { parseArgs } from "node:util";

/** What a run is asked to do. */
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
  /** The folder of cases. */
  readonly cases: string | undefined;
  readonly help: boolean;
}

/** The command line makes no sense. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/**
 * Where nothing else is said: examples of each property, and the seed, so that a run can be
 * repeated.
 */
const EXAMPLES = 100;
const SEED = 42;

/** What `--help` says. */
export const USAGE = `Holds a service to its OpenAPI document, its specification and HTTP.

  deno task contract [options]

Without options the service beside the harness is started on a free port with a throw-away database.

  --url URL        test the service at this base URL: one of your own, started with large limits
  --live           it is in production: .invalid addresses only, few requests, its limits obeyed
  --only TIERS     run only these tiers, by commas; --only help lists them
  --seed N         seed of all chance (default: ${SEED}); the same one makes the same requests
  --examples N     examples of each property (default: ${EXAMPLES})
  --replay FILE    send the requests of a counter-example again, and nothing else
  --report DIR     write junit.xml, report.html and report.json there
  --against URL    send the same requests to a second service, and report every difference
  --cases DIR      the cases of another service, its waivers.yaml and corpus/ (default: contract/cases)
  --help           this

Examples:
  deno task contract --url http://localhost:8000 --only cases,http
  deno task contract --url https://www.example.com --live --report report

Exit code 0: held; 1: violated; 2: could not run.
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
        url: text,
        live: { type: "boolean", default: false },
        only: text,
        seed: text,
        examples: text,
        replay: text,
        report: text,
        against: text,
        cases: text,
        help: { type: "boolean", default: false },
      },
    }));
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  if (values.live && values.url === undefined) {
    throw new UsageError("--live is about a service in production: say which by --url");
  }
  return {
    url: values.url === undefined ? undefined : originOf("--url", values.url),
    live: values.live,
    only: values.only?.split(",").map((name) => name.trim()).filter((name) => name !== "") ?? [],
    seed: wholeNumber("--seed", values.seed ?? String(SEED)),
    examples: wholeNumber("--examples", values.examples ?? String(EXAMPLES)),
    replay: values.replay,
    report: values.report,
    against: values.against === undefined ? undefined : originOf("--against", values.against),
    cases: values.cases,
    help: values.help,
  };
}

/**
 * Reads a number of an option.
 *
 * @throws {UsageError} when it is none below 10^9
 */
export function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`${name} takes a whole number below 10^9`);
  return Number(text);
}

/**
 * The base URL without trailing slash; a service may stand below a path.
 *
 * @throws {UsageError} when it is no such URL
 */
export function originOf(name: string, text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "") {
    throw new UsageError(`${name} takes an http or https URL without query`);
  }
  return url.href.replace(/\/$/, "");
}
