/** @module Walking through a page with the Tab key, and what is to be seen on the way. */

import type { Page } from "playwright-core";

/** More stops than any page may have between two that belong together. */
const MOST_STEPS = 400;

/**
 * What can be operated or scrolled, in the order of the document, as `stops`. A region that scrolls
 * is a stop of its own where nothing inside can take the focus.
 */
const FIND_STOPS = `
  const controls = "a[href], button, input, select, textarea, summary, [tabindex]";
  const scrolls = (element) =>
    /auto|scroll/.test(getComputedStyle(element).overflowX) &&
    element.scrollWidth > element.clientWidth && element.querySelector(controls) === null;
  globalThis.stops = [...document.body.querySelectorAll("*")].filter((element) =>
    element.checkVisibility({ visibilityProperty: true }) &&
    (element.matches(controls) ? element.tabIndex >= 0 && !element.disabled : scrolls(element)));
  globalThis.stops.length`;

/**
 * Where the focus is: its number among the stops, its first box in the document, its looks. To
 * scroll to it may take a frame or two.
 */
const MEASURE = `(async () => {
  const element = document.activeElement;
  const box = () => element.getClientRects()[0] ?? element.getBoundingClientRect();
  const isOff = ({ left, right, top, bottom }) =>
    bottom <= 0 || right <= 0 || left >= innerWidth || top >= innerHeight;
  for (let frame = 0; frame < 10 && isOff(box()); frame++) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
  const { left, right, top, bottom } = box();
  // A region that scrolls may be larger than the window: the middle of what there is to see.
  const middle = (from, to, end) => (Math.max(from, 0) + Math.min(to, end)) / 2;
  const seen = document.elementFromPoint(
    middle(left, right, innerWidth),
    middle(top, bottom, innerHeight),
  );
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  return {
    number: globalThis.stops.indexOf(element),
    name: element.localName + " " + (element.id || element.textContent.trim().slice(0, 30)),
    aside: element.closest("main nav") !== null,
    left, right, top: top + scrollY, bottom: bottom + scrollY,
    outlined: outlineStyle !== "none" && parseFloat(outlineWidth) >= 2,
    uncovered: !isOff(box()) && seen !== null &&
      (element.contains(seen) || seen.contains(element)),
  };
})()`;

interface Stop {
  readonly number: number;
  readonly name: string;
  /** In a table of contents, which may stand beside the text, in a column of its own. */
  readonly aside: boolean;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly outlined: boolean;
  readonly uncovered: boolean;
}

/**
 * Goes through the whole page by Tab, from its beginning until the focus leaves it.
 *
 * @returns what is wrong: a stop that is not reached, cannot be seen, or is out of visual order
 */
export async function walkFaults(page: Page): Promise<string[]> {
  const count = await page.evaluate<number>(FIND_STOPS);
  const stops: Stop[] = [];
  for (let step = 0; step <= count; step++) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate<Stop>(MEASURE);
    // After the last stop the focus leaves the page, or is at the first again.
    if (stop.name.startsWith("body ") || stop.number === stops[0]?.number) break;
    stops.push(stop);
  }
  const numbers = stops.map(({ number }) => number);
  const missed = count - new Set(numbers.filter((number) => number >= 0)).size;
  return [
    ...(missed === 0 ? [] : [`${missed} of ${count} stops are not reached`]),
    ...stops.flatMap(({ number, name, outlined, uncovered }) => [
      ...(number < 0 ? [`${name} takes the focus and is no control`] : []),
      ...(outlined ? [] : [`${name} has the focus and does not show it`]),
      ...(uncovered ? [] : [`${name} has the focus and cannot be seen`]),
    ]),
    ...backwards(stops.filter(({ aside }) => aside)),
    ...backwards(stops.filter(({ aside }) => !aside)),
  ];
}

function backwards(stops: readonly Stop[]): string[] {
  return stops.slice(1).flatMap((to, index) => {
    const from = stops[index]!;
    return isBackwards(from, to) ? [`${to.name} comes after ${from.name}`] : [];
  });
}

/** Against the order in which eyes go: up, unless to the next column, or to the left in a line. */
function isBackwards(from: Stop, to: Stop): boolean {
  const up = to.bottom <= from.top && to.left < from.right;
  const back = to.top < from.bottom && to.bottom > from.top && to.right <= from.left;
  return up || back;
}

/** Presses Tab until what the selector names has the focus. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  for (let step = 0; step < MOST_STEPS; step++) {
    await page.keyboard.press("Tab");
    if (await hasFocus(page, selector)) return;
  }
  throw new Error(`Cannot reach ${selector} by Tab`);
}

/** Whether the focus is on what the selector names, or inside it. */
export function hasFocus(page: Page, selector: string): Promise<boolean> {
  return page.evaluate(`document.activeElement.closest(${JSON.stringify(selector)}) !== null`);
}
