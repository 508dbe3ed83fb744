/** @module Quality values of what a client prefers (RFC 9110 §12.4.2), in fields that Hono has parsed. */

/** One entry of Accept or Accept-Encoding, as `@hono/hono/accepts` gives it. */
export interface Preference {
  readonly type: string;
  /** 0 to 1; 0 means "not at all". */
  readonly q: number;
}

/** The quality of the first of `names` that is listed, most specific first; the highest if twice. */
export function qualityOf(
  preferences: readonly Preference[],
  names: readonly string[],
): number | undefined {
  for (const name of names) {
    const named = preferences.filter(({ type }) => type.toLowerCase() === name);
    if (named.length > 0) return Math.max(...named.map(({ q }) => q));
  }
  return undefined;
}
