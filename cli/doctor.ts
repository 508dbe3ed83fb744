/**
 * @module The doctor's program, `deno task doctor`: a composition root beside `main.ts`. Reads the
 * environment as the service does, and hands it to the checks in `cli/doctor/`.
 */

import { VARIABLES } from "../config/config.ts";
import { exit } from "../config/exit.ts";
import { EXIT_FAILED, standardOutput } from "./terminal.ts";
import { runDoctor } from "./doctor/program.ts";

const variables: Record<string, string | undefined> = {};
for (const variable of VARIABLES) {
  const { state } = await Deno.permissions.query({ name: "env", variable });
  if (state === "granted") variables[variable] = Deno.env.get(variable);
}

// A report whose reader has gone is not a success.
const code = await runDoctor(Deno.args, {
  ...standardOutput(EXIT_FAILED),
  variables,
  openKv: (path) => Deno.openKv(path),
});
await exit(code);
