/** @module The command line of `deno task doctor`. A new check is an entry in CHECKS. */

import { Option } from "commander";
import { ConfigError, parseConfig } from "../../config/config.ts";
import { targetProblem } from "../../leads/delivery/targets.ts";
import { Exit, EXIT_FAILED, type Output, runProgram } from "../terminal.ts";
import { checkPages, checkTexts } from "./content.ts";
import { type Environment, fail, type Finding, ok, warn } from "./finding.ts";
import { checkKv } from "./kv.ts";
import { checkSettings, checkVariables } from "./settings.ts";
import { checkTargets } from "./targets.ts";

const CHECKS = [checkSettings, checkVariables, checkKv, checkTargets, checkTexts, checkPages];

const DESCRIPTION =
  `Checks an environment before a deploy: reads the settings and the pages, commits to KV \
without changing it, sends each target a marked test event (webhooks: type lead.test), and suggests a \
fix for each problem. Prints no secret.`;

/** What Deno Deploy sets on the production timeline of an application with a database. */
const ON_DEPLOY = {
  DENO_DEPLOY: "true",
  DENO_TIMELINE: "production",
  DENO_KV_DEFAULT_PATH: "https://assigned.invalid",
};

const HELP = `
Example: deno task --env-file=.env.production doctor --for deploy

Exit codes: 0 no check failed (there may be warnings), 1 a check failed, 2 invalid command line.`;

/** Runs a command line. Never rejects. @returns the exit code */
export async function runDoctor(
  words: readonly string[],
  { out, err, ...given }: Output & Omit<Environment, "config" | "send" | "isForDeploy">,
): Promise<number> {
  return await runProgram({ name: "deno task doctor", words, out, err }, (program) => {
    program.description(DESCRIPTION)
      .option("--no-send", "connect to the targets without sending a test event")
      .option(
        "--json",
        'one JSON object: {"ok", "findings": [{"check", "state", "message", "fix"}]}',
      )
      .addOption(
        new Option("--for <place>", "where the environment is for: your server, or Deno Deploy")
          .choices(["server", "deploy"]).default("server"),
      )
      .addHelpText("after", HELP)
      .action(async ({ send, json, for: place }: { send: boolean; json?: true; for: string }) => {
        const isForDeploy = place === "deploy";
        const variables = { ...given.variables, ...(isForDeploy && ON_DEPLOY) };
        const findings = await examine({ ...given, variables, send, isForDeploy });
        if (!json) findings.forEach((finding) => out(line(finding)));
        const count = (state: string) => findings.filter((one) => one.state === state).length;
        const failed = count("fail");
        if (json) out(`${JSON.stringify({ ok: failed === 0, findings }, null, 2)}\n`);
        else out(`\n${count("ok")} ok, ${count("warn")} to look at, ${failed} failed\n`);
        if (failed > 0) throw new Exit(EXIT_FAILED);
      });
  });
}

function line({ check, state, message, fix }: Finding): string {
  const mark = state === "fail" ? "FAIL" : state.padEnd(4);
  return `${mark}  ${check}: ${message}.${fix === undefined ? "" : ` ${fix}`}\n`;
}

/** Runs all checks concurrently. An invalid configuration prevents them. */
async function examine(given: Omit<Environment, "config">): Promise<Finding[]> {
  let config, envFile: string | undefined;
  try {
    envFile = given.envFile?.();
    config = parseConfig(given.variables, targetProblem);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const fix = "Correct it; .env.example documents each variable.";
    const problems = error.problems.map((problem) => fail("configuration", problem, fix));
    return [...problems, ...checkVariables(given)];
  }
  const found = await Promise.all(CHECKS.map((check) => check({ ...given, config })));
  const valid = ok(
    "configuration",
    `every variable is valid${envFile ? `; ${envFile} has been read` : ""}`,
  );
  if (envFile === undefined || !given.isForDeploy) return [valid, ...found.flat()];
  const local = "variables of .env count here, and are not on Deno Deploy unless you add them";
  const fix = "Rename .env for this check, if it is for this machine.";
  return [valid, warn("configuration", local, fix), ...found.flat()];
}
