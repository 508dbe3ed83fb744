/**
 * @module Finds faults that prevent pages from being served, for the doctor and right after the
 * service listens: loading the YAML parser earlier would double the time of a start.
 */

import { type PageSource, type Reading, readPages } from "./page.ts";
import { placeOf } from "./page_fault.ts";
import { LOCALES, REQUIRED_PAGES } from "./page_path.ts";
import type { SiteFacts } from "./placeholders.ts";

/** Finds the faults of all sources, each as `FILE:LINE: what is wrong`, sorted by file. */
export async function sourceFaults(source: PageSource, reading: Reading): Promise<string[]> {
  const { pages, faults } = await readPages(source, reading);
  return [
    ...missingPages([...pages, ...faults].map(({ file }) => file)),
    ...faults.flatMap(({ places }) => places),
  ];
}

/** Every language needs every required page. */
export function missingPages(files: readonly string[]): string[] {
  const state = "this page is missing, but the service links to it";
  return LOCALES.flatMap((locale) => REQUIRED_PAGES.map((name) => `${locale}/${name}.md`))
    .filter((file) => !files.includes(file))
    .map((file) => placeOf(file, { line: 1, state }));
}

/**
 * Does not read the API reference, which would load every schema.
 *
 * @throws {Error} naming every fault, or why the sources cannot be read
 */
export async function requireSoundSources(source: PageSource, facts: SiteFacts): Promise<void> {
  const reading = { facts, withReference: false };
  const faults = await sourceFaults(source, reading).catch((error: Error) => {
    throw new Error(`Cannot read the pages: ${error.message}`, { cause: error });
  });
  if (faults.length === 0) return;
  throw new Error(`Cannot use the pages:\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
}
