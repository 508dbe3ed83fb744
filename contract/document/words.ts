/** @module Words for a value, a keyword and its bound: "company has 201 characters, maxLength is 200". */

/** A value, and a keyword that it keeps or breaks. */
interface Statement {
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

/** One sentence of at most about 100 characters about the value, or missing member, at a JSON Pointer. */
export function says({ at, keyword, ...rest }: Omit<Statement, "name"> & { at: string }): string {
  const name = nameAt(at);
  switch (keyword) {
    case "required":
    case "dependentRequired":
      return at === "" ? "only what is required is sent" : `${name} is left out, but required`;
    case "properties":
      return at === "" ? "all members are sent" : `${name} is sent, though optional`;
    case "additionalProperties":
      return `${name} is unknown, additionalProperties is false`;
  }
  return worded({ name, keyword, ...rest });
}

/** A JSON Pointer as programs write it: `items[0].price`. */
function nameAt(pointer: string): string {
  const parts = pointer.split("/").slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((part) => {
      if (/^\d+$/.test(part)) return `[${part}]`;
      return /^[\p{L}\p{N}_$-]+$/u.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`;
    });
  return cut(parts.join("").replace(/^\./, ""), 40) || "the value";
}
