/** @module Listing folders, and the stylesheet from its parts. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { assetFiles, filesBelow } from "../../site/files.ts";
import { withFolder } from "../support/service.ts";

const STYLES = new URL("../../static/styles/", import.meta.url);

Deno.test("the stylesheet has every file of static/styles once, without comments and indents", async () => {
  const listed = await assetFiles.list();
  deepEqual(listed.filter((name) => name.endsWith(".css")), ["site.css"]);
  const sheet = new TextDecoder().decode(await assetFiles.read("site.css"));
  ok(!/\/\*|^\s/m.test(sheet));
  const bare = (text: string) => text.replace(/\/\*[^]*?\*\/|\s/g, "");
  let rest = bare(sheet);
  for (const name of await filesBelow(STYLES.pathname)) {
    const pieces = rest.split(bare(await Deno.readTextFile(new URL(name, STYLES))));
    equal(pieces.length, 2, name);
    rest = pieces.join("");
  }
  equal(rest, "");
});

Deno.test("filesBelow() lists files of nested folders by path, without hidden ones", () =>
  withFolder(async (folder) => {
    await Deno.mkdir(`${folder}/en/guides/.git`, { recursive: true });
    await Deno.mkdir(`${folder}/en/50% #1`);
    const files = ["en/50% #1/why?.md", "en/guides/first.md", "en/index.md", "note.txt"];
    for (const name of [...files, ".hidden", "en/guides/.git/config"]) {
      await Deno.writeTextFile(`${folder}/${name}`, "");
    }
    deepEqual((await filesBelow(`${folder}/`)).sort(), files);
  }));
