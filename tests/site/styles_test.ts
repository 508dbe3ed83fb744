/** @module The scale of sizes in static/styles/values.css, and that stylesheets keep to it. */

import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { filesBelow } from "../../site/files.ts";

const STYLES = new URL("../../static/styles/", import.meta.url);
const VALUES = await Deno.readTextFile(new URL("values.css", STYLES));

Deno.test("each step of the scale is 1.15 of the one before at 320 px and 1.25 at 1440 px", () => {
  const steps = VALUES.matchAll(
    /--step-(\d): clamp\(([\d.]+)rem, ([\d.]+)rem \+ ([\d.]+)vw, ([\d.]+)rem\)/g,
  );
  const problems = [...steps].map((step) => step.slice(1).map(Number) as Step).filter(isOffScale);
  deepEqual(problems, []);
  deepEqual([...VALUES.matchAll(/--step-([1-9]): clamp/g)].length, 6);
});

type Step = [step: number, least: number, base: number, slope: number, most: number];

function isOffScale([step, least, base, slope, most]: Step): boolean {
  const text = 1.0625;
  const isNear = (a: number, b: number) => Math.abs(a - b) < 0.002;
  return !isNear(least, text * 1.15 ** step) || !isNear(most, text * 1.25 ** step) ||
    !isNear(base + slope * 0.2, least) || !isNear(base + slope * 0.9, most);
}

Deno.test("texts have sizes of the scale, or sizes relative to the text around them", async () => {
  const names = await filesBelow(STYLES.pathname);
  ok(names.length > 15);
  const problems: string[] = [];
  for (const name of names) {
    const text = await Deno.readTextFile(new URL(name, STYLES));
    for (const [, value] of text.matchAll(/^\s*font(?:-size)?: ([^;]+);/gm)) {
      if (!/var\(--(step-|small|large|h\d)|\dem\b|^0$|^inherit$|pt$/.test(value!)) {
        problems.push(`${name}: ${value}`);
      }
    }
  }
  deepEqual(problems, []);
});
