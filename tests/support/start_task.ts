/** @module The commands of tasks in deno.json, for tests that run them in another folder. */

/**
 * `run` and the flags of a task, without the program.
 *
 * @throws {Error} if the task does not run the program with Deno
 */
export async function taskFlags(
  task: string,
  { project, program }: { readonly project: string; readonly program: string },
): Promise<string[]> {
  const { tasks } = JSON.parse(await Deno.readTextFile(`${project}deno.json`));
  const [deno, ...words] = String(tasks[task].command).split(" ");
  if (deno !== "deno" || words.pop() !== program) throw new Error(`Cannot read the ${task} task`);
  return words;
}

/**
 * The flags of the start task. Readable paths become absolute, except `.data`, which stays where the
 * process runs.
 *
 * @param project the folder of the project, ending in a slash
 */
export async function startFlags(project: string): Promise<string[]> {
  return (await taskFlags("start", { project, program: "main.ts" })).map((word) =>
    word.startsWith("--allow-read=")
      ? word.replace(/[^=,]+(?=,|$)/g, (path) => path === ".data" ? path : project + path)
      : word
  );
}
