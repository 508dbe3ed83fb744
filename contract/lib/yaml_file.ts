/** @module Reads YAML files by a schema; errors name the line of each issue. */

import { isNode, LineCounter, parseDocument } from "yaml";
import type { z } from "zod";
import { CannotRun } from "./cannot_run.ts";

/** More issues than this usually have one cause. */
const MAX_ISSUES = 10;

/** @param options.name for messages @throws {CannotRun} naming file and line of each issue */
export function parseYaml<T>(
  text: string,
  { name, schema }: { readonly name: string; readonly schema: z.ZodType<T> },
): T {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });

  function lineOf(path: readonly PropertyKey[]): number {
    for (let length = path.length; length > 0; length--) {
      const node = document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    }
    return 1;
  }

  const errors = document.errors.map(({ pos, message }) =>
    `${lines.linePos(pos[0]).line}: ${message.split("\n", 1)[0]}`
  );
  const parsed = errors.length > 0 ? undefined : schema.safeParse(document.toJS());
  if (parsed?.success) return parsed.data;
  const issues = parsed?.error.issues.map(({ path, message }) =>
    [lineOf(path), ...path.slice(-1).map(String), message].join(": ")
  );
  const listed = (issues ?? errors).slice(0, MAX_ISSUES).map((issue) => `  ${name}:${issue}`);
  throw new CannotRun([`Cannot use ${name}:`, ...listed].join("\n"));
}

/** A file of the harness or of an operator; a published harness is not on the disk. */
async function readText(file: URL): Promise<string | undefined> {
  if (file.protocol === "file:") return await Deno.readTextFile(file);
  const answer = await fetch(file);
  return answer.ok ? await answer.text() : void await answer.body?.cancel();
}

/** Undefined without a file. @throws {CannotRun} naming file and line of each issue */
export async function readYaml<T>(file: URL, schema: z.ZodType<T>): Promise<T | undefined> {
  const name = file.pathname.split("/").at(-1)!;
  const text = await readText(file).catch((error: Error) => {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw new CannotRun(`Cannot read ${name}: ${error.message}`);
  });
  return text === undefined ? undefined : parseYaml(text, { name, schema });
}
