/** @module What belongs to the sample's brand: its name, and the hash of each of its files. */

import sample from "./sample.json" with { type: "json" };

export const ROOT = new URL("../../", import.meta.url);

export const SAMPLE_NAME = sample.name;

export async function hashOf(path: string): Promise<string | undefined> {
  const bytes = await Deno.readFile(new URL(path, ROOT)).catch(orMissing);
  return bytes && new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

/** For `catch`: undefined if a file is missing. */
export function orMissing(error: unknown): undefined {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}

/** The sample's files that exist: those still as they were, and those edited since. */
export async function sampleFiles(): Promise<Record<"unchanged" | "edited", readonly string[]>> {
  const files = Object.entries(sample.files).map(async ([path, hash]) => {
    return { path, hash, now: await hashOf(path) };
  });
  const found = await Promise.all(files);
  const edited = found.filter(({ hash, now }) => now !== undefined && now !== hash);
  return {
    unchanged: found.filter(({ hash, now }) => now === hash).map(({ path }) => path),
    edited: edited.map(({ path }) => path),
  };
}
