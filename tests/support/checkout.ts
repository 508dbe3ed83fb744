/** @module Copies the project, to run the real programs elsewhere. */

import { run } from "./command.ts";

/** Copies all but hidden files. */
export async function copyProject(folder: string): Promise<void> {
  await copyFolder(new URL("../../", import.meta.url), folder);
}

export async function copyFolder(from: URL, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  const { code, err } = await run(["sh", "-c", `cp -rt "$0" -- *`, to], { cwd: from });
  if (code > 0) throw new Error(err);
}
