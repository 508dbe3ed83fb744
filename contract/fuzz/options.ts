/** @module The command line of `deno task fuzz`. */

import { readArguments, UsageError, wholeNumber } from "../arguments.ts";
import { baseOf, type Options, SEED } from "../options.ts";

/** Options of a run; `examples` is the number of generated requests per operation. */
export type FuzzOptions = Pick<Options, "url" | "live" | "seed" | "examples" | "report" | "help">;

const EXAMPLES = 100;
/** A service in production accepts few leads: twenty at once, then two a minute. */
const LIVE_EXAMPLES = 10;

export const FUZZ_USAGE = `Fuzzes a service with Schemathesis, by its own OpenAPI document.

  deno task fuzz [options]

Needs Python 3.11 or newer. Installs Schemathesis below .venv/ from contract/requirements.txt. Without
--url, starts the project's own service on a free port with a temporary database.

  --url URL        test the service at this base URL
  --live           for production: few requests, .invalid addresses only, limits obeyed
  --seed N         random seed (default: ${SEED})
  --examples N     generated requests per operation (default: ${EXAMPLES};
                   with --live ${LIVE_EXAMPLES})
  --report DIR     write junit.xml, fuzz.json and fuzz.ndjson (every exchange) to DIR
  --help           show this help

Exit code 0: held; 1: violated; 2: could not run.
`;

/** Reads the command line. @throws {UsageError} naming the invalid option */
export function parseFuzzOptions(args: readonly string[]): FuzzOptions {
  const values = readArguments(args, {
    strings: ["url", "seed", "examples", "report"],
    booleans: ["live", "help"],
  });
  const usual = values.live ? LIVE_EXAMPLES : EXAMPLES;
  const examples = wholeNumber("--examples", values.examples ?? String(usual));
  if (examples === 0) throw new UsageError("--examples takes 1 or more");
  const seed = wholeNumber("--seed", values.seed ?? String(SEED));
  return { ...values, ...baseOf(values), seed, examples };
}

/** The command that repeats a run. */
export function repeatCommand({ url, live, seed, examples }: FuzzOptions): string {
  const place = url === undefined ? "" : ` --url ${url}`;
  return `deno task fuzz${place}${live ? " --live" : ""} --seed ${seed} --examples ${examples}`;
}
