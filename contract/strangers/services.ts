/** @module Reads services.yaml and faults.yaml, installs the services, and starts them. */

import { fileURLToPath, pathToFileURL } from "node:url";
import { z } from "zod";
import { ensureEnvironment } from "../lib/python_environment.ts";
import { valueOf } from "../mutants/message.ts";
import type { Fault } from "../mutants/proxy.ts";
import { type Mutant, mutantOf, Row as FaultRow } from "../mutants/rows.ts";
import { outputOf, type Server, startServer } from "../lib/programs.ts";
import { readYaml } from "../lib/yaml_file.ts";

const Row = z.strictObject({
  what: z.string(),
  /** A program, `python`, `deno`, or `go` with the folder of its sources, and its arguments, separated by spaces. */
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

export interface Service extends z.infer<typeof Row> {
  readonly name: string;
  readonly faults: readonly Mutant[];
}

/** A running service; its URL has no base path. */
export interface Started extends Server {
  readonly document: string;
  /** A file: the document reduced to some paths. */
  readonly part: string;
}

const HERE = new URL("./", import.meta.url);
const ALLOWED = "-q --frozen --no-prompt --allow-read --allow-env --allow-sys";
const DEADLINES = { start: 120_000, stop: 10_000 };

export async function readServices(): Promise<Service[]> {
  const rows = await readYaml(new URL("services.yaml", HERE), z.record(z.string(), Row));
  const planted = z.record(z.string(), z.array(FaultRow));
  const faults = await readYaml(new URL("faults.yaml", HERE), planted);
  return Object.entries(rows ?? {})
    .map(([name, row]) => ({ ...row, name, faults: (faults?.[name] ?? []).map(mutantOf) }));
}

/** Without malformed JSON, which Prism 5.16 never answers: each would take the longest time. */
export function guarded({ request = (one) => one, ...fault }: Fault): Fault {
  return {
    ...fault,
    request(one) {
      const isMalformed = one.body !== "" && valueOf(one) === undefined;
      return isMalformed ? { ...one, body: '"malformed"' } : request(one);
    },
  };
}

/** @returns how to start a service @throws {CannotRun} if Python is missing or an installation fails */
export async function installStrangers(
  services: readonly Service[],
  project: URL,
): Promise<(service: Service) => Promise<Started>> {
  const bin = await ensureEnvironment({
    folder: new URL(".venv/strangers/python/", project),
    requirements: new URL("requirements.txt", HERE),
  });
  const npm = new URL(".venv/strangers/npm/", project);
  await Deno.mkdir(npm, { recursive: true });
  await Deno.copyFile(new URL("npm.json", HERE), new URL("deno.json", npm));
  await Deno.copyFile(new URL("npm.lock", HERE), new URL("deno.lock", npm));
  for (const { name, program = "" } of services) {
    await Deno.writeTextFile(new URL(`${name}.ts`, npm), program);
  }
  const cwd = fileURLToPath(npm);
  await outputOf(Deno.execPath(), { args: ["install", "-q", "--frozen"], cwd });
  return (service) => start(service, { python: fileURLToPath(new URL("python", bin)), cwd });
}

async function start(
  service: Service,
  { python, cwd }: Readonly<Record<"python" | "cwd", string>>,
): Promise<Started> {
  const isServed = service.document.startsWith("/");
  function filled(text: string, { url, folder }: Pick<Server, "url" | "folder">): string {
    return text.replaceAll("{port}", new URL(url).port).replaceAll("{home}", folder)
      .replaceAll("{apps}", fileURLToPath(new URL("apps", HERE))).replaceAll("{allowed}", ALLOWED)
      .replaceAll("{packages}", `${cwd}node_modules`);
  }
  const server = await startServer({
    name: service.name,
    deadlines: DEADLINES,
    async command(place) {
      const [program, ...args] = filled(service.run, place).split(" ");
      const env = Object.entries(service.env).map(([key, text]) => [key, filled(text, place)]);
      const options = { args, env: Object.fromEntries(env) };
      if (program === "python") return [python, options];
      if (program !== "go") return [Deno.execPath(), { ...options, cwd }];
      // `go run` would leave its child behind.
      const [folder = "", ...others] = args;
      const file = `${cwd}${service.name}`;
      await outputOf("go", { args: ["build", "-o", file, "."], cwd: folder });
      return [file, { ...options, args: others }];
    },
    ready: isServed ? service.document : "/",
  });
  const document = isServed ? server.url + service.document : filled(service.document, server);
  const value = await (await fetch(isServed ? document : pathToFileURL(document))).json();
  const paths = Object.entries(value.paths);
  const some = Object.fromEntries(paths.filter(([path]) => new RegExp(service.part).test(path)));
  const part = `${server.folder}/part.json`;
  await Deno.writeTextFile(part, JSON.stringify({ ...value, paths: some }));
  return { ...server, document, part };
}
