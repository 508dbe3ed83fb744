/** @module The first start on a machine, with an empty cache of Deno. Needs the npm registry. */

import { match, ok, strictEqual as equal } from "node:assert/strict";
import { filesBelow } from "../../../site/files.ts";
import { runDeno } from "../../support/command.ts";
import { startService, withFolder } from "../../support/service.ts";

const ROOT = new URL("../../../", import.meta.url);
const DOWNLOADS = 25;
/**
 * As files: 12.8 MB, of which zod 6.1, with 3.1 of TypeScript sources, and js-yaml 1.6, with 0.9 of source
 * maps. A fifth of that as downloaded.
 */
const PACKAGES_MB = 13;

function downloadsIn(output: string): number {
  return output.match(/^Download /gm)?.length ?? 0;
}

async function packagesMb(cache: string): Promise<number> {
  const npm = `${cache}/npm/`;
  const files = (await filesBelow(npm)).filter((path) => !path.endsWith("/registry.json"));
  const sizes = await Promise.all(files.map(async (file) => (await Deno.stat(npm + file)).size));
  return sizes.reduce((sum, size) => sum + size, 0) / 1e6;
}

Deno.test("a start with an empty cache downloads 25 files at most; a second one, leads and doctor need none", () =>
  withFolder(async (folder) => {
    const env = { DENO_DIR: `${folder}/cache` };
    async function downloads(...flags: readonly string[]): Promise<number> {
      const service = await startService(folder, env, { flags: (words) => [...words, ...flags] });
      try {
        const answer = await fetch(`${service.url}/api/health`);
        match(await answer.text(), /"ok":true/, service.output());
        return downloadsIn(service.output());
      } finally {
        equal(await service.end(), 0, service.output());
      }
    }
    const first = await downloads();
    ok(first > 0 && first <= DOWNLOADS, `${first} downloads`);
    const mb = await packagesMb(env.DENO_DIR);
    ok(mb > 1 && mb <= PACKAGES_MB, `${mb} MB of packages`);
    equal(await downloads("--cached-only"), 0);
    for (const program of ["leads", "doctor"]) {
      // Without --cached-only Deno may also ask for commander's versions, which it does not need.
      const line = ["run", "--cached-only", `-P=${program}`, `cli/${program}.ts`, "--help"];
      const { code, out, err } = await runDeno(line, { cwd: ROOT, env });
      match(out, /^Usage: deno task /, err);
      equal(code, 0, err);
    }
  }));
