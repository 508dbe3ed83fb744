/**
 * @module What the parts of an HTML document share: its description, and escaping where that of
 * Hono's `html` does not fit: code and script data.
 *
 * `html` is imported as `markup`, because `deno fmt` reformats templates tagged `html` and adds
 * visible white space, for example between a link and its full stop.
 */

import { type html, raw } from "@hono/hono/html";
import type { Catalogue, Page } from "./page.ts";

/** The result of `html`; a promise only if a part is one, which never happens here. */
export type Markup = ReturnType<typeof html>;

export interface DocumentView extends Pick<Page, "locale" | "title" | "description" | "layout"> {
  readonly site: Catalogue;
  /** HTML from `renderMarkdown`. */
  readonly fragment: string;
  /** HTML that is shown only by a script. */
  readonly template?: string;
  /** Undefined for other documents, such as errors, which search engines must not index. */
  readonly page: Page | undefined;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Escapes code except for quotes: their entities would make pages too long for agents. */
export function codeText(text: string): Markup {
  return raw(text.replace(/[&<>]/g, (character) => ENTITIES[character]!));
}

/** Encodes data for a script element, in which entities are not decoded and `<` could end it. */
export function scriptData(value: object): Markup {
  return raw(JSON.stringify(value).replaceAll("<", "\\u003c"));
}
