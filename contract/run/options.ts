/** @module The command line of the harness, and headers by commands, which a 401 renews. */

import { baseUrl, checkLive, commandFor, UsageError, wholeNumber } from "../lib/command_line.ts";
import type { Permission } from "./permits.ts";
import { keepSecret, variableOf } from "../lib/secrets.ts";
import { CannotRun } from "../lib/cannot_run.ts";
import type { SendOptions } from "./client.ts";

/** The default seed, fixed so that runs are repeatable. */
export const SEED = 42;

const ABOUT = `Checks a service against its OpenAPI 3.1 document and HTTP.

Examples:
  deno task contract --url https://api.example.com/v1
  CONTRACT_HEADER_AUTHORIZATION='Bearer …' deno task contract --url http://localhost:8000 \\
    --document openapi.yaml --exclude admin --report report`;

const EXITS = "0: passed; 1: violated; 2: could not run, or the harness failed; 130: interrupted";

const each = (value: string, all: readonly string[]) => [...all, value];
const none: readonly string[] = [];

export const COMMAND = commandFor("contract", ABOUT, EXITS)
  .option("--url <url>", "base URL of the service; without it, the project's is started", baseUrl)
  .option("--generic", "the document alone, also if the service is the project's own", false)
  .option("--document <place>", "a URL, a file or a path (default: the usual paths)")
  .option("--header <field>", "'Name: value'; a name alone reads CONTRACT_HEADER_NAME", each, none)
  .option("--live", "in production: few requests, which change nothing; limits obeyed", false)
  .option("--allow-unsafe", "also what destroys, changes production, or is not documented", false)
  .option("--only-operation <name>", "id, tag, 'METHOD /path', /path*; may change data", each, none)
  .option("--exclude <name>", "not this: as above, or a method", each, none)
  .option("--only <tiers>", "run only these, separated by commas; --only help lists them")
  .option("--strict", "advice and what was not covered count as violations", false)
  .option("--checks <file>", "functions of yours that judge every answer: see the README")
  .option("--waivers <file>", "findings that are accepted for now")
  .option("--time <n>", "most seconds for requests (default without cases: 100)", wholeNumber)
  .option("--seed <n>", "random seed", wholeNumber, SEED)
  .option("--examples <n>", "examples per property", wholeNumber, 100)
  .option("--report <folder>", "write junit.xml, report.html and report.json to it")
  .option("--annotate", "print annotations for GitHub Actions", false)
  .option("--corpus <folder>", "store counterexamples in it, and send those in it first")
  .option("--replay <file>", "only send a counterexample again, or a finding: report.json#2")
  .option("--cases <folder>", "the cases of another service, with its waivers.yaml and corpus/");

type Given = ReturnType<typeof COMMAND.opts>;

export interface Options extends Permission, Omit<Given, "only" | keyof Permission> {
  /** Tiers by name; empty: all. */
  readonly tiers: readonly string[];
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Headers whose values commands print. */
  readonly commands: readonly HeaderCommand[];
}

/** Headers that are taken from their variables without being named. */
const USUAL = ["Authorization", "Cookie", "X-API-Key"];

/** @param variable the value of an environment variable @throws {UsageError} naming the option */
export function parseOptions(
  args: readonly string[],
  variable: (name: string) => string | undefined = () => undefined,
): Options {
  const values = COMMAND.parse(args, { from: "user" }).opts();
  checkLive(values);
  const { generic, cases, url } = values;
  if (generic && url === undefined) {
    throw new UsageError("--generic tests any service: give its --url");
  }
  if (generic && cases !== undefined) {
    throw new UsageError("--generic runs without cases: leave out --cases");
  }
  if ((URL.parse(values.document ?? "")?.password ?? "") !== "") {
    throw new UsageError("--document takes no credentials: use --header");
  }
  return {
    ...values,
    only: values.onlyOperation,
    ...headersOf(values.header, variable),
    tiers: values.only?.split(",").map((name) => name.trim()).filter((name) => name !== "") ?? [],
  };
}

function headersOf(
  given: readonly string[],
  variable: (name: string) => string | undefined,
): Pick<Options, "headers" | "commands"> {
  const names = given.map((text) => text.split(":", 1)[0]!.toLowerCase());
  const all = [...given, ...USUAL.filter((name) => !names.includes(name.toLowerCase()))];
  const commandOf = (name: string) => variable(`${variableOf(name)}_COMMAND`) ?? "";
  const isUsual = (name: string) =>
    given.includes(name) || (variable(variableOf(name)) ?? "") !== "";
  const [own, printed] = [false, true].map((is) =>
    all.filter((name) => commandOf(name) !== "" === is)
  );
  const commands = printed!.map((name) => [name, commandOf(name)] as const);
  const headers = own!.filter(isUsual).map((text): readonly [string, string] => {
    const [, name = "", value = variable(variableOf(name))] =
      /^([!#$%&'*+.^`|~\w-]+)(?:: *(.*?) *)?$/.exec(text) ?? [];
    if (name === "") throw new UsageError("--header takes 'Name: value', or a name");
    if (value === undefined) throw new UsageError(`--header ${name}: set ${variableOf(name)}`);
    if (/[^ -~\xa0-\xff]/.test(value)) {
      throw new UsageError(`--header ${name} has other characters`);
    }
    return [name, value];
  });
  return { headers, commands };
}

export type HeaderCommand = readonly [name: string, command: string];

/** Between two renewals, in milliseconds: a 401 may have another reason. */
const PAUSE_MS = 5_000;

type Headers = NonNullable<SendOptions["headers"]>;

/** The given headers and those of the commands, and how to renew these. @throws {CannotRun} */
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
