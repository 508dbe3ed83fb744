/** @module The index of the search has the text of every page, and is small. */

import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { pageFiles } from "../../site/files.ts";
import { LOCALES } from "../../schemas/site_data.ts";
import { searchIndexOf } from "../../site/search_index.ts";
import { Site } from "../../site/site.ts";
import { FACTS, pagesOf, pageText } from "./fixture.ts";

Deno.test("searchIndexOf() has headings, rows of error codes and their texts, without code", async () => {
  const text =
    "# Title\n\nIntro & <b>.\n\n## Größe?\n\n| A |\n| --- |\n| cell |\n\n```sh\ncode\n```\n\n" +
    "## Café\n\n### Deep\n\n#### Below\n\nend\n\n| `code` | B |\n| --- | --- |\n| [`x_y`](#error-x_y) | why |\n";
  const site = await Site.read(pagesOf({ "en/docs.md": pageText(text) }), FACTS);
  deepEqual(await searchIndexOf("en", site), [["/docs", [
    ["Title", "Intro & <b>."],
    ["Größe?", "cell"],
    ["Café", "", "cafe"],
    ["Deep", "Below end"],
    ["x_y", "why", "error-x_y"],
  ]]]);
});

for (const locale of LOCALES) {
  Deno.test(`the index in ${locale} has every page, in 15 KB as it is sent`, async () => {
    const site = await Site.read(pageFiles, FACTS);
    const index = await searchIndexOf(locale, site);
    deepEqual(index.map(([path]) => path), site.pagesIn(locale).map(({ path }) => path));
    const coded = new Blob([JSON.stringify(index)]).stream()
      .pipeThrough(new CompressionStream("brotli" as CompressionFormat));
    const { byteLength } = await new Response(coded).bytes();
    ok(byteLength <= 15 * 1024, `${byteLength} bytes`);
  });
}
