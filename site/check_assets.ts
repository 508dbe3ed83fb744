/** @module Checks assets and styles: those that are missing or empty do not end a start. */

import type { AssetSource } from "./assets.ts";

/** The files that cannot be read or are empty, each as `FILE:1: what is wrong`. */
export async function assetProblems({ list, read }: AssetSource): Promise<string[]> {
  const found = await Promise.all((await list()).map(async (name) => {
    const path = `static/assets/${name}`;
    try {
      return (await read(name)).length === 0 ? [`${path}:1: the file is empty`] : [];
    } catch (error) {
      const [, reason, file = path] =
        /^(.*): readfile '.*(static\/(?:assets|styles)\/.*)'$/s.exec(String(error)) ?? [];
      return [`${file}:1: the file cannot be read: ${reason ?? error}`];
    }
  }));
  return found.flat();
}
