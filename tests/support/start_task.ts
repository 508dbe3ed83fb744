/** @module The permission sets of deno.json as flags, for tests that run the programs in another folder. */

/** What the tasks `start`, `leads` and `doctor` may do. */
interface Permissions {
  readonly net: boolean;
  readonly env: readonly string[] | true;
  readonly read: readonly string[];
  readonly write: readonly string[];
}

/**
 * `run` and the flags of a task. Readable paths become absolute, except `.data`, which is where the
 * process runs.
 *
 * @param project the folder of the project, ending in a slash
 */
export async function taskFlags(
  set: "service" | "leads" | "doctor",
  project: string,
): Promise<string[]> {
  const { permissions } = JSON.parse(await Deno.readTextFile(`${project}deno.json`));
  const { net, env, read, write }: Permissions = permissions[set];
  const paths = read.map((path) => path === ".data" ? path : project + path);
  return [
    "run",
    ...(net ? ["--allow-net"] : []),
    `--allow-env${env === true ? "" : `=${env.join(",")}`}`,
    `--allow-read=${paths.join(",")}`,
    `--allow-write=${write.join(",")}`,
  ];
}
