/**
 * @module A copy of the project in a folder of its own, for runs of the real programs on pages that a
 * test has made.
 */

const ROOT = new URL("../../", import.meta.url);

/** Copies all that is not hidden: `.git`, `.data` and the like stay behind. */
export async function copyProject(folder: string): Promise<void> {
  await copyInto(folder, ROOT);
}

async function copyInto(folder: string, from: URL): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (name.startsWith(".") || name === "node_modules") continue;
    const target = `${folder}/${name}`;
    if (isDirectory) {
      await Deno.mkdir(target);
      await copyInto(target, new URL(`${name}/`, from));
    } else await Deno.copyFile(new URL(name, from), target);
  }
}
