/** @module Starts instances of the project's service, each with its own port and database. */

import { cp } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { CannotRun } from "../../lib/cannot_run.ts";
import {
  type Deadlines,
  type Launcher,
  type Program,
  type Server,
  startServer,
  type Texts,
} from "../../lib/programs.ts";

/** @param project the folder with the service's `deno.json` */
export function createLauncher(project: URL, deadlines?: Deadlines): Launcher {
  const all: Promise<Server>[] = [];
  let isStopped = false;
  return {
    async start(env = {}, files = {}) {
      if (isStopped) throw new CannotRun("Cannot start the service: the run is over");
      const server = startServer({ ...programOf(project, { env, files }), deadlines });
      all.push(server);
      return await server;
    },
    async stopAll() {
      isStopped = true;
      // A failed start must not hide the others, and one that was stopped ends at once.
      const settled = await Promise.allSettled(all);
      await Promise.all(settled.map((one) => one.status === "fulfilled" && one.value.stop()));
    },
  };
}

function programOf(original: URL, { env, files }: Record<"env" | "files", Texts>): Program {
  return {
    name: "the service",
    async command({ folder, url }) {
      const isSame = Object.keys(files).length === 0;
      const project = isSame ? original : await changedCopy(original, { folder, files });
      const path = (name: string) => new URL(name, project).pathname;
      const config = ["--config", path("deno.json"), "-P=service"];
      const folders = [`--allow-read=${path("static")},.data`, "--allow-write=.data"];
      const settings = { HOST: "127.0.0.1", PORT: new URL(url).port, SITE_URL: url, NO_COLOR: "1" };
      return [Deno.execPath(), {
        args: ["run", "-q", ...config, ...folders, path("main.ts")],
        env: { ...settings, KV_PATH: ".data/kv.sqlite", ...env },
      }];
    },
    ready: "/",
  };
}

const NOT_COPIED = /(?:^|\/)(?:\.[^/]*|contract|tests|node_modules)$/;

async function changedCopy(
  original: URL,
  { folder, files }: { readonly folder: string; readonly files: Texts },
): Promise<URL> {
  const copy = new URL(`file://${folder}/project/`);
  const root = fileURLToPath(original);
  const filter = (path: string) => !NOT_COPIED.test(path.slice(root.length));
  await cp(root, fileURLToPath(copy), { recursive: true, filter });
  for (const [path, text] of Object.entries(files)) {
    await Deno.writeTextFile(new URL(path, copy), text, { create: false }).catch(() => {
      throw new CannotRun(`Cannot change ${path}: the project has no such file`);
    });
  }
  return copy;
}
