/** @module `deno task check:pages`: prints each fault of the pages' sources as `FILE:LINE: message`. */

import { faultsOfMade } from "../../cli/init/made.ts";
import { EXIT_FAILED, runProgram, standardOutput } from "../../cli/terminal.ts";
import { parseConfig } from "../../config/config.ts";
import config from "../../deno.json" with { type: "json" };
import { checkSite } from "../../site/check.ts";
import { assetFiles, pageFiles } from "../../site/files.ts";
import { assetFaults } from "../../site/source_faults.ts";
import { knownPaths } from "./app_without_leads.ts";

const STYLES = "static/styles/brand.css";
const output = standardOutput(EXIT_FAILED);
let failed = 0;

async function findFaults(): Promise<string[]> {
  return await checkSite(pageFiles, { facts: parseConfig({}), knownPaths: await knownPaths() });
}

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
    const unreadable = ({ message }: Error) => [`Cannot read the pages: ${message}`];
    const found = await findFaults().catch(unreadable);
    const files = await assetFaults(assetFiles).catch(unreadable);
    const colours = await faultsOfColours();
    // Without colours or a file nothing can be drawn, which would be reported twice.
    const pictures = colours.length + files.length > 0 ? [] : await faultsOfMade();
    const faults = [...found, ...files, ...colours, ...pictures];
    for (const fault of faults) output.err(`${fault}\n`);
    if (faults.length > 0) failed = EXIT_FAILED;
    const { length } = await pageFiles.list();
    output.out(`${length} pages, ${failed ? `faults: ${faults.length}` : "no faults"}\n`);
  });
});
Deno.exit(invalid || failed);
