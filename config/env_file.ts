/**
 * @module The file `.env`, which the tasks let Deno read (`--env-file`); variables that are set win. Deno
 * passes over a file or a line that it cannot read without a word, and leads would go nowhere: so each
 * program looks whether all of it has arrived.
 */

import { safeReason } from "../lib/log.ts";
import { ConfigError } from "./config.ts";

const ENV_FILE = ".env";

/**
 * Its name, and which of its variables are not in use: Deno could not read them, or the program was
 * started without a task. Undefined without such a file, or without the permission to read it.
 *
 * @param env the program's variables, those that are not set included
 * @param options.isTask whether the program is always started by a task
 * @throws {ConfigError} if the file cannot be read, or by a task not all of it
 */
export function envFileNote(
  env: Readonly<Record<string, string | undefined>>,
  { isTask = false } = {},
): string | undefined {
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(Deno.readFileSync(ENV_FILE));
  } catch (error) {
    const { NotFound, NotCapable } = Deno.errors;
    if (error instanceof NotFound || error instanceof NotCapable) return undefined;
    const reason = error instanceof TypeError ? "it is not UTF-8" : safeReason(error);
    throw new ConfigError([`${ENV_FILE} cannot be read: ${reason}`]);
  }
  const named = text.matchAll(/^\s*(?:export\s+)?(\w+)\s*=/gm).map(([, name]) => name!);
  const unused = new Set(named.filter((name) => name in env && env[name] === undefined));
  if (unused.size === 0) return ENV_FILE;
  const names = [...unused].join(", ");
  if (!isTask) return `${ENV_FILE}, but not in use: ${names}`;
  const form = "write each line as NAME=value, without byte order mark";
  throw new ConfigError([`${names} in ${ENV_FILE} could not be read: ${form}`]);
}
