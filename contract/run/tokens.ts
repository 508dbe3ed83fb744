/** @module Headers whose values a command prints, such as tokens that expire: a 401 renews them. */

import { CannotRun } from "../lib/cannot_run.ts";
import { keepSecret } from "../lib/secrets.ts";
import type { SendOptions } from "./client.ts";

export type HeaderCommand = readonly [name: string, command: string];

/** Between two renewals, in milliseconds: a 401 may have another reason. */
const PAUSE_MS = 5_000;

type Headers = NonNullable<SendOptions["headers"]>;

/** The given headers and those of the commands, and how to renew them in place. @throws {CannotRun} */
export async function headersBy(
  { headers: given, commands }: {
    readonly headers: Headers;
    readonly commands: readonly HeaderCommand[];
  },
): Promise<{ readonly headers: Headers; renew(): Promise<boolean> }> {
  const headers = [...given, ...await Promise.all(commands.map(valueOf))];
  let at = -Infinity;
  return {
    headers,
    async renew() {
      if (commands.length === 0 || performance.now() < at + PAUSE_MS) return false;
      headers.splice(given.length, commands.length, ...await Promise.all(commands.map(valueOf)));
      at = performance.now();
      return true;
    },
  };
}

async function valueOf([name, command]: HeaderCommand): Promise<readonly [string, string]> {
  const { code, stdout } = await new Deno.Command("sh", {
    args: ["-c", command],
    stderr: "inherit",
  }).output();
  const value = new TextDecoder().decode(stdout).trim();
  if (code !== 0 || value === "") {
    throw new CannotRun(`the command for ${name} ended with ${code}, or printed nothing`);
  }
  keepSecret([name, value]);
  return [name, value];
}
