/** @module Runs `deno task dev` on a copy of the project. */

import { pageText } from "../site/fixture.ts";
import { copyProject } from "./checkout.ts";
import { run, type Running, start } from "./command.ts";
import { freePort, untilListens, withFolder } from "./service.ts";

export interface Dev extends Running {
  readonly url: string;
  readonly port: number;
  /** The folder of the copy, ending in a slash. */
  readonly project: string;
  /** The processes that have not ended, by what they run. */
  processes(): Promise<Map<"task" | "dev" | "service", number>>;
}

/** A page of the copy, /news, which the project does not have; it is longer than a screen. */
export const NEWS = "static/pages/en/news.md";

interface DevOptions {
  /** Runs before the start, in the folder of the copy. */
  readonly prepare?: (project: string) => Promise<unknown>;
  readonly env?: Readonly<Record<string, string>>;
}

export function withDev(
  test: (dev: Dev) => Promise<void>,
  { prepare, env = {} }: DevOptions = {},
): Promise<void> {
  return withFolder(async (folder) => {
    await copyProject(folder);
    const news = pageText(`# Latest\n\n${"A paragraph.\n\n".repeat(40)}`);
    for (const file of [NEWS, NEWS.replace("en", "de")]) {
      await Deno.writeTextFile(`${folder}/${file}`, news);
    }
    await prepare?.(`${folder}/`);
    const port = freePort();
    const line = [Deno.execPath(), "task", "dev"];
    const all = { PORT: String(port), ...env };
    const task = start(line, { cwd: folder, env: all, group: true });
    async function processes(): ReturnType<Dev["processes"]> {
      const { out } = await run(["ps", "-eo", "pgid=,pid=,stat=,args="]);
      const rows = out.split("\n").map((row) => row.trim().split(/\s+/))
        .filter(([group, , state]) => Number(group) === task.pid && !state?.startsWith("Z"));
      return new Map(rows.map(([, pid, , , ...args]) => {
        const name = args.includes("task") ? "task" : args.at(-1) === "dev" ? "service" : "dev";
        return [name, Number(pid)];
      }));
    }
    try {
      await untilListens(port, task);
      const url = `http://127.0.0.1:${port}`;
      await test({ ...task, url, port, project: `${folder}/`, processes });
    } finally {
      await task.end("SIGKILL"); // the group
    }
  });
}
