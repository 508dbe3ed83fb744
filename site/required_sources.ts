/**
 * @module Finds problems that prevent pages from being served, for the doctor and right after the
 * service listens: loading the YAML parser earlier would double the time of a start.
 */

import type { AssetSource } from "./assets.ts";
import { type Reading, readPages } from "./page.ts";
import type { PageSource } from "./files.ts";
import { placeOf } from "./source_problem.ts";
import { LOCALES } from "../schemas/site_data.ts";
import { REQUIRED_PAGES } from "./urls.ts";
import type { SiteFacts } from "./placeholders.ts";
import { WORD_PROBLEMS } from "../schemas/words.ts";

/**
 * Finds the problems of all sources, each as `FILE:LINE: what is wrong`, sorted by file: first those with
 * which the service does not start, which are `fatal`.
 */
export async function sourceProblems(
  source: PageSource,
  reading: Reading,
): Promise<{ readonly fatal: string[]; readonly all: string[] }> {
  const { pages, problems } = await readPages(source, reading);
  const fatal = [
    ...missingPages([...pages, ...problems].map(({ file }) => file)),
    ...problems.flatMap(({ places }) => places),
  ];
  const others = pages.flatMap(({ file, problems }) => problems.map((one) => placeOf(file, one)));
  return { fatal, all: [...fatal, ...others, ...WORD_PROBLEMS] };
}

/** Every language needs every required page. */
export function missingPages(files: readonly string[]): string[] {
  const state = "this page is missing, but the service links to it";
  return LOCALES.flatMap((locale) => REQUIRED_PAGES.map((name) => `${locale}/${name}.md`))
    .filter((file) => !files.includes(file))
    .map((file) => placeOf(file, { line: 1, state }));
}

/** Assets and styles that cannot be read or are empty: every page is served without them. */
export async function assetProblems({ list, read }: AssetSource): Promise<string[]> {
  const found = await Promise.all((await list()).map(async (name) => {
    const path = `static/assets/${name}`;
    try {
      return (await read(name)).length === 0 ? [`${path}:1: the file is empty`] : [];
    } catch (error) {
      const [, reason, file = path] =
        /^(.*): readfile '.*(static\/(?:assets|styles)\/.*)'$/s.exec(String(error)) ?? [];
      return [`${file}:1: the file cannot be read: ${reason ?? error}`];
    }
  }));
  return found.flat();
}

/**
 * Does not read the API reference, which would load every schema.
 *
 * @throws {Error} naming every problem, or why the sources cannot be read
 */
export async function requireSoundSources(source: PageSource, facts: SiteFacts): Promise<void> {
  const reading = { facts, withReference: false };
  const { fatal } = await sourceProblems(source, reading).catch((error: Error) => {
    throw new Error(`Cannot read the pages: ${error.message}`, { cause: error });
  });
  if (fatal.length === 0) return;
  throw new Error(`Cannot use the pages:\n${fatal.map((problem) => `  ${problem}`).join("\n")}`);
}
