/** @module What the documents refer to exists: files, headings, tests that run their commands. */

import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { Marked, walkTokens } from "marked";
import { filesBelow } from "../../site/files.ts";
import { commandsIn, DOCUMENTS, textOf } from "./document.ts";

const ROOT = new URL("../../", import.meta.url);
const ALL = [...DOCUMENTS, "CHANGELOG.md", "contract/README.md", "contract/CHANGELOG.md"];

function exists(path: string): Promise<boolean> {
  return Deno.stat(new URL(path, ROOT)).then(() => true, () => false);
}

/** The anchors that GitHub gives the headings of a document. */
async function anchorsOf(document: string): Promise<Set<string>> {
  const headings = (await textOf(document)).matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, title = ""]) =>
      title.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-")
    ),
  );
}

Deno.test("links lead to files and headings that exist", async () => {
  const dead: string[] = [];
  for (const document of ALL) {
    const links: string[] = [];
    walkTokens(new Marked().lexer(await textOf(document)), (token) => {
      if (token.type === "link") links.push(token["href"]);
    });
    for (const href of links.filter((href) => !/^\w+:/.test(href))) {
      const url = new URL(href, new URL(document, ROOT));
      const path = url.pathname.slice(ROOT.pathname.length);
      const found = await exists(path) && (url.hash === "" ||
        (await anchorsOf(path)).has(decodeURIComponent(url.hash.slice(1))));
      if (!found) dead.push(`${document}: ${href}`);
    }
  }
  deepEqual(dead, []);
});

Deno.test("source files that documents name exist", async () => {
  const missing: string[] = [];
  for (const document of DOCUMENTS) {
    const names = (await textOf(document)).matchAll(/`((?:[a-z_]+\/)+[a-z_]+\.(?:ts|yaml|json))`/g);
    for (const [, path] of names) if (!await exists(path!)) missing.push(`${document}: ${path}`);
  }
  deepEqual(missing, []);
});

Deno.test("a test runs the commands under each heading", async () => {
  const sources = filesBelow(new URL("tests/", ROOT).pathname).filter((path) =>
    path.endsWith(".ts")
  );
  const tests = await Promise.all(sources.map((path) => textOf(`tests/${path}`)));
  const left: string[] = [];
  for (const document of DOCUMENTS) {
    for (const heading of (await commandsIn(document)).keys()) {
      const call = `documented("${document}", "${heading}")`;
      if (!tests.some((text) => text.includes(call))) left.push(`${document}: ${heading}`);
    }
  }
  deepEqual(left, []);
});
