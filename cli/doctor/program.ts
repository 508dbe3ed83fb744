/** @module The doctor's command line: what it takes, what it prints, how it ends. */

import { parseArgs } from "node:util";
import { EXIT_CONFIG } from "../../config/exit.ts";
import type { Environment, Finding, State } from "./check.ts";
import { examine, type UnderWay } from "./examination.ts";

/** Something is wrong that has to be mended. */
export const EXIT_FAILED = 1;

/** The command line makes no sense. */
const EXIT_USAGE = EXIT_CONFIG;

const OPTIONS = {
  "no-send": { type: "boolean" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

const HELP =
  `Checks an environment before a deploy, by the variables and permissions of the service.

Usage: deno task doctor [--no-send] [--json]

Reads what the start reads, writes and deletes one entry in KV, sends each target a test event that
is marked as one (webhooks: type lead.test), and says what to mend. Nothing of a secret is printed.

Options
  --no-send  only connects to the targets: nobody gets a test mail or message
  --json     one JSON object: {"ok", "findings": [{"check", "state", "message", "fix"}]}
  --help     this text

Example
  deno task --env-file=.env.production doctor

Exit codes: 0 nothing failed (there may be warnings), 1 something did, 2 the command line makes no sense.
`;

/** Where words go. */
export interface Terminal {
  /** Writes to standard output, what was found. */
  out(text: string): void;
  /** Writes to standard error, what is going on. */
  err(text: string): void;
  /** Whether standard output shows colours. */
  readonly colours: boolean;
  /** Whether somebody watches standard error. */
  readonly watched: boolean;
}

/**
 * Runs the doctor to its end. Never rejects.
 *
 * @returns the exit code
 */
export async function runDoctor(
  words: readonly string[],
  { terminal, environment }: {
    readonly terminal: Terminal;
    readonly environment: Omit<Environment, "config" | "send">;
  },
): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...words],
    options: OPTIONS,
    strict: false,
    allowPositionals: true,
  });
  const strange = [
    ...positionals,
    ...Object.entries(values).filter(([name, value]) => !(name in OPTIONS) || value !== true)
      .map(([name]) => `--${name}`),
  ];
  if (strange.length > 0) {
    terminal.err(
      `Cannot run the doctor: it takes ${
        Object.keys(OPTIONS).map((name) => `--${name}`).join(", ")
      } and nothing else\n`,
    );
    return EXIT_USAGE;
  }
  if (values.help) {
    terminal.out(HELP);
    return 0;
  }
  const begun = examine({ ...environment, send: !values["no-send"] });
  const findings = values.json
    ? (await Promise.all(begun.map((one) => one.findings))).flat()
    : await report(begun, terminal);
  const isOk = !findings.some(({ state }) => state === "fail");
  if (values.json) terminal.out(`${JSON.stringify({ ok: isOk, findings }, null, 2)}\n`);
  return isOk ? 0 : EXIT_FAILED;
}

/** Prints each finding as soon as it is its turn, and what is being waited for meanwhile. */
async function report(
  begun: readonly UnderWay[],
  { out, err, colours, watched }: Terminal,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { name, findings: pending } of begun) {
    const timer = setTimeout(() => watched && err(`\r… ${name}`), 500);
    const found = await pending;
    clearTimeout(timer);
    if (watched) err("\r\x1b[K");
    for (const finding of found) out(line(finding, colours));
    findings.push(...found);
  }
  const count = (state: State) => findings.filter((finding) => finding.state === state).length;
  out(`\n${count("ok")} ok, ${count("warn")} to look at, ${count("fail")} failed\n`);
  return findings;
}

const MARKS: Record<State, readonly [mark: string, colour: number]> = {
  ok: ["ok  ", 32],
  warn: ["warn", 33],
  fail: ["FAIL", 31],
};

function line({ check, state, message, fix }: Finding, colours: boolean): string {
  const [mark, colour] = MARKS[state];
  const shown = colours ? `\x1b[${colour}m${mark}\x1b[39m` : mark;
  return `${shown}  ${check}: ${message}.${fix === undefined ? "" : ` ${fix}`}\n`;
}
