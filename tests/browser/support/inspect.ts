/** @module What a page that is open has wrong with it, as lines of text; none where all is well. */

import axe from "axe-core";
import type { Page } from "playwright-core";
import { contrastFaults } from "./contrast.ts";

/** The part of axe's findings that a line is made from. */
interface Finding {
  readonly id: string;
  readonly nodes: readonly {
    readonly target: readonly string[];
    readonly failureSummary?: string;
    readonly any: readonly { readonly data: { readonly messageKey?: string } | null }[];
  }[];
}

/** Why axe-core does not tell a contrast: text on a picture, or text under something else. */
const ON_PICTURE = ["bgGradient", "bgImage", "imgNode", "pseudoContent"];
const UNDER_SOMETHING = ["bgOverlap", "elmPartiallyObscured", "elmPartiallyObscuring"];

/** Puts axe-core into every document from now on: 0.1 s less than into each by hand. */
export function bringAxe(page: Page): Promise<unknown> {
  return page.addInitScript(axe.source);
}

/** Beside the default rules (WCAG A and AA, best practices), what WCAG 2.2 has added. */
const OPTIONS = {
  rules: { "target-size": { enabled: true } },
  resultTypes: ["violations", "incomplete"],
};

/**
 * Everything that axe-core finds, or cannot tell and a look at the pixels finds. It gets into the
 * page through the DevTools protocol, which a Content-Security-Policy does not bind: the page keeps
 * its own. The last thing to be done with a page: its letters may be gone after it.
 */
export async function axeFaults(page: Page): Promise<string[]> {
  if (!await page.evaluate("'axe' in globalThis")) await page.evaluate(axe.source);
  const { violations, incomplete } = await page.evaluate<
    { violations: Finding[]; incomplete: Finding[] }
  >(`axe.run(document, ${JSON.stringify(OPTIONS)})
    .then(({ violations, incomplete }) => ({ violations, incomplete }))`);
  const because = (keys: readonly string[]) => ({ any }: Finding["nodes"][number]) =>
    any.some(({ data }) => keys.includes(data?.messageKey ?? ""));
  const nodes = incomplete.flatMap((finding) => finding.nodes);
  const onPicture = nodes.filter(because(ON_PICTURE)).map(({ target }) => target.join(" "));
  const told = because([...ON_PICTURE, ...UNDER_SOMETHING]);
  const unsure = incomplete.map(({ id, nodes }) => ({
    id,
    nodes: nodes.filter((node) => !told(node)),
  }));
  return [
    ...[...violations, ...unsure].flatMap(linesOf),
    ...await contrastFaults(page, onPicture),
  ];
}

function linesOf({ id, nodes }: Finding): string[] {
  return nodes.map(({ target, failureSummary = "" }) =>
    `axe ${id}: ${target.join(" ")}: ${failureSummary.split("\n").at(1)?.trim()}`
  );
}

/** What holds for every page, whatever it says: one heading, a title, its language, no overflow. */
export async function shapeFaults(page: Page, locale: string): Promise<string[]> {
  const { headings, title, language, excess } = await page.evaluate<{
    headings: number;
    title: string;
    language: string;
    excess: number;
  }>(`({
    headings: document.querySelectorAll("h1").length,
    title: document.title,
    language: document.documentElement.lang,
    excess: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  })`);
  return [
    ...(headings === 1 ? [] : [`${headings} h1`]),
    ...(title.trim() === "" ? ["no title"] : []),
    ...(language === locale ? [] : [`language is "${language}"`]),
    ...(excess <= 0 ? [] : [`${excess} px too wide`]),
  ];
}
