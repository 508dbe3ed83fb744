/** @module One language, three, and texts that one lacks: check names what is missing, every page is served. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { copyFolder, copyProject } from "../support/checkout.ts";
import { startService, withFolder } from "../support/service.ts";
import { runTask } from "../support/start_task.ts";

const PICTURES = /^static\/assets\/og\..*\n/gm;

async function withLanguages(
  languages: readonly string[],
  use: (folder: string) => Promise<void>,
): Promise<void> {
  await withFolder(async (folder) => {
    await copyProject(folder);
    const file = `${folder}/static/site.json`;
    const site = JSON.parse(await Deno.readTextFile(file));
    await Deno.writeTextFile(file, JSON.stringify({ ...site, languages }));
    await use(folder);
  });
}

/** What the check says, without pictures. */
async function problemsOf(folder: string): Promise<string> {
  const { err } = await runTask("check:pages", { cwd: folder });
  return err.replace(PICTURES, "");
}

Deno.test("a site in German alone has no trace of English, and one file was changed", () =>
  withLanguages(["de"], async (folder) => {
    match(await problemsOf(folder), /^static\/site\.json:1: languages lacks en, so [^\n]*\n$/);
    const service = await startService(folder, {}, { project: `${folder}/` });
    try {
      const ask = (path: string, accept = "*/*") =>
        fetch(service.url + path, { headers: { accept } });
      for (const path of ["/de", "/de/docs", "/en", "/404", "/de/llms.txt"]) {
        for (const accept of ["text/html", "text/markdown"]) {
          const response = await ask(path, accept);
          equal(response.status, 404, path);
          match(await response.text(), /# Seite nicht gefunden|<h1[^>]*>Seite nicht gefunden/);
        }
      }
      const paths = [
        "/",
        "/docs",
        "/developers",
        "/contact",
        "/privacy",
        "/llms.txt",
        "/sitemap.md",
      ];
      for (const path of [...paths, "/sitemap.xml", "/api/site", "/.well-known/api-catalog"]) {
        const response = await ask(path);
        equal(response.status, 200, path);
        const text = `${response.headers.get("link")} ${await response.text()}`;
        const [trace] =
          /class="languages"|hreflang="(?!de)|hreflang="[^"]*"; type|x-default|locale:alternate|\/de\/|Englisch(?! |,)|## Deutsch|Skip to/
            .exec(text) ?? [];
        equal(trace, undefined, path);
      }
      match(await (await ask("/contact")).text(), /an die Sie|auf Deutsch\./);
      match(await (await ask("/.well-known/security.txt")).text(), /^Preferred-Languages: de$/m);
      const home = await ask("/");
      equal(home.headers.get("content-language"), "de");
      match(await home.text(), /"inLanguage":\["de"\]/);
      const skill = await (await ask("/.well-known/agent-skills/send-an-enquiry/SKILL.md")).text();
      match(skill, /"locale":"de"/);
      const openapi = await (await ask("/openapi.json")).json();
      deepEqual(openapi.components.schemas.LeadRequest.properties.locale.enum, ["de"]);
    } finally {
      await service.end();
    }
  }));

Deno.test("a third language needs its pages and its words, and no line of code", () =>
  withLanguages(["en", "de", "fr"], async (folder) => {
    const words = `${folder}/static/words/fr.json`;
    const nothing = await problemsOf(folder);
    match(nothing, /^static\/pages\/fr\/404\.md:1: this page is missing/m);
    match(nothing, /^static\/pages\/en\/about\.md:1: its translation fr\/about\.md is missing/m);
    match(nothing, /^static\/words\/fr\.json:1: the file is missing/m);
    const source = await Deno.readTextFile(`${folder}/static/words/de.json`);
    await copyFolder(
      new URL("../../static/pages/de/", import.meta.url),
      `${folder}/static/pages/fr`,
    );
    await Deno.writeTextFile(words, source.replace('"menu":', "menu:"));
    match(await problemsOf(folder), /^static\/words\/fr\.json:7: no JSON: /m);
    await Deno.writeTextFile(words, source);
    equal(await problemsOf(folder), "");
    const service = await startService(folder, {}, { project: `${folder}/` });
    try {
      const html = await (await fetch(`${service.url}/fr/docs`)).text();
      for (const language of ["en", "de", "fr", "x-default"]) {
        ok(html.includes(`<link rel="alternate" hreflang="${language}"`), language);
      }
      match(html, /<html lang="fr">/);
      equal(
        (await (await fetch(`${service.url}/fr/llms.txt`)).text()).includes("/fr/docs.md"),
        true,
      );
    } finally {
      await service.end();
    }
  }));

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
