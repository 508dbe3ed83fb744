/**
 * @module Starts the service that stands beside the harness, as a process on a free port with a
 * throw-away database, by the command of its own start task. Knows nothing of the service's code.
 */

import { send } from "./client.ts";

/** A running instance. */
export interface Instance {
  readonly url: string;
  /** All that it has printed so far. */
  output(): string;
  /** Ends it and waits for its end. Removes its folder. */
  stop(): Promise<void>;
}

/** Starts instances; each gets variables of its own beside a port and an empty database. */
export interface Launcher {
  start(env?: Readonly<Record<string, string>>): Promise<Instance>;
  stopAll(): Promise<void>;
}

/** The service did not come up. */
export class StartError extends Error {
  override readonly name = "StartError";
}

const COME_UP_MS = 30_000;

/**
 * Creates a launcher.
 *
 * @param project the folder that has the service's `deno.json`
 */
export function createLauncher(project: URL): Launcher {
  const running = new Set<Instance>();
  return {
    async start(env = {}) {
      const instance = await startOne(project, env);
      const listed: Instance = {
        ...instance,
        async stop() {
          running.delete(listed);
          await instance.stop();
        },
      };
      running.add(listed);
      return listed;
    },
    async stopAll() {
      await Promise.all([...running].map((instance) => instance.stop()));
    },
  };
}

async function startOne(
  project: URL,
  env: Readonly<Record<string, string>>,
): Promise<Instance> {
  const folder = await Deno.makeTempDir({ prefix: "contract-" });
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
      if (!ended) child.kill("SIGTERM");
      await finished;
      await Deno.remove(folder, { recursive: true }).catch(() => {});
    },
  };
  const deadline = performance.now() + COME_UP_MS;
  while (true) {
    const isUp = await send(url, { method: "HEAD", path: "/" }).then(() => true, () => false);
    if (isUp) return instance;
    if (ended || performance.now() > deadline) {
      await instance.stop();
      throw new StartError(`Cannot start the service: ${printed.trim() || "it printed nothing"}`);
    }
    await new Promise((done) => setTimeout(done, 50));
  }
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

/** A port that was free a moment ago. */
export function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  return port;
}
