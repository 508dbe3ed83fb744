/** @module The commands in a document's `sh` blocks by heading, except after `<!-- outside: … -->`. */

const ROOT = new URL("../../", import.meta.url);

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

/** The commands under a heading; a line that ends in `\` continues in the next. */
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
