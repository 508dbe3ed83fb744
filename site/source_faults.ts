/**
 * @module Finds faults that prevent pages from being served. They end a start and are reported by
 * the doctor; `check.ts` finds the others.
 *
 * Runs right after the service listens, since loading the YAML parser would double the time of a
 * start.
 */

import type { SiteFacts } from "./facts.ts";
import { readPage } from "./page.ts";
import { PageFault, placeOf } from "./page_fault.ts";
import { CONTACT_PAGE, LOCALES } from "./page_path.ts";
import type { PageSource } from "./site.ts";

/** Finds the faults of all sources, each as `FILE:LINE: what is wrong`, sorted by file. */
export async function sourceFaults(source: PageSource, facts: SiteFacts): Promise<string[]> {
  const files = (await source.list()).filter((file) => file.endsWith(".md")).toSorted();
  const found = await Promise.all(files.map(async (file): Promise<string[]> => {
    try {
      // The API reference is tested elsewhere and would load every schema.
      const reference = () => Promise.resolve("");
      await readPage(await source.read(file), { file, facts, reference });
      return [];
    } catch (error) {
      if (error instanceof PageFault) return [...error.places];
      throw error;
    }
  }));
  return [...missingPages(files), ...found.flat()];
}

/** Every language needs the home page and the contact page. */
function missingPages(files: readonly string[]): string[] {
  return LOCALES.flatMap((locale) => [`${locale}/index.md`, `${locale}/${CONTACT_PAGE}.md`])
    .filter((file) => !files.includes(file))
    .map((file) => placeOf(file, { line: 1, state: "there is no such page" }));
}

/** @throws {Error} naming every fault, or why the sources cannot be read */
export async function requireSoundSources(source: PageSource, facts: SiteFacts): Promise<void> {
  const faults = await sourceFaults(source, facts).catch((error: Error) => {
    throw new Error(`Cannot read the pages: ${error.message}`, { cause: error });
  });
  if (faults.length === 0) return;
  throw new Error(`Cannot use the pages:\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
}
