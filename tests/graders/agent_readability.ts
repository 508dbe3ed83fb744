/**
 * @module The grader `@vercel/agent-readability`, run as a process: it is a program without an
 * interface for other programs. It may reach the site at hand and nothing else.
 */

import { z } from "zod";
import { runDeno } from "../support/command.ts";
import type { Bar, Grade } from "./grade.ts";

const ROOT = new URL("../../", import.meta.url);
const PACKAGE = "@vercel/agent-readability";

/** 92 is what is left of 100 without the two that are refused. */
export const AGENT_READABILITY_BAR: Bar = {
  leastScore: 92,
  refused: {
    // It wants 200 with markdown. Its own «Soft 404 detection» wants the contrary.
    "Missing page → markdown": {
      outcome: "fail",
      because: "a missing page is a 404 (RFC 9110 §15.5.5), in markdown where that is asked for",
    },
    // It asks with `User-Agent: ClaudeBot/1.0` and no `Accept`.
    "Agent UA → markdown": {
      outcome: "fail",
      because: "Accept chooses, never who asks (RFC 9110 §12.5.1): crawlers index what people see",
    },
  },
};

const Report = z.object({
  score: z.number(),
  categories: z.record(
    z.string(),
    z.object({
      checks: z.array(z.object({
        name: z.string(),
        passed: z.boolean(),
        skipped: z.boolean(),
        detail: z.string().optional(),
      })),
    }),
  ),
});

/** Grades the site at `url`, an origin. */
export async function gradeByAgentReadability(url: string): Promise<Grade> {
  const { imports } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
  const { code, out, err } = await runDeno([
    "run",
    "--no-prompt",
    "--quiet",
    `--allow-net=${new URL(url).host}`,
    "--allow-env",
    `--preload=${new URL("first_choice.ts", import.meta.url).pathname}`,
    imports[PACKAGE],
    "audit",
    url,
    "--json",
  ], { cwd: ROOT });
  if (code !== 0) throw new Error(`Cannot run ${PACKAGE}: ${out}${err}`);
  const { score, categories } = Report.parse(JSON.parse(out));
  return {
    grader: PACKAGE,
    score,
    checks: Object.values(categories).flatMap(({ checks }) => checks)
      .map(({ name, passed, skipped, detail = "" }) => ({
        name,
        outcome: skipped ? "skip" : passed ? "pass" : "fail",
        detail,
      })),
  };
}
