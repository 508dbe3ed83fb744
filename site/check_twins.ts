/** @module Checks a page beside others: its places in the menus, and what translations have in common. */

import { type CheckedPage, headingLines } from "./check_text.ts";
import type { SourceFault } from "./page_fault.ts";
import { DEFAULT_LOCALE } from "./page_path.ts";

type Pages = readonly CheckedPage[];

/** In one language no two pages may have the same place in a menu: their order would be chance. */
export function faultsOfMenus(page: CheckedPage, pages: Pages): SourceFault[] {
  return (["nav", "footer"] as const).flatMap((menu) => {
    const place = page[menu];
    const first = pages.find((one) => one.locale === page.locale && one[menu] === place);
    if (place === undefined || first === undefined || first === page) return [];
    const state = `\`${menu}: ${place}\` is the place of ${first.file} too: change one of them`;
    return [{ line: page.memberLines[menu]!, state }];
  });
}

/** Translations have the same places, layout and outline: readers and agents find the same site. */
export function faultsOfTwin(page: CheckedPage, pages: Pages): SourceFault[] {
  const twin = pages.find(({ name, locale }) => name === page.name && locale === DEFAULT_LOCALE);
  if (twin === undefined || twin === page) return [];
  const faults: SourceFault[] = (["nav", "footer", "layout"] as const)
    .filter((member) => page[member] !== twin[member])
    .map((member) => {
      const must = twin[member] === undefined ? "be left out" : `be ${twin[member]}`;
      const line = page.memberLines[member] ?? 1;
      return { line, state: `\`${member}\` must ${must}, as in ${twin.file}` };
    });
  const [own, others] = [page, twin].map(({ headings }) => headings.map(({ depth }) => depth));
  const at = [...own!, 0].findIndex((depth, index) => depth !== (others![index] ?? 0));
  if (at === -1) return faults;
  const line = headingLines(page)[at] ?? page.lines.at(-1)!;
  const heading = (depth?: number) => depth ? `a level-${depth} heading` : "no further heading";
  const state = `${twin.file} has ${heading(others![at])} here, this page ${heading(own![at])}: ` +
    "translations have the same sections";
  return [...faults, { line, state }];
}
