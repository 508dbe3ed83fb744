/** @module Walks through a page with the Tab key. */

import type { Page } from "playwright-core";

/** Stores the page's tab stops as `stops`; scrollable regions without controls are stops, too. */
const FIND_STOPS = `
  const controls = "a[href], button, input, select, textarea, summary, [tabindex]";
  const scrolls = (element) =>
    /auto|scroll/.test(getComputedStyle(element).overflowX) &&
    element.scrollWidth > element.clientWidth && element.querySelector(controls) === null;
  globalThis.stops = [...document.body.querySelectorAll("*")].filter((element) =>
    element.checkVisibility({ visibilityProperty: true }) &&
    !element.matches("[type=radio]:not(:checked)") && // Tab visits one of a group
    (element.matches(controls) ? element.tabIndex >= 0 && !element.disabled : scrolls(element)));
  globalThis.stops.length`;

/** Measures the focused element; scrolling to it may take some frames. */
const MEASURE = `(async () => {
  const element = document.activeElement;
  const box = () => element.getClientRects()[0] ?? element.getBoundingClientRect();
  const isOff = ({ left, right, top, bottom }) =>
    bottom <= 0 || right <= 0 || left >= innerWidth || top >= innerHeight;
  for (let frame = 0; frame < 10 && isOff(box()); frame++) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
  const { left, right, top, bottom } = box();
  // A scrollable region may be larger than the window: take the middle of its visible part.
  const middle = (from, to, end) => (Math.max(from, 0) + Math.min(to, end)) / 2;
  const point = [middle(left, right, innerWidth), middle(top, bottom, innerHeight)];
  const topmost = document.elementFromPoint(...point);
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  // Where it is in a table that scrolls, like its place in the page.
  const scrolled = element.closest(".table")?.scrollLeft ?? 0;
  return {
    number: globalThis.stops.indexOf(element),
    name: element.localName + " " + (element.id || element.textContent.trim().slice(0, 30)),
    aside: element.closest("main nav") !== null,
    left: left + scrolled, right: right + scrolled, top: top + scrollY, bottom: bottom + scrollY,
    outlined: outlineStyle !== "none" && parseFloat(outlineWidth) >= 2,
    uncovered: !isOff(box()) && topmost !== null &&
      (element.contains(topmost) || topmost.contains(element)),
  };
})()`;

interface Stop extends Readonly<Record<"number" | "left" | "right" | "top" | "bottom", number>> {
  readonly name: string;
  /** In the table of contents, which may be a column of its own. */
  readonly aside: boolean;
  readonly outlined: boolean;
  readonly uncovered: boolean;
}

export async function walkProblems(page: Page): Promise<string[]> {
  const count = await page.evaluate<number>(FIND_STOPS);
  const stops: Stop[] = [];
  for (let step = 0; step <= count; step++) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate<Stop>(MEASURE);
    // After the last stop the focus leaves the page or returns to the first.
    if (stop.name.startsWith("body ") || stop.number === stops[0]?.number) break;
    stops.push(stop);
  }
  const missed = count - new Set(stops.map(({ number }) => number).filter((n) => n >= 0)).size;
  return [
    ...(missed === 0 ? [] : [`${missed} of ${count} stops are not reached`]),
    ...stops.flatMap(({ number, name, outlined, uncovered }) => [
      ...(number < 0 ? [`${name} has the focus but is not a control`] : []),
      ...(outlined ? [] : [`${name} does not show its focus`]),
      ...(uncovered ? [] : [`${name} has the focus but is hidden`]),
    ]),
    ...backwards(stops.filter(({ aside }) => aside)),
    ...backwards(stops.filter(({ aside }) => !aside)),
  ];
}

/** Reports moves upwards, unless to the next column, and to the left within a line. */
function backwards(stops: readonly Stop[]): string[] {
  return stops.slice(1).flatMap((to, index) => {
    const from = stops[index]!;
    const up = to.bottom <= from.top && to.left < from.right;
    const back = to.top < from.bottom && to.bottom > from.top && to.right <= from.left;
    return up || back ? [`${to.name} comes after ${from.name}`] : [];
  });
}

export async function tabTo(page: Page, selector: string): Promise<void> {
  for (let step = 0; step < 400; step++) {
    await page.keyboard.press("Tab");
    if (await hasFocus(page, selector)) return;
  }
  throw new Error(`Cannot reach ${selector} by Tab`);
}

export function hasFocus(page: Page, selector: string): Promise<boolean> {
  return page.evaluate(`document.activeElement.closest(${JSON.stringify(selector)}) !== null`);
}
