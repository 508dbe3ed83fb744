/** @module Pages as menus, indexes and heads show them: their addresses and their front matter. */

import type { Json } from "../schemas/openapi_headers.ts";
import type { Locale } from "../schemas/site_data.ts";
import { type FrontMatter, splitFrontMatter, type SplitSource } from "./front_matter.ts";
import {
  conditionsOf,
  fillPlaceholders,
  placeholderValues,
  type SiteFacts,
  withPassages,
} from "./placeholders.ts";
import { PageError, type SourceProblem } from "./source_problem.ts";
import { addressOf, type PageAddress } from "./urls.ts";

/** A page with the placeholders of its front matter filled in. */
export interface Page extends PageAddress, FrontMatter {
  readonly label: string;
  /** The text below the front matter as written, and its first line in the file. */
  readonly source: Pick<SplitSource, "body" | "bodyLine">;
  /** Source line of each member of the front matter. */
  readonly memberLines: Readonly<Record<string, number>>;
  /** Those with which the page can be served, such as texts that its language lacks. */
  readonly problems: readonly SourceProblem[];
}

export interface PageText {
  /** Markdown; links to pages lead to their versions in this language. */
  readonly body: string;
  /** Source line of each line of the body, counted from 1: a placeholder may expand to several. */
  readonly lines: readonly number[];
}

/** What representations need of the site, which `site.ts` reads. */
export interface Catalogue {
  readonly facts: SiteFacts;
  /** Names of assets, among them the pictures of pages. */
  readonly assets: readonly string[];
  /** All paths that differ by language. */
  readonly paths: ReadonlySet<string>;
  /** By the path of a page. */
  readonly markdownPaths: ReadonlyMap<string, string>;
  /** The pages that menus and indexes list, by language and then in reading order. */
  readonly pages: readonly Page[];
  /** Those of a language. */
  pagesIn(locale: Locale): readonly Page[];
  /** The page of this name in each language that has it. */
  versionsOf(name: string | undefined): Page[];
  /** @throws {PageError} naming every unknown placeholder */
  text(page: Pick<Page, "file">): Promise<PageText>;
  /** The API's description; loads the schemas. */
  openApi(): Promise<Json>;
}

/**
 * @param options.twin the source of the same page in another language, whose front matter stands in
 * @throws {PageError} naming every problem of the front matter, or else every unknown placeholder in it
 */
export function readPage(
  text: string,
  { file, facts, twin }: {
    readonly file: string;
    readonly facts: SiteFacts;
    readonly twin?: string | undefined;
  },
): Page {
  const address = addressOf(file, text);
  const { frontMatter, lines, body, bodyLine, ...split } = splitFrontMatter(text, file, twin);
  const problems = [...split.problems];
  // What the decoder puts in place of bytes that are not UTF-8.
  const broken = text.split("\n").findIndex((line) => line.includes("\uFFFD")) + 1;
  if (broken > 0) {
    problems.push({ line: broken, state: "these bytes are not UTF-8: save it as UTF-8" });
  }
  const unknown: SourceProblem[] = [];
  const values = placeholderValues(facts, address.locale);
  const fill = (name: "title" | "label" | "description", or = ""): string => {
    const text = withPassages(frontMatter[name] ?? or, conditionsOf(facts.brand)) ?? "";
    return fillPlaceholders(text, { values, line: lines[name] ?? 1, problems: unknown });
  };
  const title = fill("title");
  const page = {
    ...address,
    ...frontMatter,
    title,
    label: fill("label", title),
    description: fill("description"),
    source: { body, bodyLine },
    memberLines: lines,
    problems,
  };
  if (unknown.length > 0) throw new PageError(file, unknown);
  return page;
}
