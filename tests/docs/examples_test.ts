/**
 * @module Runs every example of the documentation with curl and Deno against the real service, and
 * compares its output: for `bash` with the responses that follow, of which it must be one, for `js` and
 * `ts` with the comments after `console.log(…);`.
 */

import {
  deepStrictEqual as deepEqual,
  match,
  ok,
  partialDeepStrictEqual,
  strictEqual as equal,
} from "node:assert/strict";
import { Marked } from "marked";
import { type Ended, run } from "../support/command.ts";
import { withFolder, withRunningService } from "../support/service.ts";

const CONFIG = new URL("../deno.json", import.meta.url);
const PAGES = ["/docs", "/developers", "/de/docs", "/de/developers"];

interface Block {
  readonly lang: string;
  /** The rest of the info string: "curl", "200 stored". */
  readonly label: string;
  readonly text: string;
}

/** The code blocks of a page's markdown. */
async function blocksOf(url: string): Promise<Block[]> {
  const markdown = await (await fetch(url, { headers: { accept: "text/markdown" } })).text();
  return new Marked().lexer(markdown).flatMap((token) => {
    if (token.type !== "code") return [];
    const [, lang = "", label = ""] = /^(\S*) ?(.*)$/.exec(token["lang"] ?? "") ?? [];
    return [{ lang, label, text: token["text"] }];
  });
}

const isResponse = ({ lang }: Block) => lang === "json" || lang === "yaml";

/** Whether a response is, or contains, what the page shows. */
function isAsShown(output: string, { lang, text }: Block): boolean {
  if (lang === "yaml") return output.startsWith(text);
  try {
    partialDeepStrictEqual(JSON.parse(output), JSON.parse(text));
    return true;
  } catch {
    return false;
  }
}

/** Runs a test in a folder with the examples' two packages; `npx` runs them with Deno. */
async function withProject(
  test: (runBlock: (block: Pick<Block, "lang" | "text">) => Promise<Ended>) => Promise<void>,
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
          if (isResponse(block)) continue;
          ok(["bash", "js", "ts"].includes(block.lang), block.lang);
          const { code, out, err } = await runBlock(block);
          equal(code, 0, `${block.text}\n${out}${err}`);
          if (block.lang !== "bash") {
            const claims = [...block.text.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)];
            equal(out, claims.map(([, claim]) => `${claim}\n`).join(""), block.text);
            ok(claims.length > 0, block.text);
            continue;
          }
          const after = blocks.findIndex((next, n) => n > at && !isResponse(next));
          const shown = blocks.slice(at + 1, after < 0 ? undefined : after);
          const found = shown.find((response) => isAsShown(out, response));
          ok(found !== undefined || shown.length === 0, `${block.text}\n${out}`);
          if (block.text.startsWith("curl")) {
            const status = found?.text.includes('"error"') ? "400" : "200";
            match(err, RegExp(`^(?:${status}\n)+$`), block.text);
            ok(!found?.label || found.label.startsWith(status), found?.label);
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
