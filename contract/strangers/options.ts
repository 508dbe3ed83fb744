/** @module The command line of `deno task contract:strangers`. */

import { readArguments, UsageError } from "../arguments.ts";
import { readServices, type Service } from "./services.ts";

export interface StrangerOptions {
  /** Each with the faults to plant in it. */
  readonly services: readonly Service[];
  /** No runs on unchanged services. */
  readonly onlyFaults: boolean;
  readonly schemathesis: boolean;
  readonly help: boolean;
}

export const STRANGERS_USAGE =
  `Runs the harness on services of strangers, and Schemathesis beside it.

  deno task contract:strangers [options]

Installs the services below .venv/ (Python 3.11 or newer, npm), starts each on a free port, and plants
faults in two of them with a proxy: which does each tool catch?

  --service NAME       only this service
  --faults             only the planted faults
  --only TEXT          only the planted faults whose sentences contain TEXT
  --no-schemathesis    only the harness
  --help               show this help

Exit code 0: in each service, the harness catches nine of ten faults, and no fewer than Schemathesis;
1: otherwise; 2: could not run.
`;

/** Reads the command line. @throws {UsageError} naming the invalid option */
export async function parseStrangerOptions(args: readonly string[]): Promise<StrangerOptions> {
  const { service, only = "", help, ...values } = readArguments(args, {
    strings: ["service", "only"],
    booleans: ["faults", "no-schemathesis", "help"],
  });
  const all = await readServices();
  const services = all.filter(({ name }) => service === undefined || name === service)
    .map((one) => ({ ...one, faults: one.faults.filter(({ name }) => name.includes(only)) }));
  if (services.length === 0) {
    throw new UsageError(`--service takes one of ${all.map(({ name }) => name).join(", ")}`);
  }
  if (services.every(({ faults }) => faults.length === 0) && only !== "") {
    throw new UsageError(`--only: no fault contains ${only}`);
  }
  const onlyFaults = values.faults || only !== "";
  return { services, onlyFaults, schemathesis: !values["no-schemathesis"], help };
}
