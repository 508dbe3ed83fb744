/**
 * @module YAML held against a schema: the data of the folder of cases and of the waivers. Whatever
 * is wrong with a file is named with its line, all of it at once.
 */

import { isNode, LineCounter, parseDocument } from "yaml";
import type { z } from "zod";

/** What a file should be. */
export interface YamlKind<T> {
  readonly schema: z.ZodType<T>;
  /** The error that says what is wrong. */
  readonly failure: new (message: string) => Error;
}

/** More faults than this have one cause. */
const MOST_TOLD = 10;

/**
 * Reads the text of a file.
 *
 * @param name of the file, for messages
 * @throws {Error} a `failure`, naming file and line of everything that is wrong
 */
export function parseYaml<T>(
  text: string,
  { name, schema, failure }: YamlKind<T> & { readonly name: string },
): T {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });

  function fail(faults: readonly { readonly line: number; readonly message: string }[]): never {
    const told = faults.slice(0, MOST_TOLD).map(({ line, message }) =>
      `  ${name}:${line}: ${message}`
    );
    throw new failure([`Cannot use ${name}:`, ...told].join("\n"));
  }

  /** The innermost line that still belongs to a path. */
  function lineOf(path: readonly PropertyKey[]): number {
    for (let length = path.length; length > 0; length--) {
      const node = document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    }
    return 1;
  }

  if (document.errors.length > 0) {
    fail(document.errors.map(({ pos, message }) => ({
      line: lines.linePos(pos[0]).line,
      message: message.split("\n", 1)[0]!,
    })));
  }
  const parsed = schema.safeParse(document.toJS());
  if (parsed.success) return parsed.data;
  return fail(parsed.error.issues.map(({ path, message }) => ({
    line: lineOf(path),
    message: [...path.slice(-1).map(String), message].join(": "),
  })));
}

/**
 * Reads a file of a folder; undefined where there is none.
 *
 * @throws {Error} a `failure`, naming file and line of everything that is wrong
 */
export async function readYaml<T>(file: URL, kind: YamlKind<T>): Promise<T | undefined> {
  const name = file.pathname.split("/").at(-1)!;
  let text: string;
  try {
    text = await Deno.readTextFile(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw new kind.failure(`Cannot read ${name}: ${(error as Error).message}`);
  }
  return parseYaml(text, { name, ...kind });
}
