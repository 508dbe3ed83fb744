/** @module `deno task check:pages`: prints each fault of the pages' sources as `FILE:LINE: message`. */

import { faultsOfMade } from "../../cli/init/made.ts";
import { EXIT_FAILED, runProgram, standardOutput } from "../../cli/terminal.ts";
import { parseConfig } from "../../config/config.ts";
import config from "../../deno.json" with { type: "json" };
import { checkSite } from "../../site/check.ts";
import { pageFiles } from "../../site/files.ts";
import { knownPaths } from "./app_without_leads.ts";

const STYLES = "static/styles/brand.css";
const output = standardOutput(EXIT_FAILED);
let failed = 0;

async function faultsOfColours(): Promise<string[]> {
  const styles = await Deno.readTextFile(new URL(`../../${STYLES}`, import.meta.url));
  // Other notations can be transparent or unknown to a browser, and every other colour follows.
  return ["--brand", "--accent"]
    .filter((name) => !RegExp(`^  ${name}: #[0-9a-f]{6};$`, "im").test(styles))
    .map((name) => `${STYLES}:1: it must have one line such as ${name}: #0a7d55;`);
}

const name = "deno task check:pages";
const invalid = await runProgram({ name, words: Deno.args, ...output }, (program) => {
  program.description(config.tasks["check:pages"].description).action(async () => {
    const reading = { facts: parseConfig({}), knownPaths: await knownPaths() };
    const unreadable = ({ message }: Error) => [`Cannot read the pages: ${message}`];
    const found = await checkSite(pageFiles, reading).catch(unreadable);
    const colours = await faultsOfColours();
    // Without colours nothing can be drawn, which would be reported twice.
    const pictures = colours.length > 0 ? [] : await faultsOfMade();
    const faults = [...found, ...colours, ...pictures];
    for (const fault of faults) output.err(`${fault}\n`);
    if (faults.length > 0) failed = EXIT_FAILED;
    const { length } = await pageFiles.list();
    output.out(`${length} pages, ${failed ? `faults: ${faults.length}` : "no faults"}\n`);
  });
});
Deno.exit(invalid || failed);
