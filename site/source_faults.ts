/**
 * @module What keeps a page from being served: the faults that reading its source finds. The service
 * refuses to start with one, and the doctor tells them.
 *
 * Links, headings and missing twins do not keep a page from being served and are `check.ts`.
 * A start that waited for this would take 40 ms more, as long again as it takes, to load the YAML
 * parser. So it runs right after the service listens, and ends the process.
 */

import type { SiteFacts } from "./facts.ts";
import { readPage } from "./page.ts";
import { PageFault, placeOf } from "./page_fault.ts";
import { CONTACT_PAGE, LOCALES } from "./page_path.ts";
import type { PageSource } from "./site.ts";

/** Finds the faults of all sources, each as `FILE:LINE: what is wrong`, in the order of the files. */
export async function sourceFaults(source: PageSource, facts: SiteFacts): Promise<string[]> {
  const files = (await source.list()).filter((file) => file.endsWith(".md")).toSorted();
  const found = await Promise.all(files.map(async (file): Promise<string[]> => {
    try {
      // The reference has tests of its own and would load every schema.
      await readPage(await source.read(file), {
        file,
        facts,
        reference: () => Promise.resolve(""),
      });
      return [];
    } catch (error) {
      if (error instanceof PageFault) return [...error.places];
      throw error;
    }
  }));
  return [...missingPages(files), ...found.flat()];
}

/** The pages that the service leads to by itself: home and contact form, in each language. */
function missingPages(files: readonly string[]): string[] {
  return LOCALES.flatMap((locale) => [`${locale}/index.md`, `${locale}/${CONTACT_PAGE}.md`])
    .filter((file) => !files.includes(file))
    .map((file) => placeOf(file, { line: 1, state: "there is no such page" }));
}

/**
 * Refuses faulty sources.
 *
 * @throws {Error} naming every fault, or why the sources cannot be read
 */
export async function requireSoundSources(source: PageSource, facts: SiteFacts): Promise<void> {
  const faults = await sourceFaults(source, facts).catch((error: Error) => {
    throw new Error(`Cannot read the pages: ${error.message}`, { cause: error });
  });
  if (faults.length === 0) return;
  throw new Error(`Cannot use the pages:\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
}
