/** @module Numbers between bounds, and the numbers next to the bounds. */

import fc from "fast-check";
import type { Json } from "../lib/json.ts";
import { CannotGenerate } from "./options.ts";
import type { Rules } from "./schema_rules.ts";

/** A bound: the last number within it, and the first beyond. */
export interface Bound {
  readonly keyword: string;
  readonly limit: Json;
  readonly last: number;
  readonly beyond: number;
}

const INT32 = 2 ** 31;
const SAFE = Number.MAX_SAFE_INTEGER;

/** The distance of neighbours: of multiples, integers, or one more decimal place than integers. */
function stepOf(rules: Rules): number {
  const { type, multipleOf } = rules;
  if (type === "integer") {
    const step = Number(multipleOf ?? 1);
    return [1, 2, 4, 5, 8, 10, 100].map((times) => exact(step * times)).find(Number.isInteger) ?? 1;
  }
  if (typeof multipleOf === "number") return multipleOf;
  const bounds = Object.keys(rules).filter((name) => /imum$/.test(name));
  return 10 ** -Math.max(1, ...bounds.map((name) => `${rules[name]}`.split(".")[1]?.length ?? 0));
}

/** Without the errors of binary fractions: 0.1 + 0.2 is 0.3. */
function exact(value: number): number {
  return Number(value.toFixed(10)) + 0;
}

export function boundsOf(rules: Rules): Bound[] {
  return limitsOf(rules).filter((bound) => bound !== undefined);
}

function limitsOf(rules: Rules): readonly [low: Bound | undefined, high: Bound | undefined] {
  const step = stepOf(rules);
  const isGrid = rules["type"] === "integer" || rules["multipleOf"] !== undefined;
  function closest(sign: number, limits: Record<string, Json | undefined>): Bound | undefined {
    const bounds = Object.entries(limits).flatMap(([keyword, limit]) => {
      if (typeof limit !== "number") return [];
      const isOpen = keyword.startsWith("exclusive");
      const at = exact(sign * Math.floor(exact(sign * limit / step)) * step);
      const last = isOpen && at === limit ? exact(at - sign * step) : at;
      const beyond = isOpen && !isGrid ? limit : exact(last + sign * step);
      return [{ keyword, limit: rules[keyword]!, last, beyond }];
    });
    return bounds.sort((a, b) => sign * (a.last - b.last))[0];
  }
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = rules;
  const [least, most] = rules["format"] === "int32" ? [-INT32, INT32 - 1] : [null, null];
  return [
    closest(-1, { minimum, exclusiveMinimum, format: least }),
    closest(1, { maximum, exclusiveMaximum, format: most }),
  ];
}

/** Bounds of what is sent: without own bounds, numbers of 32 bits. @throws {CannotGenerate} */
function rangeOf(rules: Rules): readonly [min: number, max: number] {
  const [low, high] = limitsOf(rules);
  // Bounds of 64 bits are beyond what JSON numbers say exactly.
  const min = Math.max(-SAFE, low?.last ?? Math.min(-INT32, (high?.last ?? 0) - 1_000));
  const max = Math.min(SAFE, high?.last ?? Math.max(INT32 - 1, min + 1_000));
  if (min <= max) return [min, max];
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
  const [low, high] = limitsOf(rules);
  if (max < 0 || high?.limit === 0) return max;
  if (min <= 0) return 0;
  return low?.limit === 0 && max >= 1 && rules["multipleOf"] === undefined ? 1 : min;
}
