/** @module The command line of `deno task contract:strangers`. */

import { readArguments, UsageError } from "../arguments.ts";
import { readFaults, type StrangerFault } from "./faults.ts";
import { readServices, type Service } from "./services.ts";

export interface StrangerOptions {
  readonly services: readonly Service[];
  readonly faults: readonly StrangerFault[];
  /** Only the planted faults, without the runs on unchanged services. */
  readonly onlyFaults: boolean;
  readonly schemathesis: boolean;
  readonly help: boolean;
}

export const STRANGERS_USAGE =
  `Runs the harness on services that strangers wrote, and Schemathesis beside it.

  deno task contract:strangers [options]

Installs the services below .venv/ (Python 3.11 or newer, npm), starts each on a free port, and then
plants faults in two of them with a proxy: which does each tool catch?

  --service NAME       only this service
  --faults             only the planted faults
  --only TEXT          only the planted faults whose sentences contain TEXT
  --no-schemathesis    only the harness
  --help               show this help

Exit code 0: the harness has caught 27 of 30 faults, and in no service fewer than Schemathesis;
1: otherwise; 2: could not run.
`;

/** Reads the command line. @throws {UsageError} naming the invalid option */
export async function parseStrangerOptions(args: readonly string[]): Promise<StrangerOptions> {
  const { service, only, ...values } = readArguments(args, {
    strings: ["service", "only"],
    booleans: ["faults", "no-schemathesis", "help"],
  });
  const all = await readServices();
  const services = all.filter(({ name }) => service === undefined || name === service);
  if (services.length === 0) {
    throw new UsageError(`--service takes one of ${all.map(({ name }) => name).join(", ")}`);
  }
  const faults = (await readFaults()).filter(({ on, fault }) =>
    services.some(({ name }) => name === on) && fault.includes(only ?? "")
  );
  if (only !== undefined && faults.length === 0) {
    throw new UsageError(`--only: no fault's sentence contains ${only}`);
  }
  return {
    services,
    faults,
    onlyFaults: values.faults || only !== undefined,
    schemathesis: !values["no-schemathesis"],
    help: values.help,
  };
}
