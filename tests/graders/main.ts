/**
 * @module `deno task test:agents`: grades the service by afdocs, agent-readability and the llms.txt
 * parser.
 */

// deno-lint-ignore-file no-console -- a program that prints

import { computeScore, runChecks, type RunnerOptions } from "afdocs";
import { SAMPLE_NAME } from "../../cli/init/sample.ts";
import brand from "../../static/site.json" with { type: "json" };
import { runDeno } from "../support/command.ts";
import { withRunningService } from "../support/service.ts";
import { readByParser } from "./llms_txt.ts";

const ROOT = new URL("../../", import.meta.url);
const PACKAGE = "@vercel/agent-readability";

type Grade = Awaited<ReturnType<typeof gradeByAfdocs>>;

/** The minimum score, and the outcomes of the checks that do not, or need not, pass. */
interface Expectation {
  readonly least: number;
  readonly outcomes: Readonly<Record<string, string>>;
}

const AFDOCS: Expectation = {
  least: brand.name === SAMPLE_NAME ? 100 : 99, // short pages, see below, cost at most one
  outcomes: {
    "auth-alternative-access": "skip", // only for sites with a login
    // The menu is more than a tenth of a short page, such as the imprint or the first home page.
    "content-start-position": "warn or pass",
  },
};

const AGENT_READABILITY: Expectation = {
  least: 92, // 100 without these two
  outcomes: {
    // It expects 200; a missing page is a 404 (RFC 9110 §15.5.5), in markdown on request.
    "Missing page → markdown": "fail",
    // It sends `User-Agent: ClaudeBot/1.0` without `Accept`, which decides (RFC 9110 §12.5.1).
    "Agent UA → markdown": "fail",
  },
};

async function gradeByAfdocs(url: string, pages?: readonly string[]) {
  const options: Partial<RunnerOptions> = {
    requestDelay: 0,
    networkContext: "ci",
    samplingStrategy: "deterministic",
    ...(pages && { samplingStrategy: "curated", curatedPages: [...pages] }),
  };
  const report = await runChecks(url, options);
  const checks = report.results.map(({ id, status, message, details }) => ({
    name: id,
    outcome: String(status),
    detail: status === "pass" ? message : `${message} ${JSON.stringify(details?.["pageResults"])}`,
  }));
  const grader = `afdocs, ${pages ? `on all ${pages.length} pages` : "defaults"}`;
  return { grader, score: computeScore(report).overall, checks };
}

/** What is read of a check in the report of {@link PACKAGE}. */
type Check = Record<"passed" | "skipped", boolean> & { name: string; detail?: string };

/** Runs `@vercel/agent-readability` as a process that may access only the site. */
async function gradeByAgentReadability(url: string): Promise<Grade> {
  const { imports } = JSON.parse(await Deno.readTextFile(new URL("tests/deno.json", ROOT)));
  const flags = ["--config=tests/deno.json", "--no-prompt", "--quiet", "--allow-env"];
  const { code, out, err } = await runDeno([
    ...["run", ...flags, `--allow-net=${new URL(url).host}`],
    `--preload=${new URL("first_choice.ts", import.meta.url).pathname}`,
    ...[imports[PACKAGE], "audit", url, "--json"],
  ], { cwd: ROOT });
  if (code !== 0) throw new Error(`Cannot run ${PACKAGE}: ${out}${err}`);
  const { score, categories } = JSON.parse(out);
  const checks = Object.values<{ checks: Check[] }>(categories).flatMap(({ checks }) => checks)
    .map(({ name, passed, skipped, detail = "" }) => ({
      name,
      outcome: skipped ? "skip" : passed ? "pass" : "fail",
      detail,
    }));
  return { grader: PACKAGE, score, checks };
}

function report({ grader, score, checks }: Grade, { least, outcomes }: Expectation): string[] {
  console.log(`${grader}: ${score} of 100`);
  for (const { name, outcome, detail } of checks) {
    const note = outcomes[name]?.includes(outcome) ? " (expected)" : "";
    console.log(`  ${outcome.padEnd(4)}  ${name}${note}: ${detail.slice(0, 500)}`);
  }
  // An expected failure that passes now is reported, too: it could hide a later one.
  const found = new Map(checks.map(({ name, outcome }) => [name, outcome]));
  const unexpected = [...new Set([...found.keys(), ...Object.keys(outcomes)])]
    .filter((name) => !(outcomes[name] ?? "pass").split(" or ").includes(found.get(name) ?? ""))
    .map((name) => `${name}: ${found.get(name) ?? "missing"}`);
  return [
    ...(score >= least ? [] : [`${grader}: the score is ${score} instead of ${least}`]),
    ...unexpected.map((one) => `${grader}: ${one} differs from main.ts`),
  ];
}

await withRunningService(async ({ url }) => {
  const sitemap = await (await fetch(`${url}/sitemap.xml`)).text();
  const pages = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, page]) => page!);
  if (pages.length === 0) throw new Error("Cannot grade the pages: the sitemap lists none");
  const differences = [
    ...await readByParser(url),
    ...report(await gradeByAfdocs(url), AFDOCS),
    ...report(await gradeByAfdocs(url, pages), AFDOCS),
    ...report(await gradeByAgentReadability(url), AGENT_READABILITY),
  ];
  for (const difference of differences) console.error(difference);
  if (differences.length > 0) Deno.exitCode = 1;
});
