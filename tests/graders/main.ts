/**
 * @module What graders of readability for agents say of the site: `deno task test:agents`.
 *
 * Starts the real service, lets `afdocs` and `@vercel/agent-readability` grade it, prints what they
 * say, and fails where a score is below its bar or a check does not pass that is not refused here by
 * name and for a reason. Talks to this machine alone.
 */

// deno-lint-ignore-file no-console -- a program that prints

import { computeScore, runChecks, type RunnerOptions } from "afdocs";
import { z } from "zod";
import { runDeno } from "../support/command.ts";
import { takesNoArguments } from "../support/no_arguments.ts";
import { startService, withFolder } from "../support/service.ts";

takesNoArguments("test:agents", "Grades the site as agents read it (20 seconds).");

const ROOT = new URL("../../", import.meta.url);
const PACKAGE = "@vercel/agent-readability";

/** What a grader says of the site: of 100, and of each thing that it looks at. */
interface Grade {
  readonly grader: string;
  readonly score: number;
  readonly checks: readonly {
    readonly name: string;
    readonly outcome: string;
    readonly detail: string;
  }[];
}

/** What a grade is compared with: the least score, and by name the outcome of each refused check. */
interface Bar {
  readonly least: number;
  readonly refused: Readonly<Record<string, string>>;
}

const AFDOCS_BAR: Bar = {
  least: 100,
  refused: {
    "auth-alternative-access": "skip", // asked only of sites that have something behind a login
    // The menu is more than a tenth of a page as short as the imprint. From a half on it is "fail".
    "content-start-position": "warn",
  },
};

/** 92 is what is left of 100 without the two that are refused. */
const AGENT_READABILITY_BAR: Bar = {
  least: 92,
  refused: {
    // It wants 200; a missing page is a 404 (RFC 9110 §15.5.5), in markdown where that is asked for.
    "Missing page → markdown": "fail",
    // It asks with `User-Agent: ClaudeBot/1.0` and no `Accept`; Accept chooses (RFC 9110 §12.5.1).
    "Agent UA → markdown": "fail",
  },
};

/** By `afdocs`, in this process: as anybody would run it, or on the given pages. */
async function gradeByAfdocs(url: string, pages?: readonly string[]): Promise<Grade> {
  const options: Partial<RunnerOptions> = {
    requestDelay: 0, // this process alone is asking
    networkContext: "ci",
    samplingStrategy: "deterministic",
    ...(pages && { samplingStrategy: "curated", curatedPages: [...pages] }),
  };
  const report = await runChecks(url, options);
  const checks = report.results.map(({ id, status, message, details }) => ({
    name: id,
    outcome: status,
    detail: status === "pass" ? message : `${message} ${JSON.stringify(details?.["pageResults"])}`,
  }));
  const grader = `afdocs, ${pages ? `on all ${pages.length} pages` : "by itself"}`;
  return { grader, score: computeScore(report).overall, checks };
}

const Report = z.object({
  score: z.number(),
  categories: z.record(
    z.string(),
    z.object({
      checks: z.array(z.object({
        name: z.string(),
        passed: z.boolean(),
        skipped: z.boolean(),
        detail: z.string().default(""),
      })),
    }),
  ),
});

/** By `@vercel/agent-readability`, as a process that may reach the site and nothing else. */
async function gradeByAgentReadability(url: string): Promise<Grade> {
  const { imports } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
  const { code, out, err } = await runDeno([
    ...["run", "--no-prompt", "--quiet", "--allow-env", `--allow-net=${new URL(url).host}`],
    `--preload=${new URL("first_choice.ts", import.meta.url).pathname}`,
    ...[imports[PACKAGE], "audit", url, "--json"],
  ], { cwd: ROOT });
  if (code !== 0) throw new Error(`Cannot run ${PACKAGE}: ${out}${err}`);
  const { score, categories } = Report.parse(JSON.parse(out));
  const checks = Object.values(categories).flatMap(({ checks }) => checks)
    .map(({ name, passed, skipped, detail }) => ({
      name,
      outcome: skipped ? "skip" : passed ? "pass" : "fail",
      detail,
    }));
  return { grader: PACKAGE, score, checks };
}

/** Prints a grade. @returns why it does not reach its bar */
function shortfallsOf({ grader, score, checks }: Grade, { least, refused }: Bar): string[] {
  console.log(`${grader}: ${score} of 100`);
  for (const { name, outcome, detail } of checks) {
    const note = refused[name] === outcome ? " (refused)" : "";
    console.log(`  ${outcome.padEnd(4)}  ${name}${note}: ${detail.slice(0, 500)}`);
  }
  const expected = Object.entries(refused).map(([name, outcome]) => `${name}: ${outcome}`);
  const found = checks.filter(({ outcome }) => outcome !== "pass")
    .map(({ name, outcome }) => `${name}: ${outcome}`);
  // A refusal of a check that passes would hide what comes next under that name.
  const unexpected = [...new Set(found).symmetricDifference(new Set(expected))];
  return [
    ...(score < least ? [`${grader} gives ${score}, and ${least} are wanted`] : []),
    ...unexpected.map((one) => `${grader}: ${one} is not as main.ts has it`),
  ];
}

await withFolder(async (folder) => {
  const service = await startService(folder);
  try {
    const { url } = service;
    const sitemap = await (await fetch(`${url}/sitemap.xml`)).text();
    const pages = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, page]) => page!);
    if (pages.length === 0) throw new Error("Cannot grade the pages: the sitemap names none");
    const shortfalls = [
      ...shortfallsOf(await gradeByAfdocs(url), AFDOCS_BAR),
      ...shortfallsOf(await gradeByAfdocs(url, pages), AFDOCS_BAR),
      ...shortfallsOf(await gradeByAgentReadability(url), AGENT_READABILITY_BAR),
    ];
    for (const shortfall of shortfalls) console.error(shortfall);
    if (shortfalls.length > 0) Deno.exitCode = 1;
  } finally {
    await service.end();
  }
});
