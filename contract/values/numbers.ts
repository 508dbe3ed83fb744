/** @module Numbers between bounds, and the numbers next to the bounds. */

import fc from "fast-check";
import type { Json } from "../document.ts";
import { CannotGenerate } from "./options.ts";
import type { Rules } from "./rules.ts";

/** A bound: the last number within it, and the first beyond. */
export interface Bound {
  readonly keyword: string;
  /** The keyword's value. */
  readonly limit: Json;
  readonly last: number;
  readonly beyond: number;
}

const INT32 = 2 ** 31;
const SAFE = Number.MAX_SAFE_INTEGER;

/** The distance of neighbours: of multiples, integers, or one more decimal place than integers. */
function stepOf({ type, multipleOf, ...rules }: Rules): number {
  if (type === "integer") {
    const step = typeof multipleOf === "number" ? multipleOf : 1;
    return [1, 2, 4, 5, 8, 10, 100].map((times) => exact(step * times)).find(Number.isInteger) ?? 1;
  }
  if (typeof multipleOf === "number") return multipleOf;
  const bounds = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]
    .map((name) => rules[name]).filter((bound) => typeof bound === "number");
  return 10 ** -Math.max(1, ...bounds.map((bound) => `${bound}`.split(".")[1]?.length ?? 0));
}

/** Without the errors of binary fractions: 0.1 + 0.2 is 0.3. */
function exact(value: number): number {
  return Number(value.toFixed(10));
}

/** The lower and the upper bound. */
export function boundsOf(rules: Rules): readonly [low: Bound | undefined, high: Bound | undefined] {
  const step = stepOf(rules);
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, format } = rules;
  const isInt32 = format === "int32";
  function bound(sign: 1 | -1, limits: readonly [string, unknown, boolean][]): Bound | undefined {
    const all = limits.filter(([, limit]) => typeof limit === "number")
      .map(([keyword, limit, isOpen]) => {
        const steps = Math.floor(exact(sign * Number(limit) / step));
        const at = exact(sign * steps * step);
        const last = isOpen && at === limit ? exact(at - sign * step) : at;
        const isGrid = rules["type"] === "integer" || rules["multipleOf"] !== undefined;
        const beyond = isOpen && !isGrid ? Number(limit) : exact(last + sign * step);
        return { keyword, limit: rules[keyword]!, last, beyond };
      });
    return all.sort((a, b) => sign * (a.last - b.last))[0];
  }
  return [
    bound(-1, [
      ["minimum", minimum, false],
      ["exclusiveMinimum", exclusiveMinimum, true],
      ["format", isInt32 ? -INT32 : undefined, false],
    ]),
    bound(1, [
      ["maximum", maximum, false],
      ["exclusiveMaximum", exclusiveMaximum, true],
      ["format", isInt32 ? INT32 - 1 : undefined, false],
    ]),
  ];
}

/** Bounds of what is sent: without own bounds, numbers of 32 bits. */
function rangeOf(rules: Rules): readonly [min: number, max: number] {
  const [low, high] = boundsOf(rules);
  const min = low?.last ?? Math.max(-SAFE, Math.min(-INT32, (high?.last ?? 0) - 1_000));
  const max = high?.last ?? Math.min(SAFE, Math.max(INT32 - 1, min + 1_000));
  if (min <= max && Math.abs(min) <= SAFE && Math.abs(max) <= SAFE) return [min, max];
  throw new CannotGenerate(`no number is within ${low?.limit} and ${high?.limit}`);
}

export function numbers(rules: Rules): fc.Arbitrary<number> {
  const [min, max] = rangeOf(rules);
  const step = stepOf(rules);
  const steps = fc.integer({
    min: Math.max(-SAFE, Math.ceil(exact(min / step))),
    max: Math.min(SAFE, Math.floor(exact(max / step))),
  }).map((count) => exact(count * step));
  if (rules["type"] === "integer" || rules["multipleOf"] !== undefined) return steps;
  const any = fc.double({ min, max, noNaN: true })
    .map((value) => Math.abs(value) < 1e-6 ? min <= 0 && max >= 0 ? 0 : min : value);
  return fc.oneof(steps, any);
}

/** Zero, or the number next to it. @throws {CannotGenerate} */
export function smallestNumber(rules: Rules): number {
  const [min, max] = rangeOf(rules);
  const [low, high] = boundsOf(rules);
  if (min > 0) return min < 1 && max >= 1 && low?.limit === 0 && !rules["multipleOf"] ? 1 : min;
  return max < 0 || high?.limit === 0 ? max : 0;
}
