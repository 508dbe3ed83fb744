/** @module The command of the start task, for tests that run it in another folder. */

/**
 * `run` and the flags of the task, without the program. Paths that it may read are spelled out from
 * the project on; `.data` stays where the process runs.
 *
 * @param project the folder of the project, with a slash at its end
 * @throws {Error} if the task does not run main.ts by deno
 */
export async function startFlags(project: string): Promise<string[]> {
  const { tasks } = JSON.parse(await Deno.readTextFile(`${project}deno.json`));
  const [deno, ...words] = String(tasks.start.command).split(" ");
  if (deno !== "deno" || words.at(-1) !== "main.ts") throw new Error("Cannot read the start task");
  return words.slice(0, -1).map((word) =>
    word.startsWith("--allow-read=")
      ? word.replace(/[^=,]+(?=,|$)/g, (path) => path === ".data" ? path : project + path)
      : word
  );
}
