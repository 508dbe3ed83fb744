/**
 * @module Starts the service with other words on its command line than those of the start task, where
 * `tests/support/service.ts` starts it with exactly these.
 */

import { start } from "../support/command.ts";
import { freePort } from "../support/service.ts";
import { until } from "../support/until.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** A permission of the start task: all of a kind, or one entry of its list. */
export interface Permission {
  /** Such as `--allow-read`. */
  readonly flag: string;
  /** Such as `static`; undefined: without limits. */
  readonly entry: string | undefined;
}

/** What came of a start, and what ends it. */
export interface BareStart {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Whether it answers; otherwise it has ended. */
  readonly answers: boolean;
  /** Waits until it ends by itself. @returns exit code and all that it has printed */
  ended(): Promise<{ code: number; output: string }>;
  /** Ends it where it runs. */
  end(): Promise<{ code: number; output: string }>;
}

/** All permissions of the start task. */
export async function startPermissions(): Promise<Permission[]> {
  const { tasks } = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`));
  const words = String(tasks.start.command).split(" ");
  const flags = words.filter((word) => word.startsWith("-"));
  return flags.flatMap((word): Permission[] => {
    const [flag = "", list] = word.split("=");
    return list === undefined
      ? [{ flag, entry: undefined }]
      : list.split(",").map((entry) => ({ flag, entry }));
  });
}

/** Starts `main.ts` with these permissions in a folder of its own. */
export async function startWith(
  permissions: readonly Permission[],
  { folder, env = {}, descriptors }: {
    readonly folder: string;
    readonly env?: Readonly<Record<string, string>>;
    /** How many file descriptors the process may have at the most. */
    readonly descriptors?: number;
  },
): Promise<BareStart> {
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  const words = ["run", ...flagsOf(permissions), `${ROOT}main.ts`];
  const limit = descriptors === undefined ? "" : `ulimit -n ${descriptors}; `;
  const line = ["sh", "-c", `${limit}exec "$0" "$@"`, Deno.execPath(), ...words];
  const child = start(line, { cwd: folder, env: { PORT: String(port), SITE_URL: url, ...env } });
  await until("the service answers or ends", () => child.hasEnded() || answersAt(url), 20_000);
  return {
    url,
    port,
    pid: child.pid,
    answers: !child.hasEnded(),
    ended: outcome,
    async end() {
      await child.end();
      return await outcome();
    },
  };

  async function outcome(): Promise<{ code: number; output: string }> {
    return { code: await child.finished, output: child.output() };
  }
}

/** What the program brings along lies beside it, and not where it is started. */
function flagsOf(permissions: readonly Permission[]): string[] {
  return [...Map.groupBy(permissions, ({ flag }) => flag)].map(([flag, entries]) => {
    const list = entries.flatMap(({ entry }) => entry ?? [])
      .map((entry) => flag === "--allow-read" && entry !== ".data" ? ROOT + entry : entry);
    return list.length === 0 ? flag : `${flag}=${list.join(",")}`;
  });
}

async function answersAt(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/api/health`);
    await response.body?.cancel();
    return true;
  } catch {
    return false;
  }
}
