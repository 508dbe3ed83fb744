/** @module What is read from `static/`: folders in folders, and the stylesheet from its parts. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { assetFiles, filesBelow, pageFiles } from "../../site/files.ts";

const STYLES = new URL("../../static/styles/", import.meta.url);

Deno.test("the stylesheet holds every file of static/styles whole, once, and nothing else", async () => {
  const names = await filesBelow(STYLES);
  const parts = await Promise.all(names.map((name) => Deno.readTextFile(new URL(name, STYLES))));
  let rest = new TextDecoder().decode(await assetFiles.read("site.css"));
  for (const [index, part] of parts.entries()) {
    const pieces = rest.split(part);
    equal(pieces.length, 2, names[index]);
    rest = pieces.join("");
  }
  equal(rest.trim(), "");
});

Deno.test("the stylesheet is listed among the assets once, its parts are not", async () => {
  const listed = await assetFiles.list();
  deepEqual(listed.filter((name) => name.endsWith(".css")), ["site.css"]);
});

Deno.test("every page source that is listed can be read", async () => {
  const listed = await pageFiles.list();
  equal(listed.includes("en/index.md"), true);
  for (const name of listed) equal((await pageFiles.read(name)).startsWith("---\n"), true, name);
});

Deno.test("files are found in folders of folders, by their path, hidden ones left out", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${folder}/en/guides/.git`, { recursive: true });
    const files = ["note.txt", "en/index.md", "en/guides/first.md"];
    for (const name of [...files, ".hidden", "en/guides/.git/config"]) {
      await Deno.writeTextFile(`${folder}/${name}`, "");
    }
    const found = await filesBelow(new URL(`file://${folder}/`));
    deepEqual(found.sort(), files.toSorted());
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
