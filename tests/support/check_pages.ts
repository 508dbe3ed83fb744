/** @module Part of `deno task check`: prints each fault of the pages as `FILE:LINE: message`. */

// deno-lint-ignore-file no-console -- a program that prints

import { faultsOfMade } from "../../cli/init/made.ts";
import { parseConfig } from "../../config/config.ts";
import { checkSite } from "../../site/check.ts";
import { pageFiles } from "../../site/files.ts";
import { knownPaths } from "./app_without_leads.ts";

const faults = await checkSite(pageFiles, {
  facts: parseConfig({}),
  knownPaths: await knownPaths(),
});
const file = "static/styles/brand.css";
const styles = await Deno.readTextFile(new URL(`../../${file}`, import.meta.url));
for (const name of ["--brand", "--accent"]) {
  // Other notations can be transparent or unknown to a browser, and every other colour follows.
  if (RegExp(`^  ${name}: #[0-9a-f]{6};$`, "im").test(styles)) continue;
  faults.push(`${file}:1: it must have one line such as ${name}: #0a7d55;`);
}
faults.push(...await faultsOfMade());
for (const fault of faults) console.error(fault);
if (faults.length > 0) Deno.exit(1);
console.log(`${(await pageFiles.list()).length} pages are sound`);
