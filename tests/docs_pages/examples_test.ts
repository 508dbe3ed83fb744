/** @module Every example of the documentation, in both languages, run against the real service. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { brokenKv } from "../support/broken_kv.ts";
import { runDeno } from "../support/command.ts";
import { withFolder, withRunningService } from "../support/service.ts";
import { SITE_URL, withApp, withServedApp } from "../support/test_app.ts";
import { type Example, examplesIn, faultOf, run } from "./examples.ts";

const PAGES = [
  ["/docs", "/de/docs"],
  ["/developers", "/de/developers"],
] as const;

/** The markdown of a page, as an agent gets it. */
async function read(url: string): Promise<string> {
  const response = await fetch(url, { headers: { accept: "text/markdown" } });
  equal(response.headers.get("content-type"), "text/markdown; charset=utf-8", url);
  return await response.text();
}

/** What an example goes by. */
function wayOf({ language, text }: Example): string {
  if (language === "bash") return "curl";
  return text.includes("/assets/client.js") ? "client" : "fetch";
}

/** The two examples of the quick start that handle errors. */
async function quickStart(url: string): Promise<{ byFetch: Example; byClient: Example }> {
  const examples = examplesIn(await read(`${url}/docs`));
  const [byFetch, byClient] = ["fetch", "client"].map((way) =>
    examples.find((example) => wayOf(example) === way)
  );
  return { byFetch: byFetch!, byClient: byClient! };
}

/** An example with something else in the place of one of its words. */
function changed(example: Example, [from, to]: readonly [string, string]): Example {
  ok(example.text.includes(from), from);
  return { ...example, text: example.text.replaceAll(from, to) };
}

for (const page of PAGES.flat()) {
  Deno.test(`every example of ${page} does what the page says`, () =>
    withRunningService(async ({ url }) => {
      const faults: string[] = [];
      for (const example of examplesIn(await read(url + page))) {
        const fault = await faultOf(example, url);
        if (fault !== undefined) faults.push(fault);
      }
      deepEqual(faults, []);
    }));
}

for (const [english, german] of PAGES) {
  Deno.test(`${english} shows curl, fetch and the client, and ${german} the same`, () =>
    withRunningService(async ({ url }) => {
      const ways = examplesIn(await read(url + english)).map(wayOf);
      deepEqual([...new Set(ways)].sort(), ["client", "curl", "fetch"]);
      deepEqual(examplesIn(await read(url + german)).map(wayOf), ways);
    }));
}

Deno.test("every example in JavaScript is right in TypeScript too", () =>
  withRunningService(({ url }) =>
    withFolder(async (folder) => {
      const pages = await Promise.all(PAGES.flat().map((page) => read(url + page)));
      const programs = pages.flatMap(examplesIn).filter(({ language }) => language === "js");
      ok(programs.length >= 8, String(programs.length));
      for (const [at, { text }] of programs.entries()) {
        await Deno.writeTextFile(`${folder}/${at}.ts`, `${text}\nexport {};\n`);
      }
      const { code, err } = await runDeno(
        ["check", "--no-config", "--no-lock", "--allow-import", "."],
        { cwd: folder, env: { DENO_DIR: `${folder}/.deno` } },
      );
      equal(code, 0, err);
    })
  ));

Deno.test("the files that the page names make a client that runs from a folder", () =>
  withRunningService(async ({ url }) => {
    const download = examplesIn(await read(`${url}/developers`))
      .find(({ text }) => text.includes("client.d.ts"))!;
    const { files } = await run(download, url);
    deepEqual(Object.keys(files).sort(), ["api.d.ts", "client.d.ts", "client.js"]);
    await withFolder(async (folder) => {
      for (const [name, text] of Object.entries(files)) {
        await Deno.writeTextFile(`${folder}/${name}`, text);
      }
      const { byClient } = await quickStart(url);
      const { text } = changed(byClient, [`${url}/assets/client.js`, "./client.js"]);
      await Deno.writeTextFile(`${folder}/main.ts`, text);
      const { code, out, err } = await runDeno(
        ["run", "--check", "--no-lock", `--allow-net=${new URL(url).host}`, "main.ts"],
        { cwd: folder },
      );
      equal(code, 0, err);
      equal(out, "false\n");
    });
  }));

Deno.test("the quick start says what is wrong with a lead", () =>
  withRunningService(async ({ url }) => {
    for (const example of Object.values(await quickStart(url))) {
      const { out } = await run(changed(example, ["Example Ltd", "x".repeat(121)]), url);
      match(out, /^invalid_lead Correct what details\.issues names; .* (?:null|undefined)\n$/);
    }
  }));

Deno.test("the quick start says how long to wait", () =>
  withRunningService(async ({ url }) => {
    const { byFetch, byClient } = await quickStart(url);
    equal((await run(byFetch, url)).out, "false\n");
    for (const example of [byFetch, byClient]) {
      const { out } = await run(example, url);
      match(out, /^rate_limited Wait as many seconds as .* (?:2\d\d|300)\n$/);
    }
  }, { LEAD_RATE_LIMIT: "1/5m" }));

Deno.test("the quick start says that a lead is held nowhere", () =>
  withApp((app) =>
    withServedApp(app, async (url) => {
      for (const example of Object.values(await quickStart(url))) {
        const local = changed(example, [SITE_URL, url]);
        // Of a test lead nothing is held in any case.
        const { out, err } = await run(changed(local, ["example.invalid", "example.com"]), url);
        match(out, /^lead_not_stored Send the same lead again in a minute; .*\n$/, err);
      }
    }), { wrapKv: brokenKv }));

Deno.test("curl --retry waits as Retry-After says", () =>
  withRunningService(async ({ url }) => {
    const [byCurl] = examplesIn(await read(`${url}/docs`));
    equal((await run(byCurl!, url)).err, "200\n");
    equal((await run(changed(byCurl!, ["curl ", "curl --retry 2 "]), url)).err, "200\n");
  }, { LEAD_RATE_LIMIT: "1/3s" }));

Deno.test("an example that does not do what the page says is found", () =>
  withRunningService(async ({ url }) => {
    const health = `curl ${url}/api/health`;
    const wrong = [
      `\`\`\`bash\ncurl ${url}/api/nope\n\`\`\``,
      `\`\`\`bash\n${health}\n\`\`\`\n\nprints\n\n\`\`\`json\n{"ok":false}\n\`\`\``,
      `\`\`\`bash\n${health} > /dev/null\n\`\`\``,
      `\`\`\`bash\nno-such-program\n\`\`\``,
      "```js\nconsole.log(1); // 2\n```",
      "```js\nconsole.log(1);\n```",
      '```js\nlet a = 1; // 1\n```\n\n```js\nthrow new Error("1");\n```',
      `\`\`\`js\nawait fetch("${new URL(url).origin.replace("127.0.0.1", "127.0.0.2")}");\n\`\`\``,
      `\`\`\`js\nimport "${url}/assets/nope.js";\n\`\`\``,
    ];
    for (const text of wrong) {
      const faults = await Promise.all(examplesIn(text).map((one) => faultOf(one, url)));
      ok(faults.some((fault) => fault !== undefined), text);
    }
  }));
