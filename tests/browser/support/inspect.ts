/** @module Reports faults of an open page, as lines of text. */

import axe from "axe-core";
import type { Page } from "playwright-core";
import { contrastFaults } from "./contrast.ts";

interface Finding {
  readonly id: string;
  readonly nodes: readonly {
    readonly target: readonly string[];
    readonly failureSummary?: string;
    readonly any: readonly { readonly data: { readonly messageKey?: string } | null }[];
  }[];
}

/** Why axe-core cannot measure a contrast: text on an image, or under another element. */
const ON_IMAGE = ["bgGradient", "bgImage", "imgNode", "pseudoContent"];
const UNDER_ELEMENT = ["bgOverlap", "elmPartiallyObscured", "elmPartiallyObscuring"];

/** Loads axe-core into every further document, which is 0.1 s faster than into each. */
export function loadAxe(page: Page): Promise<unknown> {
  return page.addInitScript(axe.source);
}

/** The default rules (WCAG A and AA, best practices) and target size from WCAG 2.2. */
const OPTIONS = {
  rules: { "target-size": { enabled: true } },
  resultTypes: ["violations", "incomplete"],
};

/**
 * Reports what axe-core finds, and low contrast that it cannot measure. The DevTools protocol loads
 * it despite the page's Content-Security-Policy. May leave the page without text.
 */
export async function axeFaults(page: Page): Promise<string[]> {
  if (!await page.evaluate("'axe' in globalThis")) await page.evaluate(axe.source);
  const [violations, incomplete] = await page.evaluate<[Finding[], Finding[]]>(
    `axe.run(document, ${JSON.stringify(OPTIONS)})
      .then(({ violations, incomplete }) => [violations, incomplete])`,
  );
  const because = (keys: readonly string[]) => ({ any }: Finding["nodes"][number]) =>
    any.some(({ data }) => keys.includes(data?.messageKey ?? ""));
  const nodes = incomplete.flatMap((finding) => finding.nodes);
  const onImage = nodes.filter(because(ON_IMAGE)).map(({ target }) => target.join(" "));
  const isExplained = because([...ON_IMAGE, ...UNDER_ELEMENT]);
  const others = incomplete
    .map(({ id, nodes }) => ({ id, nodes: nodes.filter((node) => !isExplained(node)) }));
  return [...[...violations, ...others].flatMap(linesOf), ...await contrastFaults(page, onImage)];
}

function linesOf({ id, nodes }: Finding): string[] {
  return nodes.map(({ target, failureSummary = "" }) =>
    `axe ${id}: ${target.join(" ")}: ${failureSummary.split("\n").at(1)?.trim()}`
  );
}

/** Every page has one level-1 heading, a title, its language, and no horizontal overflow. */
export async function shapeFaults(page: Page, locale: string): Promise<string[]> {
  const [headings, title, language, excess] = await page.evaluate<[number, string, string, number]>(
    `[
      document.querySelectorAll("h1").length, document.title, document.documentElement.lang,
      document.documentElement.scrollWidth - document.documentElement.clientWidth,
    ]`,
  );
  return [
    ...(headings === 1 ? [] : [`${headings} h1`]),
    ...(title.trim() === "" ? ["no title"] : []),
    ...(language === locale ? [] : [`language is "${language}"`]),
    ...(excess <= 0 ? [] : [`${excess} px too wide`]),
  ];
}
