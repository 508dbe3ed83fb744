/** @module A copy of the project in a folder of its own, for runs of the real programs. */

/** Copies all of the project that is not hidden: `.git`, `.data` and the like stay behind. */
export async function copyProject(folder: string): Promise<void> {
  await copyFolder(new URL("../../", import.meta.url), folder);
}

/** Copies what a folder holds, but for hidden names. */
export async function copyFolder(from: URL, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (name.startsWith(".") || name === "node_modules") continue;
    if (isDirectory) await copyFolder(new URL(`${name}/`, from), `${to}/${name}`);
    else await Deno.copyFile(new URL(name, from), `${to}/${name}`);
  }
}
