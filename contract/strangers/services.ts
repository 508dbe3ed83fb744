/**
 * @module Installs and starts the services of services.yaml, each on a free port of the loopback
 * address, with a temporary folder as its home.
 */

import { fileURLToPath } from "node:url";
import { z } from "zod";
import { CannotRun } from "../cannot_run.ts";
import { ensureEnvironment } from "../fuzz/python.ts";
import { readYaml } from "../yaml_file.ts";

const Service = z.strictObject({
  what: z.string(),
  /** Arguments of Python or of `deno run`; one of them. */
  python: z.array(z.string()).optional(),
  deno: z.array(z.string()).optional(),
  /** The source of NAME.ts, next to the npm packages. */
  program: z.string().optional(),
  env: z.record(z.string(), z.string()).default({}),
  base: z.string().default(""),
  /** A path on the service, or a file among the npm packages. */
  document: z.string(),
  headers: z.array(z.string()).default([]),
  /** Expressions for the paths that the planted faults are in. */
  part: z.array(z.string()).default([]),
});

export type Service = z.infer<typeof Service> & { readonly name: string };

/** A running service. */
export interface Started {
  /** Without the base path. */
  readonly origin: string;
  /** Where the document is: a URL or a file. */
  readonly document: string;
  /** The document reduced to the paths of `part`, as a file. */
  readonly part: string;
  readonly operations: number;
  stop(): Promise<void>;
}

const HERE = new URL("./", import.meta.url);
const METHODS = new Set(["get", "put", "post", "delete", "options", "head", "patch", "trace"]);
const PERMISSIONS = ["--frozen", "--no-prompt", "--allow-read", "--allow-env", "--allow-sys"];
const START_MS = 120_000;
const STOP_MS = 10_000;

export async function readServices(): Promise<Service[]> {
  const rows = await readYaml(new URL("services.yaml", HERE), z.record(z.string(), Service));
  return Object.entries(rows ?? {}).map(([name, row]) => ({ ...row, name }));
}

/**
 * Installs the packages below .venv/strangers/ if they are missing.
 * @returns how to start a service
 * @throws {CannotRun} if Python is missing or an installation fails
 */
export async function installStrangers(
  project: URL,
  { services, progress }: {
    readonly services: readonly Service[];
    readonly progress: (text: string) => void;
  },
): Promise<(service: Service) => Promise<Started>> {
  const bin = await ensureEnvironment({
    folder: new URL(".venv/strangers/python/", project),
    requirements: new URL("requirements.txt", HERE),
    progress,
  });
  const npm = new URL(".venv/strangers/npm/", project);
  await Deno.mkdir(npm, { recursive: true });
  await Deno.copyFile(new URL("npm.json", HERE), new URL("deno.json", npm));
  await Deno.copyFile(new URL("npm.lock", HERE), new URL("deno.lock", npm));
  for (const { name, program } of services) {
    if (program !== undefined) await Deno.writeTextFile(new URL(`${name}.ts`, npm), program);
  }
  const folder = fileURLToPath(npm);
  const installed = await new Deno.Command(Deno.execPath(), {
    args: ["install", "-q", "--frozen"],
    cwd: folder,
  }).output();
  if (!installed.success) {
    throw new CannotRun(`Cannot install: ${new TextDecoder().decode(installed.stderr)}`);
  }
  return (service) => start(service, { python: fileURLToPath(new URL("python", bin)), folder });
}

async function start(
  { name, python, deno = [], env, base, document, part }: Service,
  { python: interpreter, folder }: { readonly python: string; readonly folder: string },
): Promise<Started> {
  const home = await Deno.makeTempDir({ prefix: `stranger-${name}-` });
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const port = String(listener.addr.port);
  listener.close();
  const fill = (text: string) =>
    text.replaceAll("{port}", port).replaceAll("{home}", home)
      .replaceAll("{packages}", `${folder}node_modules`);
  const origin = `http://127.0.0.1:${port}`;
  const where = document.startsWith("/") ? origin + document : fill(document);
  const child = new Deno.Command(python === undefined ? Deno.execPath() : interpreter, {
    args: (python ?? ["run", "-q", ...PERMISSIONS, ...deno]).map(fill),
    cwd: python === undefined ? folder : home,
    env: Object.fromEntries(Object.entries(env).map(([key, value]) => [key, fill(value)])),
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  let isOver = false;
  const over = child.status.then(() => void (isOver = true));
  async function stop(): Promise<void> {
    if (!isOver) child.kill("SIGTERM");
    const patience = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
    await over;
    clearTimeout(patience);
    await Deno.remove(home, { recursive: true });
  }
  const text = await untilReady(origin, { where, isOver: () => isOver }).catch(async (error) => {
    await stop();
    throw error;
  });
  const value = JSON.parse(text);
  const file = `${home}/part.json`;
  const paths = Object.entries(value.paths).filter(([path]) =>
    part.some((expression) => new RegExp(expression).test(path))
  );
  await Deno.writeTextFile(file, JSON.stringify({ ...value, paths: Object.fromEntries(paths) }));
  const operations = Object.values(value.paths)
    .flatMap((item) => Object.keys(Object(item))).filter((name) => METHODS.has(name)).length;
  return { origin, document: where, part: file, operations, stop };
}

/** Waits until the service answers. @returns the document */
async function untilReady(
  origin: string,
  { where, isOver }: { readonly where: string; readonly isOver: () => boolean },
): Promise<string> {
  const deadline = Date.now() + START_MS;
  while (!isOver() && Date.now() < deadline) {
    const answer = await fetch(where.startsWith(origin) ? where : origin).catch(() => undefined);
    const text = await answer?.text();
    if (where.startsWith(origin) ? answer?.ok : answer !== undefined) {
      return where.startsWith(origin) ? text! : await Deno.readTextFile(where);
    }
    await new Promise((done) => setTimeout(done, 200));
  }
  throw new CannotRun(
    `Cannot start the service on ${origin}: ${isOver() ? "it ended" : "no answer"}`,
  );
}
