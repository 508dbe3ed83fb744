/**
 * @module The doctor's program, `deno task doctor`: a composition root of its own beside `main.ts`.
 * Reads the environment as the service does, and hands it to the checks in `cli/doctor/`.
 */

import { VARIABLES } from "../config/config.ts";
import { EXIT_FAILED, runDoctor } from "./doctor/program.ts";
import { systemClock } from "../leads/clock.ts";
import { pageFiles } from "../site/files.ts";
import { exit } from "../config/exit.ts";
import { write } from "./terminal.ts";

const variables: Record<string, string | undefined> = {};
const hidden: string[] = [];
for (const name of VARIABLES) {
  const { state } = await Deno.permissions.query({ name: "env", variable: name });
  if (state === "granted") variables[name] = Deno.env.get(name);
  else hidden.push(name);
}

const code = await runDoctor(Deno.args, {
  terminal: {
    // A report whose reader has gone is not a success.
    out: (text) => write(Deno.stdout, { text, ifClosed: EXIT_FAILED }),
    err: (text) => write(Deno.stderr, { text, ifClosed: EXIT_FAILED }),
    colours: Deno.stdout.isTerminal() && !Deno.noColor,
    watched: Deno.stderr.isTerminal(),
  },
  environment: {
    variables,
    hidden,
    openKv: (path) => Deno.openKv(path),
    denoVersion: Deno.version.deno,
    pages: pageFiles,
    clock: systemClock,
  },
});
await exit(code);
