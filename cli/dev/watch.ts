/** @module Watches files of the project. */

const ROOT = import.meta.dirname!.slice(0, -"cli/dev".length);

/** Editors write several files, or one in several steps. */
const PAUSE_MS = 40;

/** Calls back with the path of a file below `folder` that has changed, once for changes in a row. */
export async function onChange(
  { folder, concerns }: { readonly folder: string; readonly concerns: RegExp },
  callBack: (path: string) => void,
): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  for await (const { kind, paths } of Deno.watchFs(ROOT + folder)) {
    const path = paths.map((path) => path.slice(ROOT.length)).find((path) => concerns.test(path));
    if (path === undefined || kind === "access") continue;
    clearTimeout(timer);
    timer = setTimeout(callBack, PAUSE_MS, path);
  }
}
