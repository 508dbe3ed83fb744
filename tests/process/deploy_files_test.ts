/** @module `deploy/`'s Containerfile and unit, run without container and systemd. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import CONFIG from "../../deno.json" with { type: "json" };
import { copyFolder } from "../support/checkout.ts";
import { run, start } from "../support/command.ts";
import { postLead } from "../support/post_lead.ts";
import { freePort, untilListens, withFolder } from "../support/service.ts";

const ROOT = new URL("../../", import.meta.url);
const read = (path: string) => Deno.readTextFile(new URL(path, ROOT));

/** The instructions of the Containerfile, their continuation lines joined. */
const IMAGE = (await read("deploy/Containerfile")).replaceAll(/^#.*\n/gm, "")
  .replaceAll(/\\\n\s*/g, "").trim().split(/\n+/)
  .map((line) => [line.split(" ", 1)[0]!, line.slice(line.indexOf(" ") + 1)] as const);

/** The JSON array in an instruction's argument. */
function words(name: string): string[] {
  return JSON.parse(/\[.*$/.exec(Object.fromEntries(IMAGE)[name]!)![0]);
}

Deno.test("the unit runs the start task without fetching; the image has the Deno of CI, and no root", async () => {
  const unit = await read("deploy/frontdoor.service");
  const task = CONFIG.tasks.start.command.replace("deno run", "$& --cached-only --frozen")
    .replace(" --env-file", ""); // systemd reads its own
  ok(unit.includes(`\nExecStart=/usr/local/bin/${task}\n`));
  const [, version] = /^deno_version=(.+)$/m.exec(await read(".ci/run"))!;
  const { FROM, USER } = Object.fromEntries(IMAGE);
  deepEqual([FROM, USER], [`docker.io/denoland/deno:${version}`, "deno"]);
});

Deno.test("the files that the Containerfile copies suffice to cache, start, check, operate and stop, also with .data as a link", () =>
  withFolder(async (folder) => {
    const [app, data] = [`${folder}/app`, `${folder}/data`];
    for (const path of [app, data]) await Deno.mkdir(path);
    await Deno.symlink(data, `${app}/.data`); // as the unit's
    const port = freePort();
    const env = { HOST: "127.0.0.1", PORT: String(port) };
    const inApp = (line: readonly string[]) => run(line, { cwd: app, env });
    for (const [name, rest] of IMAGE) {
      if (name === "COPY") await copy(rest.split(" "), app);
      if (name !== "RUN" || rest.startsWith("mkdir .data")) continue;
      const { code, err } = await inApp(["sh", "-ec", rest]);
      equal(code, 0, `${rest}: ${err}`);
    }
    const [check, entry] = [words("HEALTHCHECK"), words("ENTRYPOINT")];
    equal((await inApp(check)).code, 1, "not running yet");
    const service = start([...entry, ...words("CMD")], { cwd: app, env });
    try {
      await untilListens(port, service);
      const response = await postLead(`http://127.0.0.1:${port}`);
      deepEqual(await response.json(), { ok: true, delivered: false });
      equal((await inApp(check)).code, 0);
      match(await (await fetch(`http://127.0.0.1:${port}/assets/site.css`)).text(), /\{/);
      const listed = await inApp([...entry, "leads", "list"]);
      match(listed.out, /ada@example\.com/, listed.err);
      ok((await Deno.stat(`${data}/frontdoor.sqlite`)).isFile);
      equal(await service.end("SIGTERM"), 0);
    } finally {
      await service.end("SIGKILL");
    }
  }));

async function copy(paths: readonly string[], app: string): Promise<void> {
  const ignored = (await read(".dockerignore")).split("\n");
  const to = `${app}/${paths.at(-1)}`;
  for (const name of paths.slice(0, -1)) {
    ok(!ignored.includes(name), `.dockerignore excludes ${name}`);
    const from = new URL(name, ROOT);
    if (!(await Deno.stat(from)).isDirectory) await Deno.copyFile(from, to + name);
    else await copyFolder(new URL(`${name}/`, ROOT), to);
  }
}
