/**
 * @module The doctor's program, `deno task doctor`: a third composition root beside `main.ts`. Reads the
 * environment as the service does, and hands it to the checks in `doctor/`.
 */

import { VARIABLES } from "./config.ts";
import { runDoctor } from "./doctor/program.ts";
import { systemClock } from "./leads/clock.ts";

const variables: Record<string, string | undefined> = {};
const hidden: string[] = [];
for (const name of VARIABLES) {
  const { state } = await Deno.permissions.query({ name: "env", variable: name });
  if (state === "granted") variables[name] = Deno.env.get(name);
  else hidden.push(name);
}

const encoder = new TextEncoder();

function write(stream: { writeSync(bytes: Uint8Array): number }, text: string): void {
  for (let bytes = encoder.encode(text); bytes.length > 0;) {
    bytes = bytes.subarray(stream.writeSync(bytes));
  }
}

const code = await runDoctor(Deno.args, {
  terminal: {
    out: (text) => write(Deno.stdout, text),
    err: (text) => write(Deno.stderr, text),
    colours: Deno.stdout.isTerminal() && !Deno.noColor,
    watched: Deno.stderr.isTerminal(),
  },
  environment: {
    variables,
    hidden,
    openKv: (path) => Deno.openKv(path),
    denoVersion: Deno.version.deno,
    clock: systemClock,
  },
});
Deno.exit(code);
