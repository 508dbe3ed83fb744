/** @module Who wrote a file of `static/`: the sample, init, or since then the owner; told by its hash. */

import made from "./made.json" with { type: "json" };
import sample from "./sample.json" with { type: "json" };

export const ROOT = new URL("../../", import.meta.url);

export const SAMPLE_NAME = sample.name;

type Author = "sample" | "made" | "common" | "edited";

type Hashes = Readonly<Record<string, string>>;

/** What init wrote last: its files, and the taglines by option. */
export const MADE: { readonly files: Hashes; readonly taglines: Hashes } = made;

export const MADE_PATH = "cli/init/made.json";

export async function hashOf(path: string): Promise<string | undefined> {
  const bytes = await Deno.readFile(new URL(path, ROOT)).catch(orMissing);
  return bytes && new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

/** For `catch`: undefined if a file is missing. */
export function orMissing(error: unknown): undefined {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}

export function read(path: string): Promise<string> {
  return Deno.readTextFile(new URL(path, ROOT));
}

export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The sample's own files, those that init made, those that suit any site; and which were edited since. */
export async function knownFiles(): Promise<Record<Author, string[]>> {
  const hashes: Readonly<Record<string, Hashes>> = {
    sample: sample.files,
    made: MADE.files,
    common: sample.common,
  };
  const found: Record<Author, string[]> = { sample: [], made: [], common: [], edited: [] };
  for (const path of [...new Set(Object.values(hashes).flatMap(Object.keys))].sort()) {
    const hash = await hashOf(path);
    const author = Object.keys(hashes).find((one) => hashes[one]![path] === hash) ?? "edited";
    if (hash !== undefined) found[author as Author].push(path);
  }
  return found;
}
