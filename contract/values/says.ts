/** @module What a value has and what its schema wants: "company has 201 characters, maxLength is 200". */

import { cut, type Statement, worded } from "../document/words.ts";

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
