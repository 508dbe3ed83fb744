/** @module What is read from `static/`: folders in folders, and the stylesheet from its parts. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { assetFiles, filesBelow, pageFiles } from "../../site/files.ts";
import { withFolder } from "../support/service.ts";

const STYLES = new URL("../../static/styles/", import.meta.url);

Deno.test("the stylesheet is one asset, which holds every file of static/styles whole and once", async () => {
  const listed = await assetFiles.list();
  deepEqual(listed.filter((name) => name.endsWith(".css")), ["site.css"]);
  let rest = new TextDecoder().decode(await assetFiles.read("site.css"));
  for (const name of await filesBelow(STYLES)) {
    const pieces = rest.split(await Deno.readTextFile(new URL(name, STYLES)));
    equal(pieces.length, 2, name);
    rest = pieces.join("");
  }
  equal(rest.trim(), "");
});

Deno.test("every page source that is listed can be read", async () => {
  const listed = await pageFiles.list();
  equal(listed.includes("en/index.md"), true);
  for (const name of listed) equal((await pageFiles.read(name)).startsWith("---\n"), true, name);
});

Deno.test("files are found in folders of folders, by their path, hidden ones left out", () =>
  withFolder(async (folder) => {
    await Deno.mkdir(`${folder}/en/guides/.git`, { recursive: true });
    const files = ["en/guides/first.md", "en/index.md", "note.txt"];
    for (const name of [...files, ".hidden", "en/guides/.git/config"]) {
      await Deno.writeTextFile(`${folder}/${name}`, "");
    }
    deepEqual((await filesBelow(new URL(`file://${folder}/`))).sort(), files);
  }));
