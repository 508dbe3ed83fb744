/** @module A text that one language lacks: every page is served, and check and doctor name it. */

import { match, ok, strictEqual as equal } from "node:assert/strict";
import { copyProject } from "../support/checkout.ts";
import { startService, withFolder } from "../support/service.ts";
import { runTask } from "../support/start_task.ts";

const WORDS = "static/words/de.json";
const DOCS = "static/pages/de/docs.md";

/** What is removed, where the default language's text is then shown, and how the problem is named. */
const MISSING: readonly (readonly [path: string, shown: RegExp, named: RegExp])[] = [
  [
    "/de/docs/reference",
    /<td>Where to reply\./,
    /^.*de\/docs\/reference\.md:\d+: .*need a translation .*de\.json:$/m,
  ],
  [
    "/de/contact",
    /<a class="skip"[^>]*>Skip to/,
    /^.*words\/de\.json:\d: the text `frame\.skip` is/m,
  ],
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

/** Files that cannot be read. The service serves the rest without the first two; pages, it requires. */
const UNREADABLE = ["assets/photo.png", "styles/text.css", "pages/de/news.md"];

Deno.test("what a language lacks is shown in English; it and unreadable files take no page down, and are named", () =>
  withFolder(async (folder) => {
    await copyProject(folder);
    const [photo, style, news] = UNREADABLE.map((name) => `${folder}/static/${name}`);
    const words = JSON.parse(await Deno.readTextFile(`${folder}/${WORDS}`));
    delete words.description["Where to reply."];
    delete words.frame.skip;
    await Deno.writeTextFile(`${folder}/${WORDS}`, JSON.stringify(words, null, 2));
    const docs = await Deno.readTextFile(`${folder}/${DOCS}`);
    await Deno.writeTextFile(`${folder}/${DOCS}`, docs.replace(/^description: .*\n/m, ""));
    await Deno.symlink("nowhere.png", photo!);
    await Deno.remove(style!);
    const service = await startService(folder, {}, { project: `${folder}/` });
    try {
      const paths = ["/", "/docs", "/de", "/llms-full.txt", "/de/llms-full.txt", "/sitemap.xml"];
      for (const path of paths) await textAt(service.url + path);
      for (const [path, shown] of MISSING) match(await textAt(service.url + path), shown);
    } finally {
      equal(await service.end(), 0, "it did not end by itself");
    }
    await Deno.symlink("nowhere.md", news!);
    const page = `${folder}/static/pages/de/security.md`;
    await Deno.writeFile(page, new Uint8Array([0xff]), { append: true });
    await Promise.all(["check:pages", "doctor --no-send"].map(async (line) => {
      const { code, out, err } = await runTask(line, { cwd: folder });
      equal(code, 1);
      for (const [, , named] of MISSING) match(out + err, named);
      for (const name of UNREADABLE) {
        match(out + err, new RegExp(`static/${name}:1: the file cannot be read: `), line);
      }
      match(out + err, /static\/pages\/de\/security\.md:\d+: these bytes are not UTF-8/);
      ok(!(out + err).includes(folder), out + err);
    }));
  }));
