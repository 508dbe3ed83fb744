/** @module The command line of `deno task doctor`. A new check is one line in CHECKS. */

import { ConfigError, parseConfig } from "../../config/config.ts";
import { targetFault } from "../../leads/delivery/targets.ts";
import { errorName } from "../../leads/log.ts";
import { pageFiles } from "../../site/files.ts";
import { sourceFaults } from "../../site/source_faults.ts";
import { EXIT_FAILED, type Output, runProgram } from "../terminal.ts";
import { type Environment, fail, type Finding, ok } from "./finding.ts";
import { checkKv } from "./kv.ts";
import { checkPermissions, checkSettings } from "./settings.ts";
import { checkTargets } from "./targets.ts";

type Check = (environment: Environment) => Finding[] | Promise<Finding[]>;

/** In report order. */
const CHECKS: readonly (readonly [name: string, check: Check])[] = [
  ["permissions", checkPermissions],
  ["settings", checkSettings],
  ["kv", checkKv],
  ["targets", checkTargets],
  ["pages", checkPages],
];

const DESCRIPTION =
  `Checks an environment before a deploy, with the variables and permissions of the \
service: reads the pages, writes and deletes one entry in KV, sends each target a marked test event \
(webhooks: type lead.test), and suggests a fix for each problem. Prints no secret.`;

const HELP = `
Example:
  deno task --env-file=.env.production doctor

Exit codes: 0 no check failed (there may be warnings), 1 a check failed, 2 invalid command line.`;

/** Runs a command line. Never rejects. @returns the exit code */
export async function runDoctor(
  words: readonly string[],
  { out, err, ...given }: Output & Omit<Environment, "config" | "send">,
): Promise<number> {
  let failed = 0;
  const code = await runProgram({ name: "deno task doctor", words, out, err }, (program) => {
    program.description(DESCRIPTION)
      .option("--no-send", "connect to the targets without sending a test event")
      .option(
        "--json",
        'one JSON object: {"ok", "findings": [{"check", "state", "message", "fix"}]}',
      )
      .addHelpText("after", HELP)
      .action(async ({ send, json }: { send: boolean; json?: true }) => {
        const findings = await examine({ ...given, send });
        if (!json) findings.forEach((finding) => out(line(finding)));
        const count = (state: string) => findings.filter((one) => one.state === state).length;
        failed = count("fail");
        if (json) out(`${JSON.stringify({ ok: failed === 0, findings }, null, 2)}\n`);
        else out(`\n${count("ok")} ok, ${count("warn")} to look at, ${failed} failed\n`);
      });
  });
  return failed > 0 ? EXIT_FAILED : code;
}

function line({ check, state, message, fix }: Finding): string {
  const mark = state === "fail" ? "FAIL" : state.padEnd(4);
  return `${mark}  ${check}: ${message}.${fix === undefined ? "" : ` ${fix}`}\n`;
}

/** Runs all checks concurrently. An invalid configuration prevents them. */
async function examine(given: Omit<Environment, "config">): Promise<Finding[]> {
  let config;
  try {
    config = parseConfig(given.variables, targetFault);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const fix = "Correct it; .env.example documents each variable.";
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
    ok("configuration", "every variable is valid"),
    ...(await Promise.all(checked)).flat(),
  ];
}

async function checkPages({ config }: Environment): Promise<Finding[]> {
  const faults = await sourceFaults(pageFiles, config);
  if (faults.length === 0) return [ok("pages", "every source is valid")];
  const fix = "Correct the file; deno task check finds further problems.";
  return faults.map((fault) => fail("pages", fault, fix));
}
