/** @module `deno task check:pages`: prints each problem of the pages' sources as `FILE:LINE: message`. */

import { siteProblems } from "./app_without_leads.ts";
import { operationProblems } from "./check_operations.ts";
import { problemsOfMade } from "./init/generated_images.ts";
import { Exit, EXIT_FAILED, runTask } from "./terminal.ts";
import { parseConfig } from "../config/config.ts";
import { assetFiles, pageFiles } from "../site/files.ts";
import { assetProblems } from "../site/check_assets.ts";

const STYLES = "static/styles/brand.css";
async function problemsOfColours(): Promise<string[]> {
  const styles = await Deno.readTextFile(new URL(`../${STYLES}`, import.meta.url));
  // Other notations can be transparent or unknown to a browser, and every other colour follows.
  return ["--brand", "--accent"]
    .filter((name) => !RegExp(`^  ${name}: #[0-9a-f]{6};$`, "im").test(styles))
    .map((name) => `${STYLES}:1: it must have one line such as ${name}: #0a7d55;`);
}

await runTask("check:pages", (program, { out, err }) => {
  program.description("Checks the sources of the pages: texts, links, pictures, colours.").action(
    async () => {
      const config = parseConfig({});
      const unreadable = ({ message }: Error) => [`Cannot read the pages: ${message}`];
      const found = await siteProblems(config).catch(unreadable);
      const files = await assetProblems(assetFiles).catch(unreadable);
      const colours = await problemsOfColours();
      // Without colours or a file nothing can be drawn, which would be reported twice.
      const pictures = colours.length + files.length > 0 ? [] : await problemsOfMade();
      const operations = await operationProblems(config);
      const problems = [...found, ...files, ...colours, ...pictures, ...operations];
      for (const problem of problems) err(`${problem}\n`);
      const { length } = await pageFiles.list();
      out(
        `${length} pages, ${
          problems.length > 0 ? `problems: ${problems.length}` : "no problems"
        }\n`,
      );
      if (problems.length > 0) throw new Exit(EXIT_FAILED);
    },
  );
});
