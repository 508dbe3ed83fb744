/** @module Installs the services of services.yaml, and starts each on a free port of 127.0.0.1. */

import { fileURLToPath } from "node:url";
import { z } from "zod";
import { CannotRun } from "../cannot_run.ts";
import { ensureEnvironment } from "../fuzz/python.ts";
import { readYaml } from "../yaml_file.ts";

const Row = z.strictObject({
  what: z.string(),
  /** A program, `python` or `deno`, and its arguments, separated by spaces. */
  run: z.string(),
  /** The source of NAME.ts, next to the npm packages. */
  program: z.string().optional(),
  env: z.record(z.string(), z.string()).default({}),
  base: z.string().default(""),
  /** A path on the service, or a file. */
  document: z.string(),
  headers: z.array(z.string()).default([]),
  /** An expression for the paths that the planted faults are in. */
  part: z.string().default(""),
});

export type Service = z.infer<typeof Row> & { readonly name: string };

/** A running service. */
export interface Started {
  /** Without the base path. */
  readonly origin: string;
  /** A URL or a file. */
  readonly document: string;
  /** A file: the document reduced to some paths. */
  readonly part: string;
  readonly operations: number;
  stop(): Promise<void>;
}

const HERE = new URL("./", import.meta.url);
const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
const ALLOWED = "-q --frozen --no-prompt --allow-read --allow-env --allow-sys";
const START_MS = 120_000;
const STOP_MS = 10_000;

export async function readServices(): Promise<Service[]> {
  const rows = await readYaml(new URL("services.yaml", HERE), z.record(z.string(), Row));
  return Object.entries(rows ?? {}).map(([name, row]) => ({ ...row, name }));
}

/**
 * Installs the packages below .venv/strangers/ if they are missing.
 * @returns how to start a service
 * @throws {CannotRun} if Python is missing or an installation fails
 */
export async function installStrangers(
  services: readonly Service[],
  { project, progress }: { readonly project: URL; progress(text: string): void },
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
  for (const { name, program = "" } of services) {
    await Deno.writeTextFile(new URL(`${name}.ts`, npm), program);
  }
  const cwd = fileURLToPath(npm);
  const args = ["install", "-q", "--frozen"];
  const { success, stderr } = await new Deno.Command(Deno.execPath(), { args, cwd }).output();
  if (!success) throw new CannotRun(`Cannot install: ${new TextDecoder().decode(stderr)}`);
  return (service) => start(service, { python: fileURLToPath(new URL("python", bin)), cwd });
}

async function start(
  service: Service,
  { python, cwd }: Readonly<Record<"python" | "cwd", string>>,
): Promise<Started> {
  const home = await Deno.makeTempDir({ prefix: `stranger-${service.name}-` });
  const origin = `http://127.0.0.1:${freePort()}`;
  const fill = (text: string) =>
    text.replaceAll("{port}", new URL(origin).port).replaceAll("{home}", home)
      .replaceAll("{packages}", `${cwd}node_modules`).replaceAll("{allowed}", ALLOWED);
  const [program, ...args] = fill(service.run).split(" ");
  const child = new Deno.Command(program === "python" ? python : Deno.execPath(), {
    args,
    cwd: program === "python" ? home : cwd,
    env: Object.fromEntries(Object.entries(service.env).map(([key, text]) => [key, fill(text)])),
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
  const isServed = service.document.startsWith("/");
  const document = isServed ? origin + service.document : fill(service.document);
  const deadline = Date.now() + START_MS;
  let answer;
  while (!isOver && Date.now() < deadline && answer === undefined) {
    answer = await fetch(isServed ? document : origin).then((one) => one.text()).catch(() => {});
    if (answer === undefined) await new Promise((done) => setTimeout(done, 200));
  }
  if (answer === undefined) {
    await stop();
    throw new CannotRun(`Cannot start ${service.name}: ${isOver ? "it ended" : "no answer"}`);
  }
  const value = JSON.parse(isServed ? answer : await Deno.readTextFile(document));
  const paths = Object.entries(value.paths);
  const some = Object.fromEntries(paths.filter(([path]) => new RegExp(service.part).test(path)));
  const part = `${home}/part.json`;
  await Deno.writeTextFile(part, JSON.stringify({ ...value, paths: some }));
  const operations = paths.flatMap(([, item]) => Object.keys(Object(item)))
    .filter((name) => METHODS.includes(name)).length;
  return { origin, document, part, operations, stop };
}

function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  return port;
}
