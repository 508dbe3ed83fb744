/** @module `deno task doctor`: runs the checks in `cli/doctor/` on the environment of the service. */

import { VARIABLES } from "../config/config.ts";
import { envFileNote } from "../config/env_file.ts";
import { exit } from "../lib/process.ts";
import { runDoctor } from "./doctor/program.ts";
import { EXIT_FAILED, standardOutput } from "./terminal.ts";

// Of the other variables, which may be secrets of other programs, the checks get only the names.
const variables = Object.fromEntries(
  Object.entries(Deno.env.toObject()).filter(([, value]) => value !== "")
    .map(([name, value]) => [name, VARIABLES.includes(name) ? value : "set"]),
);

// A report that is cut off is not a success.
const output = standardOutput(EXIT_FAILED);
const own = Object.fromEntries(VARIABLES.map((name) => [name, Deno.env.get(name)]));
await exit(
  await runDoctor(Deno.args, {
    ...output,
    variables,
    envFile: () => envFileNote(own, { isTask: true }),
    openKv: (path) => Deno.openKv(path),
  }),
);
