/**
 * @module Starts the project's service by its start task, as a process on a free port with a temporary
 * database.
 */

import { send } from "./client.ts";
import { CannotRun } from "./cannot_run.ts";

export interface Instance {
  readonly url: string;
  output(): string;
  /** Stops the process and removes its folder. @throws {CannotRun} if it had to be killed */
  stop(): Promise<void>;
}

/** Starts instances, each with its own port and database. */
export interface Launcher {
  /** @param files texts by path, to replace in a copy of the project */
  start(
    env?: Readonly<Record<string, string>>,
    files?: Readonly<Record<string, string>>,
  ): Promise<Instance>;
  /** Stops all instances; later starts fail. */
  stopAll(): Promise<void>;
}

/** Milliseconds after which a process that does not start or stop is killed. */
const DEADLINES = { start: 30_000, stop: 30_000 };

type Deadlines = Readonly<typeof DEADLINES>;

/** @param project the folder with the service's `deno.json` */
export function createLauncher(project: URL, deadlines: Deadlines = DEADLINES): Launcher {
  const running = new Set<Instance>();
  const starting = new Set<Promise<Instance>>();
  let isStopped = false;
  async function startTracked(how: Changes): Promise<Instance> {
    if (isStopped) throw new CannotRun("Cannot start the service: the run is over");
    const instance = await startOne(project, { ...how, deadlines });
    const tracked: Instance = {
      ...instance,
      async stop() {
        running.delete(tracked);
        await instance.stop();
      },
    };
    running.add(tracked);
    return tracked;
  }
  return {
    start(env = {}, files = {}) {
      const one = startTracked({ env, files }).finally(() => starting.delete(one));
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

type Changes = Readonly<Record<"env" | "files", Readonly<Record<string, string>>>>;

async function startOne(
  original: URL,
  { env, files, deadlines }: Changes & { readonly deadlines: Deadlines },
): Promise<Instance> {
  const folder = await Deno.makeTempDir({ prefix: "contract-" });
  const project = Object.keys(files).length === 0
    ? original
    : await changedCopy(original, { folder, files }).catch(async (error) => {
      await Deno.remove(folder, { recursive: true });
      throw error;
    });
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = new Deno.Command(Deno.execPath(), {
    args: startArguments(project),
    cwd: folder,
    env: {
      HOST: "127.0.0.1",
      PORT: String(port),
      SITE_URL: url,
      KV_PATH: ".data/kv.sqlite",
      NO_COLOR: "1",
      ...env,
    },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let printed = "";
  let ended = false;
  async function collect(stream: ReadableStream<Uint8Array>): Promise<void> {
    for await (const chunk of stream.pipeThrough(new TextDecoderStream())) printed += chunk;
  }
  const read = Promise.all([collect(child.stdout), collect(child.stderr)]);
  const finished = child.status.then(async () => {
    ended = true;
    await read;
  });
  const instance: Instance = {
    url,
    output: () => printed,
    async stop() {
      const isRunning = !ended;
      const cancel = killAfter(deadlines.stop);
      if (isRunning) child.kill("SIGTERM");
      await finished;
      cancel();
      await Deno.remove(folder, { recursive: true }).catch(() => {});
      if (isRunning && (await child.status).signal === "SIGKILL") {
        throw new CannotRun(`Cannot stop the service: ${outputText()}`);
      }
    },
  };
  const cancel = killAfter(deadlines.start);
  let isUp = false;
  while (!isUp && !ended) {
    isUp = await send(url, { method: "HEAD", path: "/" }).then(() => true, () => false);
    if (!isUp) await new Promise((done) => setTimeout(done, 50));
  }
  cancel();
  if (isUp) return instance;
  await instance.stop();
  throw new CannotRun(`Cannot start the service: ${outputText()}`);

  function outputText(): string {
    return printed.trim() || "it printed nothing";
  }

  function killAfter(ms: number): () => void {
    const deadline = setTimeout(() => ended || child.kill("SIGKILL"), ms);
    return () => clearTimeout(deadline);
  }
}

/** Folders that a running copy does not need. */
const NOT_COPIED = /^(?:\.|contract$|tests$|node_modules$)/;

/** Copies the project below `folder` and replaces the text of some files. */
async function changedCopy(
  original: URL,
  { folder, files }: { readonly folder: string; readonly files: Readonly<Record<string, string>> },
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
    await Deno.stat(new URL(path, copy)).catch(() => {
      throw new CannotRun(`Cannot change ${path}: the project has no such file`);
    });
    await Deno.writeTextFile(new URL(path, copy), text);
  }
  return copy;
}

/** `deno run` with the permissions of the start task, `.data` in the working directory. */
function startArguments(project: URL): string[] {
  const path = (name: string) => new URL(name, project).pathname;
  const files = [`--allow-read=${path("static")},.data`, "--allow-write=.data"];
  return ["run", "-q", "--config", path("deno.json"), "-P=service", ...files, path("main.ts")];
}

function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  return port;
}
