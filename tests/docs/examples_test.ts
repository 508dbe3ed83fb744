/**
 * @module Runs every example of the documentation with curl and Deno against the real service, and
 * compares its output: for `bash` with the `json` block that follows, for `js` and `ts` with the comments
 * after `console.log(…);`.
 */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { Marked } from "marked";
import { type Ended, run } from "../support/command.ts";
import { withFolder, withRunningService } from "../support/service.ts";

const CONFIG = new URL("../deno.json", import.meta.url);
const PAGES = ["/docs", "/developers", "/de/docs", "/de/developers"];

interface Block {
  readonly lang: string;
  readonly text: string;
}

/** The code blocks of a page's markdown. */
async function blocksOf(url: string): Promise<Block[]> {
  const markdown = await (await fetch(url, { headers: { accept: "text/markdown" } })).text();
  return new Marked().lexer(markdown).flatMap((token) =>
    token.type === "code" ? [{ lang: token["lang"] ?? "", text: token["text"] }] : []
  );
}

/** Runs a test in a folder with the examples' two packages; `npx` runs them with Deno. */
async function withProject(
  test: (runBlock: (block: Block) => Promise<Ended>) => Promise<void>,
): Promise<void> {
  const { imports } = JSON.parse(await Deno.readTextFile(CONFIG));
  const packages = ["openapi-fetch", "openapi-typescript"];
  const config = { imports: Object.fromEntries(packages.map((name) => [name, imports[name]])) };
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify(config));
    const npx = `#!/bin/sh\nexec "${Deno.execPath()}" run --quiet --no-lock -A "$@"\n`;
    await Deno.writeTextFile(`${folder}/npx`, npx, { mode: 0o755 });
    // curl exits with 0 for any status: it prints each to standard error.
    const curlrc = 'silent\nwrite-out = "%{stderr}%{http_code}\\n"\n';
    await Deno.writeTextFile(`${folder}/.curlrc`, curlrc);
    const env = { CURL_HOME: folder, PATH: `${folder}:${Deno.env.get("PATH")}` };
    await test(async ({ lang, text }) => {
      if (lang === "bash") return await run(["sh", "-eu", "-c", text], { cwd: folder, env });
      const file = `${folder}/example.ts`;
      await Deno.writeTextFile(file, `${text}\nexport {};\n`);
      const flags = ["--quiet", "--no-prompt", "--no-lock", "--check", "--allow-net=127.0.0.1"];
      return await run([Deno.execPath(), "run", ...flags, file], { cwd: folder });
    });
  });
}

for (const page of PAGES) {
  Deno.test(`every example of ${page} prints what the page says`, () =>
    withRunningService(({ url }) =>
      withProject(async (runBlock) => {
        const blocks = await blocksOf(url + page);
        for (const [at, block] of blocks.entries()) {
          if (block.lang === "json") continue;
          ok(["bash", "js", "ts"].includes(block.lang), block.lang);
          const { code, out, err } = await runBlock(block);
          equal(code, 0, `${block.text}\n${out}${err}`);
          if (block.lang !== "bash") {
            const claims = [...block.text.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)];
            equal(out, claims.map(([, claim]) => `${claim}\n`).join(""), block.text);
            ok(claims.length > 0, block.text);
            continue;
          }
          const next = blocks[at + 1];
          const claim = next?.lang === "json" ? JSON.parse(next.text) : undefined;
          if (claim !== undefined) deepEqual(JSON.parse(out), claim);
          if (block.text.startsWith("curl")) {
            match(err, claim?.error === undefined ? /^(?:200\n)+$/ : /^400\n$/, block.text);
          }
        }
      })
    ));
}

Deno.test("the examples with fetch and openapi-fetch print errors and the wait", () =>
  withRunningService(({ url }) =>
    withProject(async (runBlock) => {
      const blocks = [...await blocksOf(`${url}/docs`), ...await blocksOf(`${url}/developers`)];
      const types = blocks.find(({ text }) => text.startsWith("npx"))!;
      equal((await runBlock(types)).code, 0);
      const examples = blocks.filter(({ text }) => text.includes("error.code"));
      deepEqual(examples.map(({ lang }) => lang), ["js", "ts"]);
      for (const { lang, text } of examples) {
        const invalid = text.replace(/company: "[^"]*"/, `company: "${"x".repeat(121)}"`);
        const { out } = await runBlock({ lang, text: invalid });
        match(out, /^invalid_lead Correct what details\.issues lists; .* null\n$/);
      }
      equal((await runBlock(examples[0]!)).out, "false\n");
      for (const block of examples) {
        const { out } = await runBlock(block);
        match(out, /^rate_limited Wait as many seconds as .* (?:2\d\d|300)\n$/);
      }
    }), { LEAD_RATE_LIMIT: "1/5m" }));
