/**
 * @module Runs the documentation's examples in bash and scripts; `tests/nightly/deploy/examples.ts` has the
 * others.
 */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { type Ended, run } from "../support/command.ts";
import { withFolder, withRunningService } from "../support/service.ts";
import { type Block, claimOf, examplesOf, isAsShown, PAGES } from "./page_examples.ts";

const CONFIG = new URL("../deno.json", import.meta.url);

/** Runs a test in a folder with the examples' two packages; `npx` runs them with Deno. */
async function withProject(
  check: "--check" | "--no-check",
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
      const file = `${folder}/example.${lang}`;
      await Deno.writeTextFile(file, `${text}\nexport {};\n`);
      const flags = ["--quiet", "--no-prompt", "--no-lock", "--allow-net=127.0.0.1"];
      // It takes seconds.
      const types = lang === "ts" ? check : "--no-check";
      return await run([Deno.execPath(), "run", ...flags, types, file], { cwd: folder });
    });
  });
}

Deno.test("every example in bash and scripts prints what its page says", () =>
  withRunningService(({ url }) =>
    withProject("--check", async (runBlock) => {
      const done = new Set<string>();
      for (const page of PAGES) {
        for (const example of (await examplesOf(url + page)).examples) {
          const { lang, text, responses } = example;
          const same = JSON.stringify(example);
          if (done.has(same)) continue; // the page in German has it too
          done.add(same);
          if (["python", "go"].includes(lang)) continue; // in tests/nightly/deploy/examples.ts
          ok(["bash", "js", "ts"].includes(lang), lang);
          const { code, out, err } = await runBlock(example);
          equal(code, 0, `${text}\n${out}${err}`);
          if (lang !== "bash" && claimOf(example) !== "") equal(out, claimOf(example), text);
          else if (lang !== "bash") {
            ok(responses.some((response) => isAsShown(out, response)), text);
          } else if (responses.length > 0) {
            const shown = responses.filter(({ status }) => err === `${status}\n`);
            ok(shown.some((response) => isAsShown(out, response)), `${text}\n${err}${out}`);
          } else if (text.startsWith("curl")) match(err, /^(?:200\n)+$/, text);
        }
      }
    })
  ));

Deno.test("the examples with fetch and openapi-fetch print errors and the wait; a 429 has its fields", () =>
  withRunningService(({ url }) =>
    withProject("--no-check", async (runBlock) => {
      const { examples, responses } = await examplesOf(`${url}/docs`);
      const scripts = examples.filter(({ text }) => text.includes("error.code"));
      deepEqual(scripts.map(({ lang }) => lang), ["js", "ts"]);
      for (const { lang, text } of scripts) {
        const invalid = text.replace(/company: "[^"]*"/, `company: "${"x".repeat(121)}"`);
        const { out } = await runBlock({ lang, text: invalid });
        match(out, /^invalid_lead Correct what details\.issues lists; .* null\n$/);
      }
      equal((await runBlock(scripts[0]!)).out, "false\n");
      for (const block of scripts) {
        const { out } = await runBlock(block);
        match(out, /^rate_limited Wait as many seconds as .* (?:2\d\d|300)\n$/);
      }
      const [head = "", body = ""] = responses.find(({ lang }) => lang === "http")!.text
        .split("\n\n");
      const curl = examples.find(({ lang }) => lang === "bash")!;
      const { out } = await runBlock({ lang: "bash", text: curl.text.replace("curl", "curl -i") });
      const [fields = "", sent = ""] = out.split("\r\n\r\n");
      deepEqual(JSON.parse(sent), JSON.parse(body));
      const shape = (line: string) => line.toLowerCase().replace(/\d+/g, "1").trim();
      const served = fields.split("\n").map(shape);
      for (const line of head.split("\n")) ok(served.includes(shape(line)), `${line}\n${fields}`);
    }), { LEAD_RATE_LIMIT: "1/5m" }));
