/**
 * @module `deploy/Containerfile` without a container: what it copies, and nothing else, is enough to run
 * its commands in its order, and its start, health check and stop do what they are for.
 *
 * The image itself is not built here: that the base image exists and lets its user in is not seen.
 */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { run, start } from "../support/command.ts";
import { instructions, theOne, words } from "../support/containerfile.ts";
import { postLead } from "../support/post_lead.ts";
import { freePort, withFolder } from "../support/service.ts";
import { until } from "../support/until.ts";

const ROOT = new URL("../../", import.meta.url);
const ALL = instructions(await Deno.readTextFile(new URL("deploy/Containerfile", ROOT)));
const IGNORED = (await Deno.readTextFile(new URL(".dockerignore", ROOT))).split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));

Deno.test("the base image has the Deno that CI tests with, and the service is not root", async () => {
  const [, version] = /^deno_version=(.+)$/m.exec(
    await Deno.readTextFile(new URL(".ci/run", ROOT)),
  )!;
  equal(theOne(ALL, "FROM").rest, `docker.io/denoland/deno:${version}`);
  equal(theOne(ALL, "USER").rest, "deno");
});

Deno.test("what the Containerfile copies is enough to cache, start, check, operate and stop", () =>
  withFolder(async (app) => {
    const port = freePort();
    const env = { ...declaredEnv(), HOST: "127.0.0.1", PORT: String(port) };
    const inApp = (line: readonly string[]) => run(line, { cwd: app, env });
    for (const { name, rest } of ALL) {
      if (name === "COPY") await copy(rest.split(" "), app);
      if (name === "RUN") {
        const { code, err } = await inApp([
          "sh",
          "-ec",
          rest.replace(/ && chown deno:deno \S+$/, ""),
        ]);
        equal(code, 0, `${rest}: ${err}`);
      }
    }
    equal((await inApp(words(ALL, "HEALTHCHECK"))).code, 1, "nothing runs yet");

    const entry = words(ALL, "ENTRYPOINT");
    const service = start([...entry, ...words(ALL, "CMD")], { cwd: app, env });
    try {
      await until("the check finds it healthy", async () => {
        ok(!service.hasEnded(), service.output());
        return (await inApp(words(ALL, "HEALTHCHECK"))).code === 0;
      }, 20_000);
      const response = await postLead(`http://127.0.0.1:${port}`);
      deepEqual(await response.json(), { ok: true, delivered: false });
      for (const path of ["/docs.md", "/de/", "/api/openapi.yaml", "/assets/site.css"]) {
        const answer = await fetch(`http://127.0.0.1:${port}${path}`);
        await answer.body?.cancel();
        equal(answer.status, 200, path);
      }
      const listed = await inApp([...entry, "leads", "list"]);
      match(listed.out, /ada@example\.com/, listed.err);
      equal(await service.end(theOne(ALL, "STOPSIGNAL").rest as Deno.Signal), 0);
    } finally {
      await service.end("SIGKILL");
    }
  }));

/** What `ENV` sets, but for the place of the cache: the machine's own has the packages. */
function declaredEnv(): Record<string, string> {
  const pairs = ALL.filter(({ name }) => name === "ENV").flatMap(({ rest }) => rest.split(" "));
  const { DENO_DIR: _, ...env } = Object.fromEntries(pairs.map((pair) => pair.split("=")));
  return env;
}

/** `COPY from… to`, from what `.dockerignore` leaves. */
async function copy(paths: readonly string[], app: string): Promise<void> {
  const to = `${app}/${paths.at(-1)}`;
  for (const from of paths.slice(0, -1)) {
    const names = from === "*.ts" ? await modules() : [from];
    for (const name of names) {
      ok(!IGNORED.some((pattern) => matches(pattern, name)), `.dockerignore leaves out ${name}`);
      const { isDirectory } = await Deno.stat(new URL(name, ROOT));
      if (isDirectory) await copyFolder(new URL(`${name}/`, ROOT), to);
      else await Deno.copyFile(new URL(name, ROOT), `${to}${name}`);
    }
  }
}

function matches(pattern: string, name: string): boolean {
  return pattern === ".*" ? name.startsWith(".") : pattern === name;
}

async function modules(): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(ROOT));
  return entries.map(({ name }) => name).filter((name) => name.endsWith(".ts"));
}

async function copyFolder(from: URL, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory) await copyFolder(new URL(`${name}/`, from), `${to}/${name}`);
    else await Deno.copyFile(new URL(name, from), `${to}/${name}`);
  }
}
