/** @module `deno task pictures`: draws icons and the pictures of shared links. */

import { ExplainedError } from "../../lib/log.ts";
import { runTask } from "../terminal.ts";
import { apply } from "./change.ts";
import { drawMade } from "./rasters.ts";

const DESCRIPTION = `Draws the pictures that shared links show, one for each page, and the icons: \
from the titles of the pages, static/site.json, static/styles/brand.css and, in static/assets, \
favicon.svg and display.woff2. Writes the colours of the browser's bars to brand.json. \
A picture of your own in the place of one stays.`;

await runTask("pictures", (program, { out }) => {
  program.description(DESCRIPTION).action(async () => {
    const { changes, note } = await drawMade().catch(({ message }: Error) => {
      throw new ExplainedError(message); // which names the file
    });
    await apply(changes);
    for (const [path, content] of changes) out(`${path}${content ? "" : " (removed)"}\n`);
    out(note);
  });
});
