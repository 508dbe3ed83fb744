/** @module `deno task pictures`: draws icons and the pictures of shared links. */

import { exit } from "../../lib/process.ts";
import { EXIT_FAILED, runProgram, standardOutput } from "../terminal.ts";
import { apply } from "./change.ts";
import { drawMade } from "./rasters.ts";

const DESCRIPTION = `Draws the pictures that shared links show, one for each page, and the icons: \
from the titles of the pages, static/site.json, static/styles/brand.css and, in static/assets, \
favicon.svg and display.woff2. Writes the colours of the browser's bars to brand.json. \
A picture of your own in the place of one stays.`;

const { out, err } = standardOutput(EXIT_FAILED);

let failed = 0;
const words = Deno.args;
const code = await runProgram({ name: "deno task pictures", words, out, err }, (program) => {
  program.description(DESCRIPTION).action(async () => {
    try {
      const { changes, note } = await drawMade();
      await apply(changes);
      for (const [path, content] of changes) out(`${path}${content ? "" : " (removed)"}\n`);
      out(note);
    } catch (error) {
      err(`${(error as Error).message}\n`);
      failed = EXIT_FAILED;
    }
  });
});
await exit(failed || code);
