/** @module The command line of `deno task fuzz`. */

import { parseArgs } from "node:util";
import { originOf, UsageError, wholeNumber } from "../options.ts";

/** What a run of Schemathesis is asked to do. */
export interface FuzzOptions {
  /** Undefined: the service beside the harness is started. */
  readonly url: string | undefined;
  readonly live: boolean;
  readonly seed: number;
  /** Generated requests an operation, beside those that follow from the document. */
  readonly examples: number;
  /** The folder of the reports; undefined: none are kept. */
  readonly report: string | undefined;
  readonly help: boolean;
}

const SEED = 42;
const EXAMPLES = 100;
/** A service in production admits few leads: twenty at once, then one each half a minute. */
const LIVE_EXAMPLES = 10;

/** What `--help` prints. */
export const FUZZ_USAGE = `Fuzzes a service by its own OpenAPI document, with Schemathesis.

  deno task fuzz [options]

Needs Python 3.11 or newer. Schemathesis is installed below .venv/ when it is not there, from
contract/requirements.txt. Without options the service beside the harness is started on a free port
with a throw-away database.

  --url URL        test the service at this base URL
  --live           it is in production: .invalid addresses only, few requests, its limits obeyed
  --seed N         seed of all chance (default: ${SEED})
  --examples N     generated requests an operation (default: ${EXAMPLES};
                   with --live ${LIVE_EXAMPLES})
  --report DIR     write junit.xml, fuzz.json and fuzz.ndjson (every exchange) there
  --help

Exit code 0: held; 1: violated; 2: could not run.
`;

/**
 * Reads the command line.
 *
 * @throws {UsageError} saying what is wrong
 */
export function parseFuzzOptions(args: readonly string[]): FuzzOptions {
  const text = { type: "string" } as const;
  const flag = { type: "boolean", default: false } as const;
  let values;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: { url: text, live: flag, seed: text, examples: text, report: text, help: flag },
    }));
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  const { url, live, seed, examples, report, help } = values;
  if (live && url === undefined) {
    throw new UsageError("--live is about a service in production: say which by --url");
  }
  const usual = live ? LIVE_EXAMPLES : EXAMPLES;
  const count = wholeNumber("--examples", examples ?? String(usual));
  if (count === 0) throw new UsageError("--examples takes 1 or more");
  return {
    url: url === undefined ? undefined : originOf("--url", url),
    live,
    seed: wholeNumber("--seed", seed ?? String(SEED)),
    examples: count,
    report,
    help,
  };
}

/** The command that does the same again. */
export function repeatCommand({ url, live, seed, examples }: FuzzOptions): string {
  return [
    "deno task fuzz",
    ...(url === undefined ? [] : [`--url ${url}`]),
    ...(live ? ["--live"] : []),
    `--seed ${seed}`,
    `--examples ${examples}`,
  ].join(" ");
}
