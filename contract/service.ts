/**
 * @module Starts the service beside the harness by its start task, as a process on a free port with
 * a temporary database.
 */

import { send } from "./client.ts";
import { CannotRun } from "./cannot_run.ts";

export interface Instance {
  readonly url: string;
  output(): string;
  /** Ends it and waits for its end. Removes its folder. @throws {CannotRun} */
  stop(): Promise<void>;
}

/** Starts instances, each with a port and a database of its own. */
export interface Launcher {
  /** @param files texts by path: a copy of the project with them is started */
  start(
    env?: Readonly<Record<string, string>>,
    files?: Readonly<Record<string, string>>,
  ): Promise<Instance>;
  /** Ends them all; nothing is started any more. */
  stopAll(): Promise<void>;
}

/** Deadlines for start and end, in milliseconds; then the process is killed. */
const WITHIN = { comeUp: 30_000, end: 30_000 };

type Deadlines = Readonly<typeof WITHIN>;

/** @param project the folder with the service's `deno.json` */
export function createLauncher(project: URL, within: Deadlines = WITHIN): Launcher {
  const running = new Set<Instance>();
  const coming = new Set<Promise<Instance>>();
  let over = false;
  async function begin(how: Changes): Promise<Instance> {
    if (over) throw new CannotRun("Cannot start the service: the run is over");
    const instance = await startOne(project, { ...how, within });
    const listed: Instance = {
      ...instance,
      async stop() {
        running.delete(listed);
        await instance.stop();
      },
    };
    running.add(listed);
    return listed;
  }
  return {
    start(env = {}, files = {}) {
      const one = begin({ env, files }).finally(() => coming.delete(one));
      coming.add(one);
      return one;
    },
    async stopAll() {
      over = true;
      // One start may fail while others go on.
      while (coming.size > 0) await Promise.allSettled(coming);
      await Promise.all([...running].map((instance) => instance.stop()));
    },
  };
}

/** Stops the instances of an interrupted program, which then ends with 2. */
export function endOnSignals(launcher: Launcher): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(signal, () => launcher.stopAll().finally(() => Deno.exit(2)));
  }
}

type Changes = Readonly<Record<"env" | "files", Readonly<Record<string, string>>>>;

async function startOne(
  original: URL,
  { env, files, within }: Changes & { readonly within: Deadlines },
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
    args: await startArguments(project),
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
      const cancel = killAfter(within.end);
      if (isRunning) child.kill("SIGTERM");
      await finished;
      cancel();
      await Deno.remove(folder, { recursive: true }).catch(() => {});
      if (isRunning && (await child.status).signal === "SIGKILL") {
        throw new CannotRun(`Cannot stop the service: ${said()}`);
      }
    },
  };
  const cancel = killAfter(within.comeUp);
  let isUp = false;
  while (!isUp && !ended) {
    isUp = await send(url, { method: "HEAD", path: "/" }).then(() => true, () => false);
    if (!isUp) await new Promise((done) => setTimeout(done, 50));
  }
  cancel();
  if (isUp) return instance;
  await instance.stop();
  throw new CannotRun(`Cannot start the service: ${said()}`);

  function said(): string {
    return printed.trim() || "it printed nothing";
  }

  function killAfter(ms: number): () => void {
    const deadline = setTimeout(() => ended || child.kill("SIGKILL"), ms);
    return () => clearTimeout(deadline);
  }
}

/** A copy is only run: it needs no history, tests or harness. */
const NOT_COPIED = /^(?:\.|contract$|tests$|node_modules$)/;

/** A copy of the project below `folder`, with other text in some of its files. */
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

/** `deno run` with the permissions of the start task, from wherever the harness is called. */
async function startArguments(project: URL): Promise<string[]> {
  const path = new URL("deno.json", project).pathname;
  const { tasks } = JSON.parse(await Deno.readTextFile(path));
  const words = String(tasks.start.command ?? tasks.start).split(/\s+/);
  const flags = words.slice(2, -1).map((flag) =>
    flag.replace("--allow-read=static", `--allow-read=${new URL("static", project).pathname}`)
  );
  return ["run", "--config", path, ...flags, new URL(words.at(-1)!, project).pathname];
}

export function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  return port;
}
