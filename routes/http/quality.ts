/**
 * @module Fields that list what a client prefers, with quality values (RFC 9110 §12.4.2): Accept and
 * Accept-Encoding read the same way. Knows no media types and no content codings.
 */

/** One entry of such a field, in lower case; parameters other than `q` are left out. */
export interface Preference {
  readonly name: string;
  /** 0 to 1; 0 means "not at all". */
  readonly quality: number;
}

/** 0 to 1 with at most three decimals. */
const QVALUE = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** Field values repeat (a few dozen clients make most requests): remember the last ones' outcome. */
const REMEMBERED = 256;
/** Characters: browsers send half of that, and what is remembered is not a visitor's to stretch. */
const LONGEST_REMEMBERED = 256;

/** Splits the field; an entry with a malformed quality is left out, as if it had not been sent. */
export function parsePreferences(field: string): Preference[] {
  const preferences: Preference[] = [];
  for (const entry of splitOutsideQuotes(field, ",")) {
    const [name = "", ...parameters] = splitOutsideQuotes(entry, ";").map((part) => part.trim());
    let quality = "1";
    for (const parameter of parameters) {
      const [key = "", value = ""] = parameter.split("=", 2);
      if (key.trim().toLowerCase() === "q") quality = value.trim();
    }
    if (QVALUE.test(quality)) {
      preferences.push({ name: name.toLowerCase(), quality: Number(quality) });
    }
  }
  return preferences;
}

/** The quality of the first of `names` that is listed, most specific first; the highest if twice. */
export function qualityOf(
  preferences: readonly Preference[],
  names: readonly string[],
): number | undefined {
  for (const name of names) {
    const named = preferences.filter((preference) => preference.name === name);
    if (named.length > 0) return Math.max(...named.map(({ quality }) => quality));
  }
  return undefined;
}

/** Remembers what `decide` makes of the last field values; `null`: the field is absent. */
export function remembering<T>(
  decide: (field: string) => T,
  { absent }: { readonly absent: T },
): (field: string | null) => T {
  const remembered = new Map<string, T>();
  return (field) => {
    if (field === null) return absent;
    if (field.length > LONGEST_REMEMBERED) return decide(field);
    const known = remembered.get(field);
    if (known !== undefined) return known;
    const decided = decide(field);
    if (remembered.size >= REMEMBERED) remembered.clear();
    remembered.set(field, decided);
    return decided;
  };
}

/** Splits on a separator, but not inside a quoted string (RFC 9110 §5.6.4). */
function splitOutsideQuotes(text: string, separator: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (quoted && character === "\\") at++;
    else if (character === '"') quoted = !quoted;
    else if (character === separator && !quoted) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}
