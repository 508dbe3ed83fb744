/**
 * @module The commands of a document: every line of its `sh` blocks, by the heading that they stand
 * under. A block that needs what tests do not have says so in the comment before it,
 * `<!-- outside: what it needs -->`, and is left out.
 */

const ROOT = new URL("../../", import.meta.url);

/** A section's commands, to be taken one by one. */
export class Commands {
  readonly #left: string[];

  constructor(readonly section: string, commands: readonly string[]) {
    this.#left = [...commands];
  }

  /** The next command, as it is written; it has to begin with these words. */
  take(begins: string): string {
    const next = this.#left.shift();
    if (next?.startsWith(begins)) return next;
    throw new Error(`${this.section}: expected a command "${begins}", found "${next}"`);
  }

  /** All that are left. */
  rest(): string[] {
    return this.#left.splice(0);
  }

  /** @throws {Error} where a command was left out */
  end(): void {
    if (this.#left.length > 0) {
      throw new Error(`${this.section}: not run: ${this.#left.join("; ")}`);
    }
  }
}

/** The commands under a heading; a line that ends in `\` goes on in the next. */
export async function documented(document: string, heading: string): Promise<Commands> {
  const text = await Deno.readTextFile(new URL(document, ROOT));
  const parts = text.split(/^#+ (.+)$/m);
  const section = parts[parts.indexOf(heading) + 1] ?? "";
  const blocks = section.matchAll(/(<!-- outside: .+ -->\s*)?^ *```sh\n(.*?)^ *```$/gms);
  const commands = [...blocks].filter(([, outside]) => outside === undefined)
    .flatMap(([, , block = ""]) => block.replaceAll(/\\\n\s*/g, "").split("\n"))
    .map((line) => line.replace(/(?:^|\s)#\s.*$/, "").trim())
    .filter((line) => line !== "");
  if (commands.length === 0) throw new Error(`${document} has no commands under "${heading}"`);
  return new Commands(`${document}, ${heading}`, commands);
}
