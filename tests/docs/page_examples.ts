/**
 * @module The examples of the documentation: requests, the responses beside them, what they claim to
 * print.
 */

import { deepStrictEqual as deepEqual, partialDeepStrictEqual } from "node:assert/strict";
import { Marked } from "marked";

/** Pages with examples. The typed client of /docs imports what an example of /developers makes. */
export const PAGES = ["/developers", "/docs", "/docs/reference"].flatMap((
  path,
) => [path, `/de${path}`]);

export interface Block {
  readonly lang: string;
  readonly text: string;
}

export interface Response extends Block {
  readonly status: number;
}

export interface Example extends Block {
  readonly responses: readonly Response[];
}

/** The requests of a page's markdown, and its responses; those of a group belong to each request. */
export async function examplesOf(
  url: string,
): Promise<{ readonly examples: Example[]; readonly responses: Response[] }> {
  const markdown = await (await fetch(url, { headers: { accept: "text/markdown" } })).text();
  const examples: Example[] = [];
  const all: Response[] = [];
  let responses: Response[] = [];
  for (const token of new Marked().lexer(markdown).filter(({ type }) => type !== "space")) {
    if (token.type !== "code") {
      responses = [];
      continue;
    }
    const [lang = "", label = ""] = String(token["lang"]).split(" ");
    const block = { lang, text: String(token["text"]) };
    if (!/^\d/.test(label)) examples.push({ ...block, responses });
    else all.push({ ...block, status: Number(label) });
    if (/^\d/.test(label)) responses.push(all.at(-1)!);
  }
  return { examples, responses: all };
}

/** What an example prints, by the comments behind its last calls; "" if it claims nothing. */
export function claimOf({ text }: Block): string {
  const claims = text.matchAll(/(?:console\.log|print|Println)\(.*\);? +(?:\/\/|#) (.*)$/gm);
  return [...claims].map(([, claim]) => `${claim}\n`).join("");
}

/** Whether a response is the one that a page shows, which may be abridged. */
export function isAsShown(output: string, { lang, text }: Block): boolean {
  if (lang === "yaml") return output.startsWith(text);
  try {
    const [found, shown] = [JSON.parse(output), JSON.parse(text)];
    if (output.length < 1_000) deepEqual(found, shown);
    else partialDeepStrictEqual(found, shown);
    return true;
  } catch {
    return false;
  }
}
