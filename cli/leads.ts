/** @module `deno task leads`: reads the environment, opens KV and runs a command of `cli/leads/`. */

import { exit } from "../lib/process.ts";
import { openLeads } from "./leads/open.ts";
import { runLeads } from "./leads/program.ts";
import { oneLine } from "./leads/text.ts";
import { standardOutput } from "./terminal.ts";

const isTerminal = Deno.stdout.isTerminal();
await exit(
  await runLeads(Deno.args, {
    ...standardOutput(0),
    confirm: isTerminal && Deno.stdin.isTerminal()
      ? (question) => confirm(oneLine(question))
      : undefined,
    now: Date.now,
    columns: () => isTerminal ? Deno.consoleSize().columns || 80 : Infinity,
    open: (unusable) =>
      openLeads((name) => Deno.env.get(name), { openKv: (path) => Deno.openKv(path), unusable }),
  }),
);
