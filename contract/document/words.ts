/** @module Words for a value, a keyword and its bound: "a has 3 characters, maxLength is 2". */

/** A value, and a keyword that it keeps or breaks. */
export interface Statement {
  /** Of the value. */
  readonly name: string;
  readonly keyword: string;
  readonly value: unknown;
  /** The keyword's value. */
  readonly limit: unknown;
}

const UNITS: Readonly<Record<string, string>> = {
  Length: "character",
  Items: "item",
  Properties: "member",
};

export function worded({ name, keyword, value, limit }: Statement): string {
  if (keyword === "uniqueItems") return `${name} has equal items, uniqueItems is true`;
  const unit = UNITS[keyword.replace(/^m(?:in|ax)/, "")];
  if (unit === undefined || !/^m/.test(keyword)) {
    const bounds = [limit].flat().map((one) => typeof one === "string" ? one : shown(one));
    const bound = cut(bounds.join(keyword === "type" ? " or " : ", "), 50);
    return `${name} is ${shown(value)}, ${keyword} is ${bound}`;
  }
  const size = sizeOf(value);
  return `${name} has ${size} ${unit}${size === 1 ? "" : "s"}, ${keyword} is ${limit}`;
}

/** Code points of a text, items of a list, members of an object, as JSON Schema counts. */
export function sizeOf(value: unknown): number {
  return typeof value === "string" ? [...value].length : Object.keys(value ?? {}).length;
}

/** A value in short. */
export function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(cut(value, 30));
  if (typeof value !== "object" || value === null) return String(value);
  if (sizeOf(value) === 0) return JSON.stringify(value);
  return Array.isArray(value) ? "an array" : "an object";
}

export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
