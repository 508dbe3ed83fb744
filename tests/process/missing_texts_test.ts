/** @module A text that one language lacks: every page is served, and check and doctor name it. */

import { match, ok, strictEqual as equal } from "node:assert/strict";
import { copyProject } from "../support/checkout.ts";
import { runDeno } from "../support/command.ts";
import { startService, withFolder } from "../support/service.ts";

const WORDS = "static/words/de.json";
const DOCS = "static/pages/de/docs.md";

/** What is removed, where the default language's text is then shown, and how the problem is named. */
const MISSING: readonly (readonly [path: string, shown: RegExp, named: RegExp])[] = [
  [
    "/de/docs/reference",
    /<td>Where to reply\./,
    /^.*de\/docs\/reference\.md:\d+: .*need a translation .*de\.json:$/m,
  ],
  ["/de/contact/sent", /<h1[^>]*>Thank you/, /^.*words\/de\.json:1: the text `form\.sent` is/m],
  [
    "/de/docs.md",
    /\ndescription: "How to send a lead to .*"\n/,
    /^.*de\/docs\.md:\d+: .* `description: …`/m,
  ],
];

async function textAt(url: string): Promise<string> {
  const response = await fetch(url);
  const text = await response.text();
  equal(response.status, 200, text);
  return text;
}

Deno.test("a text that a language lacks is shown in English, and takes no page down", () =>
  withFolder(async (folder) => {
    await copyProject(folder);
    const words = JSON.parse(await Deno.readTextFile(`${folder}/${WORDS}`));
    delete words.description["Where to reply."];
    delete words.form.sent;
    await Deno.writeTextFile(`${folder}/${WORDS}`, JSON.stringify(words));
    const docs = await Deno.readTextFile(`${folder}/${DOCS}`);
    await Deno.writeTextFile(`${folder}/${DOCS}`, docs.replace(/^description: .*\n/m, ""));
    const reports = ["check:pages", "doctor --no-send"].map((line) =>
      runDeno(["task", "-q", ...line.split(" ")], { cwd: folder })
    );
    const service = await startService(folder, {}, { project: `${folder}/` });
    try {
      const paths = ["/", "/docs", "/de", "/llms-full.txt", "/de/llms-full.txt", "/sitemap.xml"];
      for (const path of paths) await textAt(service.url + path);
      for (const [path, shown] of MISSING) match(await textAt(service.url + path), shown);
    } finally {
      equal(await service.end(), 0, "it did not end by itself");
    }
    for (const { code, out, err } of await Promise.all(reports)) {
      equal(code, 1);
      for (const [, , named] of MISSING) match(out + err, named);
    }
  }));

Deno.test("check and doctor name a file of static/ that cannot be read, and the rest is served", () =>
  withFolder(async (folder) => {
    await copyProject(folder);
    await Deno.symlink("nowhere.png", `${folder}/static/assets/photo.png`);
    await Deno.remove(`${folder}/static/styles/text.css`);
    const service = await startService(folder, {}, { project: `${folder}/` });
    try {
      for (const path of ["/", "/de/docs"]) await textAt(service.url + path);
    } finally {
      await service.end();
    }
    await Deno.symlink("nowhere.md", `${folder}/static/pages/de/news.md`);
    const bytes = await Deno.readFile(`${folder}/${DOCS}`);
    await Deno.writeFile(`${folder}/${DOCS}`, new Uint8Array([...bytes, 0xff]));
    for (const line of ["check:pages", "doctor --no-send"]) {
      const { out, err } = await runDeno(["task", "-q", ...line.split(" ")], { cwd: folder });
      for (const name of ["assets/photo.png", "styles/text.css", "pages/de/news.md"]) {
        match(out + err, new RegExp(`static/${name}:1: the file cannot be read: `), line);
      }
      match(out + err, /static\/pages\/de\/docs\.md:\d+: these bytes are not UTF-8/);
      ok(!(out + err).includes(folder), out + err);
    }
  }));
