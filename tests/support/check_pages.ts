/** @module Part of `deno task check`: prints each fault of the pages as `FILE:LINE: message`. */

// deno-lint-ignore-file no-console -- a program that prints

import { parseConfig } from "../../config/config.ts";
import { checkSite } from "../../site/check.ts";
import { pageFiles } from "../../site/files.ts";
import { knownPaths } from "./app_without_leads.ts";

const faults = await checkSite(pageFiles, {
  facts: parseConfig({}),
  knownPaths: await knownPaths(),
});
for (const fault of faults) console.error(fault);
if (faults.length > 0) Deno.exit(1);
console.log(`${(await pageFiles.list()).length} pages are sound`);
