/** @module The commands in a document's `sh` blocks by heading, except after `<!-- outside: … -->`. */

import { Marked } from "marked";
import { VARIABLES } from "../../config/config.ts";
import { filesBelow } from "../../site/files.ts";

const ROOT = new URL("../../", import.meta.url);

/** README and the pages of `docs/`. */
export const DOCUMENTS: readonly string[] = [
  "README.md",
  ...(await filesBelow(new URL("docs/", ROOT).pathname)).map((name) => `docs/${name}`),
];

export const EXAMPLE: string = await textOf(".env.example");

/** The variables of an operator, without those that Deno Deploy sets. */
export const NAMES: readonly string[] = VARIABLES.filter((name) => !name.startsWith("DENO_"));

export class Commands {
  readonly #left: string[];

  constructor(readonly section: string, commands: readonly string[]) {
    this.#left = [...commands];
  }

  /** Takes the next command, which must begin with these words. */
  take(begins: string): string {
    const next = this.#left.shift();
    if (next?.startsWith(begins)) return next;
    throw new Error(`${this.section}: expected a command "${begins}", found "${next}"`);
  }

  rest(): string[] {
    return this.#left.splice(0);
  }

  end(): void {
    if (this.#left.length > 0) {
      throw new Error(`${this.section}: not run: ${this.#left.join("; ")}`);
    }
  }
}

export function textOf(document: string): Promise<string> {
  return Deno.readTextFile(new URL(document, ROOT));
}

/** The commands under each heading that has any; a line that ends in `\` continues in the next. */
export async function commandsIn(document: string): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  let [heading, isOutside] = ["", false];
  for (const token of new Marked().lexer(await textOf(document))) {
    if (token.type === "space") continue;
    if (token.type === "heading") heading = token["text"];
    if (token.type === "code" && token["lang"] === "sh" && !isOutside) {
      found.set(heading, [...found.get(heading) ?? [], ...linesOf(token["text"])]);
    }
    isOutside = token.raw.startsWith("<!-- outside: ");
  }
  return found;
}

function linesOf(block: string): string[] {
  return block.replaceAll(/\\\n\s*/g, "").split("\n")
    .map((line) => line.replace(/(?:^|\s)#\s.*$/, "").trim())
    .filter((line) => line !== "");
}

/** The commands under a heading, which a test must run. */
export async function documented(document: string, heading: string): Promise<Commands> {
  const commands = (await commandsIn(document)).get(heading);
  if (commands === undefined) throw new Error(`${document} has no commands under "${heading}"`);
  return new Commands(`${document}, ${heading}`, commands);
}
