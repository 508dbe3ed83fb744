/**
 * @module Command lines: reads options by their table, says in one sentence what is wrong with them,
 * writes the usage, and ends programs with their exit codes.
 */

import { parseArgs, type ParseArgsOptionDescriptor } from "node:util";
import { CannotRun, print } from "./cannot_run.ts";
import config from "../deno.json" with { type: "json" };
import { masked } from "./secrets.ts";

export class UsageError extends CannotRun {
  override readonly name = "UsageError";
}

/**
 * Value, help and default of an option. Without a value it is a switch; with `…` it may be repeated;
 * `N` is a whole number, and `URL` a base URL.
 */
type Row = readonly [value: string, help: string, otherwise?: number];
type Table = Readonly<Record<string, Row>>;

type Value<R extends Row> = R[0] extends "" ? boolean
  : R[0] extends `${string}…` ? readonly string[]
  : R[0] extends "N" ? (R extends readonly [string, string, number] ? number : number | undefined)
  : string | undefined;

type Values<T extends Table> = { readonly [name in keyof T]: Value<T[name]> };

interface Command<T extends Table> {
  readonly task: string;
  readonly about: string;
  /** What follows the task; by default, options. */
  readonly takes?: string;
  readonly table: T;
  readonly exits: string;
}

interface CommandLine<T extends Table> {
  /** @throws {UsageError} for an unknown option, or a missing or wrong value */
  read(args: readonly string[]): Values<T>;
  /**
   * Exits with the code that `main` returns, after printing the usage for `--help`, or with 2 after
   * printing the error that it throws.
   */
  run(main: (args: readonly string[]) => Promise<number>): Promise<never>;
}

export function commandLine<const T extends Table>(command: Command<T>): CommandLine<T> {
  return {
    read: (args) => readOptions(args, command.table) as Values<T>,
    async run(main) {
      try {
        const asks = (...names: string[]) => names.some((name) => Deno.args.includes(name));
        const told = asks("--help", "-h")
          ? usageOf(command)
          : asks("--version")
          ? config.version
          : undefined;
        if (told !== undefined) print(told);
        Deno.exit(told === undefined ? await main(Deno.args) : 0);
      } catch (error) {
        const hint = `\ndeno task ${command.task} --help lists the options`;
        const said = error instanceof CannotRun ? error.message : Deno.inspect(error);
        // deno-lint-ignore no-console -- the program's output
        console.error(masked(error instanceof UsageError ? said + hint : said));
        Deno.exit(2);
      }
    },
  };
}

function usageOf({ task, about, takes = "[options]", table, exits }: Command<Table>): string {
  const others = { version: ["", "show the version"], help: ["", "show this help"] } as const;
  const rows = Object.entries<Row>({ ...table, ...others })
    .map(([name, [value, help, otherwise]]) => {
      const usual = otherwise === undefined ? "" : ` (default: ${otherwise})`;
      return [`  --${name} ${value}`, help + usual] as const;
    });
  const width = Math.max(...rows.map(([option]) => option.length)) + 2;
  const [first, ...notes] = about.split("\n\n");
  const lines = rows.map(([option, help]) => option.padEnd(width) + help).join("\n");
  return [first, `  deno task ${task} ${takes}`, ...notes, lines, `Exit code ${exits}.\n`]
    .join("\n\n");
}

function readOptions(args: readonly string[], table: Table): Record<string, unknown> {
  const options = Object.entries(table).map(([name, row]) => [name, kindOf(row)]);
  try {
    const { values } = parseArgs({ args: [...args], options: Object.fromEntries(options) });
    const read = Object.entries(values).map(([name, value]) => {
      const reader = READERS[table[name]![0]];
      return [name, reader === undefined ? value : reader(`--${name}`, String(value))];
    });
    return Object.fromEntries(read);
  } catch (error) {
    // The first line; the others explain the syntax of a shell.
    throw new UsageError((error as Error).message.split("\n", 1)[0]!);
  }
}

function kindOf([value, , otherwise]: Row): ParseArgsOptionDescriptor {
  if (value === "") return { type: "boolean", default: false };
  if (value.endsWith("…")) return { type: "string", multiple: true, default: [] };
  return otherwise === undefined ? { type: "string" } : { type: "string", default: `${otherwise}` };
}

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`${name} takes a whole number below 10^9`);
}

/** A base URL, which may have a path, without trailing slash. */
function originOf(name: string, text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "") {
    throw new UsageError(`${name} takes an http or https URL without query`);
  }
  if (url.username !== "") throw new UsageError(`${name} takes no credentials: use --header`);
  return url.href.replace(/\/$/, "");
}

const READERS: Readonly<Record<string, (name: string, text: string) => unknown>> = {
  N: wholeNumber,
  URL: originOf,
};

/** @throws {UsageError} for --live without --url */
export function checkLive({ url, live }: Values<{ url: ["URL", ""]; live: ["", ""] }>): void {
  if (!live || url !== undefined) return;
  throw new UsageError("--live tests a service in production: give its --url");
}
