/**
 * @module What many pages cost: `deno task bench:pages`.
 *
 * The real service with 10 and with 1,000 pages a language, started in turn, so that the machine's
 * noise meets both alike: from start to the first answer, from there to the first page, and a second
 * page. What is asserted of it, that nothing is read before a page is asked for, is
 * `tests/site/many_pages_test.ts`.
 */

// deno-lint-ignore-file no-console -- a program that prints

import { copyProject } from "../support/checkout.ts";
import { start } from "../support/command.ts";
import { freePort, withFolder } from "../support/service.ts";
import { startFlags } from "../support/start_task.ts";
import { pageText } from "../site/fixture.ts";
import { inTurn } from "./rounds.ts";
import { spreadOf } from "./stats.ts";
import { takesNoArguments } from "../support/no_arguments.ts";

takesNoArguments("bench:pages", "Measures what 1,000 pages cost against 10 (10 seconds).");

const ROUNDS = 9;
const PAGES_A_LANGUAGE = [10, 1_000];

/** Some 4 kB of markdown, as a page has. */
const TEXT = Array.from(
  { length: 12 },
  (_, n) =>
    `## Section ${n}\n\nA paragraph with **bold** text, a [link](/) and \`code\`, which goes on for ` +
    "long enough to be taken for one that somebody has written for somebody else to read.\n\n" +
    "- one\n- two\n- three\n",
).join("\n");

async function makePages(project: string, count: number): Promise<void> {
  for (const locale of ["en", "de"]) {
    const folder = `${project}/static/pages/${locale}`;
    await Deno.remove(folder, { recursive: true });
    await Deno.mkdir(folder);
    const names = ["index", ...Array.from({ length: count - 1 }, (_, n) => `page-${n}`)];
    for (const name of names) {
      await Deno.writeTextFile(`${folder}/${name}.md`, pageText(`# ${name}\n\n${TEXT}`));
    }
  }
}

interface Times {
  readonly start: number;
  readonly firstPage: number;
  readonly secondPage: number;
}

async function timeStart(project: string): Promise<Times> {
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  const args = [...await startFlags(`${project}/`), `${project}/main.ts`];
  const began = performance.now();
  const child = start([Deno.execPath(), ...args], {
    cwd: project,
    env: { PORT: String(port), SITE_URL: url, KV_PATH: ":memory:" },
    stdout: "null",
  });
  try {
    while (!await answers(`${url}/api/health`)) {
      if (child.hasEnded()) throw new Error(`Cannot measure: ${child.output()}`);
      await new Promise((done) => setTimeout(done, 1));
    }
    const start = performance.now() - began;
    return {
      start,
      firstPage: await timeOf(`${url}/page-1`),
      secondPage: await timeOf(`${url}/page-2`),
    };
  } finally {
    await child.end("SIGKILL");
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    await (await fetch(url)).body?.cancel();
    return true;
  } catch {
    return false;
  }
}

async function timeOf(url: string): Promise<number> {
  const began = performance.now();
  const response = await fetch(url);
  await response.bytes();
  if (response.status !== 200) throw new Error(`Cannot go on: ${url} answers ${response.status}`);
  return performance.now() - began;
}

function told(times: readonly number[]): string {
  const { median, low, high } = spreadOf(times);
  return `${median.toFixed(1)} ms (${low.toFixed(1)} to ${high.toFixed(1)})`;
}

await withFolder(async (folder) => {
  const projects: string[] = [];
  for (const count of PAGES_A_LANGUAGE) {
    const project = `${folder}/${count}`;
    await Deno.mkdir(project);
    await copyProject(project);
    await makePages(project, count);
    projects.push(project);
    await timeStart(project); // fills Deno's caches
  }
  const measures = Object.fromEntries(
    projects.map((project) => [project, () => timeStart(project)]),
  );
  const rounds = await inTurn(measures, ROUNDS);
  console.log(`medians of ${ROUNDS} starts (and what half of them lie in)`);
  for (const [n, count] of PAGES_A_LANGUAGE.entries()) {
    const of = (what: keyof Times) => told(rounds.map((round) => round[projects[n]!]![what]));
    console.log(`${String(count).padStart(5)} pages a language
  start to first answer  ${of("start")}
  first page             ${of("firstPage")}
  second page            ${of("secondPage")}`);
  }
});
