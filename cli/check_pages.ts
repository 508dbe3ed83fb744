/** @module `deno task check:pages`: prints each problem of the pages' sources as `FILE:LINE: message`. */

import { knownPaths } from "./app_without_leads.ts";
import { operationProblems } from "./check_operations.ts";
import { problemsOfMade } from "./init/generated_images.ts";
import { EXIT_FAILED, runProgram, standardOutput } from "./terminal.ts";
import { parseConfig } from "../config/config.ts";
import { exit } from "../lib/process.ts";
import { checkSite } from "../site/check.ts";
import { assetFiles, pageFiles } from "../site/files.ts";
import { assetProblems } from "../site/check_assets.ts";

const STYLES = "static/styles/brand.css";
const output = standardOutput(EXIT_FAILED);
let failed = 0;

async function findProblems(): Promise<string[]> {
  const facts = parseConfig({});
  return await checkSite(pageFiles, { facts, knownPaths: await knownPaths(facts) });
}

async function problemsOfColours(): Promise<string[]> {
  const styles = await Deno.readTextFile(new URL(`../${STYLES}`, import.meta.url));
  // Other notations can be transparent or unknown to a browser, and every other colour follows.
  return ["--brand", "--accent"]
    .filter((name) => !RegExp(`^  ${name}: #[0-9a-f]{6};$`, "im").test(styles))
    .map((name) => `${STYLES}:1: it must have one line such as ${name}: #0a7d55;`);
}

const name = "deno task check:pages";
const invalid = await runProgram({ name, words: Deno.args, ...output }, (program) => {
  program.description("Checks the sources of the pages: texts, links, pictures, colours.").action(
    async () => {
      const unreadable = ({ message }: Error) => [`Cannot read the pages: ${message}`];
      const found = await findProblems().catch(unreadable);
      const files = await assetProblems(assetFiles).catch(unreadable);
      const colours = await problemsOfColours();
      // Without colours or a file nothing can be drawn, which would be reported twice.
      const pictures = colours.length + files.length > 0 ? [] : await problemsOfMade();
      const operations = await operationProblems(parseConfig({}));
      const problems = [...found, ...files, ...colours, ...pictures, ...operations];
      for (const problem of problems) output.err(`${problem}\n`);
      if (problems.length > 0) failed = EXIT_FAILED;
      const { length } = await pageFiles.list();
      output.out(`${length} pages, ${failed ? `problems: ${problems.length}` : "no problems"}\n`);
    },
  );
});
await exit(invalid || failed);
