/**
 * @module What goes into Hono's `html`, which escapes every text, as it is: code, and data inside a
 * script element.
 *
 * `html` is imported as `markup`, because `deno fmt` reformats templates tagged `html`, and the white
 * space that it adds is visible: between a link and its full stop, for example.
 */

import { type html, raw } from "@hono/hono/html";
import type { Json } from "../schemas/json.ts";

/** The result of `html`. A promise only if a part is one, which is never the case here. */
export type Markup = ReturnType<typeof html>;

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Code, with its quotation marks as they are: as entities they would make pages too long for agents. */
export function codeText(text: string): Markup {
  return raw(text.replace(/[&<>]/g, (character) => ENTITIES[character]!));
}

/** A value for a script element, where no entity is read and `<` could end the element. */
export function scriptData(value: Json): Markup {
  return raw(JSON.stringify(value).replaceAll("<", "\\u003c"));
}
