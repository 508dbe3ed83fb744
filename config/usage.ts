/** @module What `deno task start` and `dev` take, need and print as help. */

import { exit, EXIT_CONFIG } from "../lib/process.ts";
import { forTerminal } from "../lib/terminal_text.ts";

/** What each task does, its command, and a permission that the command has. */
const TASKS = {
  start: {
    purpose: "Runs the service.",
    command: "deno run -q --no-prompt --env-file -P=service main.ts",
    needs: { name: "env", variable: "PORT" },
  },
  dev: {
    purpose:
      "Runs the service. The browser shows what you save in static/; when its code changes,\n" +
      "the service starts again.",
    command: "deno run -q -P=dev cli/dev.ts",
    needs: { name: "run" },
  },
} as const;

/**
 * Ends the process if there are arguments, with the usage on `--help`, else with an error; and if it was
 * started without the permissions of deno.json: Deno would ask for them, or fail with a stack.
 */
export async function checkStart(task: keyof typeof TASKS, args: readonly string[]): Promise<void> {
  const { purpose, command, needs } = TASKS[task];
  const isHelp = args.length > 0 && args.every((arg) => arg === "--help" || arg === "-h");
  const usage = `Usage: deno task ${task}

${purpose} It is configured by environment variables and .env: see docs/configure.md and .env.example.`;
  const all = [needs, { name: "read", path: new URL("../static/", import.meta.url) }] as const;
  const isAllowed = all.every((one) => Deno.permissions.querySync(one).state === "granted");
  if (args.length === 0 && isAllowed) return;
  const problem = args.length > 0
    ? `Cannot understand ${args.join(" ")}: ${task} takes no arguments\n\n${usage}`
    : `Start the service with: deno task ${task}\nin the folder of deno.json, which has its imports and permissions: ${command}`;
  // deno-lint-ignore no-console -- for the operator who typed the command
  isHelp ? console.log(usage) : console.error(forTerminal(problem));
  await exit(isHelp ? 0 : EXIT_CONFIG);
}
