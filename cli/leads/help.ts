/** @module What `--help` prints. */

import { type Command, type Options, PROGRAM } from "./command.ts";

/** Columns of running text. */
const WIDTH = 80;

const ENVIRONMENT = [
  ["KV_PATH", "the service's: a file below .data, or a KV Connect URL"],
  ["DENO_KV_ACCESS_TOKEN", "for a URL"],
  ["LEAD_ENCRYPTION_KEYS", "the service's, where leads are sealed"],
  ["LEAD_RETENTION", "the service's; unset, each lead's own expiry counts"],
] as const;

const HELP_OPTION: Options = { help: { type: "boolean", summary: "this text" } };

/** The help of the whole program. */
export function programHelp(commands: readonly Command[]): string {
  return [
    "See, export, retry and erase the leads of the service, while it runs or not.",
    `Usage: ${PROGRAM} COMMAND [OPTIONS]`,
    section("Commands", commands.map(({ name, summary }) => [name, summary])),
    section("Environment", ENVIRONMENT),
    section("Examples", [[`${PROGRAM} list --since 2d`, ""], [`${PROGRAM} help export`, ""]]),
    "Exit codes: 0 fine, 1 failed, 2 the command line or the environment makes no sense.",
  ].join("\n\n") + "\n";
}

/** The help of one command. */
export function commandHelp({ usage, summary, help, options, examples }: Command): string {
  return [
    `${summary[0]?.toUpperCase()}${summary.slice(1)}.`,
    `Usage: ${PROGRAM} ${usage}`,
    ...help.map((paragraph) => wrap(paragraph, WIDTH).join("\n")),
    section("Options", optionRows({ ...options, ...HELP_OPTION })),
    section(
      examples.length === 1 ? "Example" : "Examples",
      examples.map((example) => [`${PROGRAM} ${example}`, ""] as const),
    ),
  ].join("\n\n") + "\n";
}

function optionRows(options: Options): [string, string][] {
  return Object.entries(options).map(([name, option]) => [
    option.type === "string" ? `--${name} ${option.value}` : `--${name}`,
    option.summary,
  ]);
}

function section(title: string, rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.flatMap(([name, text]) => {
    const [first = "", ...rest] = wrap(text, WIDTH - width - 4);
    return [
      `  ${name.padEnd(width)}  ${first}`.trimEnd(),
      ...rest.map((line) => " ".repeat(width + 4) + line),
    ];
  });
  return [title, ...lines].join("\n");
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
