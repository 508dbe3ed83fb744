/** @module The URL scheme: a file's language, paths and markdown siblings. */

import assert from "node:assert/strict";
import { addressOf, localeOfPath } from "../../site/page_path.ts";

for (
  const [file, path, markdownPath, markdownAliases] of [
    ["en/index.md", "/", "/index.md", ["/.md", "/index.html.md"]],
    ["en/docs.md", "/docs", "/docs.md", []],
    ["de/index.md", "/de", "/de/index.md", ["/de.md", "/de/index.html.md"]],
    ["de/docs.md", "/de/docs", "/de/docs.md", []],
    ["en/guides/index.md", "/guides", "/guides/index.md", ["/guides.md", "/guides/index.html.md"]],
    ["de/guides/first-agent.md", "/de/guides/first-agent", "/de/guides/first-agent.md", []],
  ] as const
) {
  Deno.test(`${file} is served at ${path}`, () => {
    const address = addressOf(file);
    assert.deepEqual(
      [address.path, address.markdownPath, address.markdownAliases],
      [path, markdownPath, markdownAliases],
    );
  });
}

for (
  const file of ["fr/index.md", "index.md", "en/Docs.md", "en/a b.md", "en/../x.md", "en/a.txt"]
) {
  Deno.test(`${file} has no place in the URL scheme`, () => {
    assert.throws(
      () => addressOf(file),
      /Cannot read static\/pages\/.*: the name is not one of en/,
    );
  });
}

Deno.test("a path asks for the language of its first segment", () => {
  assert.equal(localeOfPath("/de"), "de");
  assert.equal(localeOfPath("/de/x"), "de");
  for (const path of ["/", "/x", "/design", "/en/x", "/x/de"]) {
    assert.equal(localeOfPath(path), "en");
  }
});
