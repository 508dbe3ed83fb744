/** @module Runs `deno task dev` on a copy of the project. */

import { LOCALES } from "../../schemas/site_data.ts";
import { pageText } from "../site/fixture.ts";
import { copyProject } from "./checkout.ts";
import { run, type Running, start } from "./command.ts";
import { freePort, untilListens, withFolder } from "./service.ts";

export interface Dev extends Running {
  readonly url: string;
  /** The folder of the copy, ending in a slash. */
  readonly project: string;
  /** The processes that have not ended, by what they run. */
  processes(): Promise<Map<"task" | "dev" | "service", number>>;
}

/** A page of the copy, /news, which the project does not have; it is longer than a screen. */
export const NEWS = "static/pages/en/news.md";

export function withCopy(test: (project: string) => Promise<void>): Promise<void> {
  return withFolder(async (folder) => {
    await copyProject(folder);
    const news = pageText(`# Latest\n\n${"A paragraph.\n\n".repeat(40)}`);
    for (const locale of LOCALES) {
      await Deno.writeTextFile(`${folder}/static/pages/${locale}/news.md`, news);
    }
    await test(`${folder}/`);
  });
}

/** Runs a test with dev on a copy of its own, or on a given one. */
export async function withDev(
  test: (dev: Dev) => Promise<void>,
  { project, env = {} }: {
    readonly project?: string;
    readonly env?: Readonly<Record<string, string>>;
  } = {},
): Promise<void> {
  if (project === undefined) return await withCopy((project) => withDev(test, { project, env }));
  const port = freePort();
  const line = [Deno.execPath(), "task", "dev"];
  const all = { PORT: String(port), ...env };
  const task = start(line, { cwd: project, env: all, group: true });
  async function processes(): ReturnType<Dev["processes"]> {
    const { out } = await run(["ps", "-eo", "pgid=,pid=,stat=,args="]);
    const rows = out.split("\n").map((row) => row.trim().split(/\s+/))
      .filter(([group, , state]) => Number(group) === task.pid && !state?.startsWith("Z"));
    return new Map(rows.map(([, pid, , , ...args]) => {
      const name = args.includes("task")
        ? "task"
        : args.at(-1) === "cli/dev/service.ts"
        ? "service"
        : "dev";
      return [name, Number(pid)];
    }));
  }
  try {
    await untilListens(port, task);
    await test({ ...task, url: `http://127.0.0.1:${port}`, project, processes });
  } finally {
    await task.end("SIGKILL"); // the group
  }
}
