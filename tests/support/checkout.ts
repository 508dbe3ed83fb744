/** @module Copies the project, to run the real programs elsewhere. */

export async function copyProject(folder: string): Promise<void> {
  await copyFolder(new URL("../../", import.meta.url), folder);
}

export async function copyFolder(from: URL, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (name.startsWith(".") || name === "node_modules") continue;
    if (isDirectory) await copyFolder(new URL(`${name}/`, from), `${to}/${name}`);
    else await Deno.copyFile(new URL(name, from), `${to}/${name}`);
  }
}
