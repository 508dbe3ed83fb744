/** @module Command lines by commander, and the exit codes of programs. */

import { Command, InvalidArgumentError } from "@commander-js/extra-typings";
import { CannotRun, print } from "./cannot_run.ts";
import config from "../deno.json" with { type: "json" };
import { masked } from "./secrets.ts";

export class UsageError extends CannotRun {
  override readonly name = "UsageError";
}

/** A command for options. @param exits what its exit codes say */
export function commandFor(task: string, about: string, exits: string): Command {
  return new Command(`deno task ${task}`).description(about).version(config.version, "--version")
    .addHelpText("after", `\nExit code ${exits}.`)
    .exitOverride(({ exitCode, message }) => {
      if (exitCode === 0) Deno.exit(0);
      // Without the value, which may have credentials.
      const said = message.replace(/^error: (?:option '(\S+).*' argument .* is invalid\.)?/s, "$1");
      throw new UsageError(said.split("\n", 1)[0]);
    })
    .configureHelp({
      helpWidth: 100,
      optionDescription: ({ description, defaultValue: usual }) =>
        typeof usual === "number" ? `${description} (default: ${usual})` : description,
    })
    .configureOutput({
      writeOut: (text) => print(text.trimEnd()),
      writeErr() {},
      // By default commander reads the environment.
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
}

/** Exits with the code that `main` returns, or with 2 after printing the error that it throws. */
export async function runProgram(
  command: { name(): string },
  main: (args: readonly string[]) => Promise<number>,
): Promise<never> {
  try {
    Deno.exit(await main(Deno.args));
  } catch (error) {
    const hint = `\n${command.name()} --help lists the options`;
    const said = error instanceof CannotRun ? error.message : Deno.inspect(error);
    // deno-lint-ignore no-console -- the program's output
    console.error(masked(error instanceof UsageError ? said + hint : said));
    Deno.exit(2);
  }
}

export function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("takes a whole number below 10^9");
}

/** A base URL, which may have a path, without trailing slash. */
export function baseUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "") {
    throw new InvalidArgumentError("takes an http or https URL without query");
  }
  if (url.username !== "") throw new InvalidArgumentError("takes no credentials: use --header");
  return url.href.replace(/\/$/, "");
}

/** @throws {UsageError} for --live without --url */
export function checkLive({ url, live }: { url?: string | undefined; live: boolean }): void {
  if (!live || url !== undefined) return;
  throw new UsageError("--live tests a service in production: give its --url");
}
