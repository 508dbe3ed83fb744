/**
 * @module The commands of a document: every line of its `sh` blocks, by the heading that they stand
 * under.
 *
 * A block that needs what tests do not have says so in the comment before it,
 * `<!-- outside: what it needs -->`. All others are run: {@link documented} hands a section's commands
 * to the test that does, and its `end` fails if one was left out.
 */

const ROOT = new URL("../../", import.meta.url);

/** The documents whose commands are held to this. */
export const DOCUMENTS = [
  "README.md",
  "deploy/README.md",
  "contract/README.md",
  ".github/CONTRIBUTING.md",
] as const;

/** One `sh` block. */
export interface Block {
  readonly heading: string;
  /** What it needs that tests do not have. */
  readonly outside: string | undefined;
  readonly commands: readonly string[];
}

const HEADING = /^#+ (.+)$/;
const FENCE = /^ *```(\w*)/;
const OUTSIDE = /^ *<!-- outside: (.+) -->$/;

/** All `sh` blocks of a document, in order. */
export async function blocksOf(document: string): Promise<Block[]> {
  const blocks: Block[] = [];
  let heading = "";
  let outside: string | undefined;
  let language: string | undefined;
  let lines: string[] = [];
  for (const line of (await Deno.readTextFile(new URL(document, ROOT))).split("\n")) {
    const fence = FENCE.exec(line);
    if (language === undefined) {
      if (fence !== null) language = fence[1];
      else if (line.trim() !== "") {
        heading = HEADING.exec(line)?.[1] ?? heading;
        outside = OUTSIDE.exec(line)?.[1];
      }
    } else if (fence === null) lines.push(line);
    else {
      if (language === "sh") blocks.push({ heading, outside, commands: commandsIn(lines) });
      language = outside = undefined;
      lines = [];
    }
  }
  return blocks;
}

/** A command a line, without comments; a line that ends in `\` goes on in the next. */
function commandsIn(lines: readonly string[]): string[] {
  return lines.join("\n").replaceAll(/\\\n\s*/g, "").split("\n")
    .map((line) => line.replace(/(?:^|\s)#\s.*$/, "").trim())
    .filter((line) => line !== "");
}

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

  /** @throws where a command was left out */
  end(): void {
    if (this.#left.length > 0) {
      throw new Error(`${this.section}: not run: ${this.#left.join("; ")}`);
    }
  }
}

/** The commands under a heading, but for blocks that need what tests do not have. */
export async function documented(document: string, heading: string): Promise<Commands> {
  const blocks = await blocksOf(document);
  const commands = blocks
    .filter((block) => block.heading === heading && block.outside === undefined)
    .flatMap((block) => block.commands);
  if (commands.length === 0) throw new Error(`${document} has no commands under "${heading}"`);
  return new Commands(`${document}, ${heading}`, commands);
}
