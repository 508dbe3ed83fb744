/**
 * @module Starts the project's service by its start task, as a process on a free port with a temporary
 * database.
 */

import { CannotRun } from "./cannot_run.ts";
import { send } from "./client.ts";
import { type Deadlines, type Program, type Server, startServer } from "./process.ts";

type Instance = Pick<Server, "url" | "output" | "stop">;
type Texts = Readonly<Record<string, string>>;

/** Starts instances, each with its own port and database. */
export interface Launcher {
  /** @param files texts by path, to replace in a copy of the project */
  start(env?: Texts, files?: Texts): Promise<Instance>;
  /** Stops all instances; later starts fail. */
  stopAll(): Promise<void>;
}

/** @param project the folder with the service's `deno.json` */
export function createLauncher(project: URL, deadlines?: Deadlines): Launcher {
  const running = new Set<Instance>();
  const starting = new Set<Promise<unknown>>();
  let isStopped = false;
  async function start(env: Texts, files: Texts): Promise<Instance> {
    if (isStopped) throw new CannotRun("Cannot start the service: the run is over");
    const server = await startServer({ ...programOf(project, { env, files }), deadlines });
    const instance: Instance = {
      ...server,
      async stop() {
        running.delete(instance);
        await server.stop();
      },
    };
    running.add(instance);
    return instance;
  }
  return {
    start(env = {}, files = {}) {
      const one = start(env, files).finally(() => starting.delete(one));
      starting.add(one);
      return one;
    },
    async stopAll() {
      isStopped = true;
      // A failed start must not hide the others.
      while (starting.size > 0) await Promise.allSettled(starting);
      await Promise.all([...running].map((instance) => instance.stop()));
    },
  };
}

/** On SIGINT and SIGTERM, stops all instances and exits with 2. */
export function endOnSignals(launcher: Pick<Launcher, "stopAll">): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(signal, () => launcher.stopAll().finally(() => Deno.exit(2)));
  }
}

function programOf(original: URL, { env, files }: Record<"env" | "files", Texts>): Program {
  return {
    name: "the service",
    async command({ folder, url }) {
      const isSame = Object.keys(files).length === 0;
      const project = isSame ? original : await changedCopy(original, { folder, files });
      const settings = { HOST: "127.0.0.1", PORT: new URL(url).port, SITE_URL: url, NO_COLOR: "1" };
      return [Deno.execPath(), {
        args: startArguments(project),
        env: { ...settings, KV_PATH: ".data/kv.sqlite", ...env },
      }];
    },
    answers: ({ url }) => send(url, { method: "HEAD", path: "/" }),
  };
}

/** Folders that a running copy does not need. */
const NOT_COPIED = /^(?:\.|contract$|tests$|node_modules$)/;

/** Copies the project below `folder` and replaces the text of some files. */
async function changedCopy(
  original: URL,
  { folder, files }: { readonly folder: string; readonly files: Texts },
): Promise<URL> {
  const copy = new URL(`file://${folder}/project/`);
  async function copyFolder(path: string): Promise<void> {
    await Deno.mkdir(new URL(path, copy), { recursive: true });
    for await (const { name, isFile, isDirectory } of Deno.readDir(new URL(path, original))) {
      if (NOT_COPIED.test(name)) continue;
      if (isDirectory) await copyFolder(`${path}${name}/`);
      if (isFile) await Deno.copyFile(new URL(path + name, original), new URL(path + name, copy));
    }
  }
  await copyFolder("./");
  for (const [path, text] of Object.entries(files)) {
    await Deno.writeTextFile(new URL(path, copy), text, { create: false }).catch(() => {
      throw new CannotRun(`Cannot change ${path}: the project has no such file`);
    });
  }
  return copy;
}

/** `deno run` with the permissions of the start task, `.data` in the working directory. */
function startArguments(project: URL): string[] {
  const path = (name: string) => new URL(name, project).pathname;
  const files = [`--allow-read=${path("static")},.data`, "--allow-write=.data"];
  return ["run", "-q", "--config", path("deno.json"), "-P=service", ...files, path("main.ts")];
}
