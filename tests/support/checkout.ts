/** @module Copies the project, to run the real programs elsewhere. */

import { run } from "./command.ts";

const ROOT = new URL("../../", import.meta.url);

/** Copies what the service, its programs and its pages need. */
export async function copyProject(folder: string): Promise<void> {
  await copyFolder(ROOT, folder, `$(ls | grep -vxE 'contract|tests')`);
}

/** Copies all but hidden files, or what a shell expands `names` to. */
export async function copyFolder(from: URL, to: string, names = "*"): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  const { code, err } = await run(["sh", "-c", `cp -rt "$0" -- ${names}`, to], { cwd: from });
  if (code > 0) throw new Error(err);
}
