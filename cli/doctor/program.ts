/** @module The program behind `deno task doctor`: a new check is one line in CHECKS. */

import { ConfigError, parseConfig } from "../../config/config.ts";
import { targetFault } from "../../leads/delivery/targets.ts";
import { errorName } from "../../leads/log.ts";
import { pageFiles } from "../../site/files.ts";
import { sourceFaults } from "../../site/source_faults.ts";
import { createProgram, EXIT_FAILED, type Output, runProgram } from "../terminal.ts";
import { type Environment, fail, type Finding, ok } from "./finding.ts";
import { checkKv } from "./kv.ts";
import { checkPermissions } from "./permissions.ts";
import { checkSettings } from "./settings.ts";
import { checkTargets } from "./targets.ts";

type Check = (environment: Environment) => Finding[] | Promise<Finding[]>;

/** In the order of the report. */
const CHECKS: readonly (readonly [name: string, check: Check])[] = [
  ["permissions", checkPermissions],
  ["settings", checkSettings],
  ["kv", checkKv],
  ["targets", checkTargets],
  ["pages", checkPages],
];

const DESCRIPTION =
  `Checks an environment before a deploy, with the variables and permissions of the \
service: reads what the start reads, writes and deletes one entry in KV, sends each target a test event \
that is marked as one (webhooks: type lead.test), and says what to correct. Prints no secret.`;

const HELP = `
Example:
  deno task --env-file=.env.production doctor

Exit codes: 0 nothing failed (there may be warnings), 1 something failed, 2 the command line makes no sense.`;

/** Runs a command line to its end. Never rejects. @returns the exit code */
export async function runDoctor(
  words: readonly string[],
  { out, err, ...given }: Output & Omit<Environment, "config" | "send">,
): Promise<number> {
  let failed = 0;
  const program = createProgram("deno task doctor", { out, err })
    .description(DESCRIPTION)
    .option("--no-send", "only connect to the targets: they get no test event")
    .option("--json", 'one JSON object: {"ok", "findings": [{"check", "state", "message", "fix"}]}')
    .addHelpText("after", HELP)
    .action(async ({ send, json }: { send: boolean; json?: true }) => {
      const findings = await examine({ ...given, send });
      if (!json) findings.forEach((finding) => out(line(finding)));
      const count = (state: string) => findings.filter((one) => one.state === state).length;
      failed = count("fail");
      if (json) out(`${JSON.stringify({ ok: failed === 0, findings }, null, 2)}\n`);
      else out(`\n${count("ok")} ok, ${count("warn")} to look at, ${failed} failed\n`);
    });
  const code = await runProgram(program, words, { out, err });
  return failed > 0 ? EXIT_FAILED : code;
}

function line({ check, state, message, fix }: Finding): string {
  const mark = state === "fail" ? "FAIL" : state.padEnd(4);
  return `${mark}  ${check}: ${message}.${fix === undefined ? "" : ` ${fix}`}\n`;
}

/** The findings of all checks, which run at once. A configuration with faults ends the examination. */
async function examine(given: Omit<Environment, "config">): Promise<Finding[]> {
  let config;
  try {
    config = parseConfig(given.variables, targetFault);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const fix = "Correct it: .env.example shows each variable.";
    return error.faults.map((fault) => fail("configuration", fault, fix));
  }
  const environment = { ...given, config };
  const checked = CHECKS.map(async ([name, check]) => {
    try {
      return await check(environment);
    } catch (error) {
      return [fail(name, `Cannot finish: ${errorName(error)}`, "Report it as a bug.")];
    }
  });
  return [
    ok("configuration", "every variable can be used"),
    ...(await Promise.all(checked)).flat(),
  ];
}

async function checkPages({ config }: Environment): Promise<Finding[]> {
  const faults = await sourceFaults(pageFiles, config);
  if (faults.length === 0) return [ok("pages", "every source can be read")];
  const fix = "Correct the file; deno task check finds what else is wrong with pages.";
  return faults.map((fault) => fail("pages", fault, fix));
}
