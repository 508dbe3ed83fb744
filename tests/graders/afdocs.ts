/**
 * @module The grader `afdocs` (the Agent-Friendly Documentation Spec), run in this process.
 *
 * Twice: as anybody would run it, when it finds the pages by itself in llms.txt and the sitemap of
 * the default language; and on every page of the sitemap, which it would otherwise never see in
 * another language.
 */

import { type CheckResult, computeScore, runChecks, type RunnerOptions } from "afdocs";
import type { Bar, Grade, GraderCheck } from "./grade.ts";

/** All that it asks of a site, but for what does not concern one like this. */
export const AFDOCS_BAR: Bar = {
  leastScore: 100,
  refused: {
    "auth-alternative-access": {
      outcome: "skip",
      because: "asked only of sites that have something behind a login",
    },
    // More than a tenth. From a half on it says «fail», which is not refused.
    "content-start-position": {
      outcome: "warn",
      because: "the menu is more than a tenth of a page as short as the imprint",
    },
  },
};

/** No pauses: nobody but this process is asking. The rest is the grader's own choice. */
const OPTIONS: Partial<RunnerOptions> = {
  requestDelay: 0,
  samplingStrategy: "deterministic",
  networkContext: "ci",
};

/** Grades the site at `url`, an origin. */
export async function gradeByAfdocs(url: string): Promise<Grade[]> {
  const pages = await sitemapPages(url);
  return [
    await run("afdocs, by itself", { url, options: OPTIONS }),
    await run(`afdocs, on all ${pages.length} pages`, {
      url,
      options: { ...OPTIONS, samplingStrategy: "curated", curatedPages: pages },
    }),
  ];
}

async function run(
  grader: string,
  { url, options }: { readonly url: string; readonly options: Partial<RunnerOptions> },
): Promise<Grade> {
  const report = await runChecks(url, options);
  return { grader, score: computeScore(report).overall, checks: report.results.map(asCheck) };
}

function asCheck({ id, status, message, details }: CheckResult): GraderCheck {
  const outcome = status === "error" ? "fail" : status;
  return { name: id, outcome, detail: [message, ...faultyPages(details)].join("\n          ") };
}

/** The pages behind a check that does not pass: a count alone tells nobody where to look. */
function faultyPages(details: CheckResult["details"]): string[] {
  const pages = details?.["pageResults"];
  if (!Array.isArray(pages)) return [];
  return pages.filter((page: { status?: unknown }) => /^(?:warn|fail)$/.test(String(page.status)))
    .map((page: unknown) => JSON.stringify(page));
}

async function sitemapPages(url: string): Promise<string[]> {
  const sitemap = await (await fetch(`${url}/sitemap.xml`)).text();
  const pages = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, page]) => page!);
  if (pages.length === 0) throw new Error("Cannot grade the pages: the sitemap names none");
  return pages;
}
