/** @module `deno task doctor`: runs the checks in `cli/doctor/` on the environment of the service. */

import { VARIABLES } from "../config/config.ts";
import { exit } from "../config/exit.ts";
import { runDoctor } from "./doctor/program.ts";
import { EXIT_FAILED, standardOutput } from "./terminal.ts";

const variables: Record<string, string | undefined> = {};
for (const variable of VARIABLES) {
  const { state } = await Deno.permissions.query({ name: "env", variable });
  if (state === "granted") variables[variable] = Deno.env.get(variable);
}

// A report that is cut off is not a success.
const output = standardOutput(EXIT_FAILED);
await exit(
  await runDoctor(Deno.args, { ...output, variables, openKv: (path) => Deno.openKv(path) }),
);
