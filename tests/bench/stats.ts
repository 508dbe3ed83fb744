/** @module What a list of measured numbers comes to. Pure; knows nothing of where they are from. */

/** The middle of the numbers; of an even count the mean of the two in the middle. NaN of none. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/**
 * The value below which a part `q` (0 to 1) of the numbers lies, interpolated between neighbours.
 * NaN of none, and where one of them is NaN.
 */
export function quantile(values: readonly number[], q: number): number {
  if (values.some(Number.isNaN)) return NaN;
  const sorted = values.toSorted((a, b) => a - b);
  const place = q * (sorted.length - 1);
  const below = sorted[Math.floor(place)] ?? NaN;
  const above = sorted[Math.ceil(place)] ?? NaN;
  return below + (above - below) * (place - Math.floor(place));
}

/** What came of several rounds: the middle, and the range that half of the rounds lie in. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** Median and quartiles. */
export function spreadOf(values: readonly number[]): Spread {
  return { median: median(values), low: quantile(values, 0.25), high: quantile(values, 0.75) };
}
