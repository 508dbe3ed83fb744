/**
 * @module What graders of readability for agents say of the site: `deno task test:agents`.
 *
 * Starts the real service, lets each grader look at it, prints what they say, and fails when one of
 * them says less than its bar. Talks to this machine alone.
 */

// deno-lint-ignore-file no-console -- a program that prints

import { startService, withFolder } from "../support/service.ts";
import { AFDOCS_BAR, gradeByAfdocs } from "./afdocs.ts";
import { AGENT_READABILITY_BAR, gradeByAgentReadability } from "./agent_readability.ts";
import { type Bar, type Grade, shortfallsOf, tableOf } from "./grade.ts";
import { takesNoArguments } from "../support/no_arguments.ts";

takesNoArguments("test:agents", "Grades the site as agents read it (20 seconds).");

async function grades(url: string): Promise<(readonly [Grade, Bar])[]> {
  return [
    ...(await gradeByAfdocs(url)).map((grade) => [grade, AFDOCS_BAR] as const),
    [await gradeByAgentReadability(url), AGENT_READABILITY_BAR],
  ];
}

const shortfalls: string[] = [];
await withFolder(async (folder) => {
  const service = await startService(folder);
  try {
    for (const [grade, bar] of await grades(service.url)) {
      console.log(`${tableOf(grade, bar)}\n`);
      shortfalls.push(...shortfallsOf(grade, bar));
    }
  } finally {
    await service.end();
  }
});
for (const shortfall of shortfalls) console.error(shortfall);
if (shortfalls.length > 0) Deno.exit(1);
