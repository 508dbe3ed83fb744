/** @module Links in a source: found, rewritten in place, and told from unsafe ones. */

import assert from "node:assert/strict";
import { findLinks, isSafeLink, isSitePath, rewriteLinks } from "../../site/links.ts";

const TEXT = [
  '[a](/a) and ![b](/b.svg "t")', // 1
  "`[no](/no)` and ``[no](/`no)`` [c](</c>)", // 2
  "```md", // 3
  "[no](/no)", // 4
  "~~~", // 5
  "```", // 6
  "- [d](/d)", // 7
  "  ```", // 8
  "  [no](/no)", // 9
  "  ```", // 10
  "[label]: /e", // 11
  "> [f](/f)", // 12
  "| [g](/g) |", // 13
].join("\n");

Deno.test("links are found with their lines, those in code are not", () => {
  assert.deepEqual(findLinks(TEXT).map(({ href, line }) => `${line} ${href}`), [
    "1 /a",
    "1 /b.svg",
    "2 /c",
    "7 /d",
    "11 /e",
    "12 /f",
    "13 /g",
  ]);
});

Deno.test("links are rewritten in place and nothing else is touched", () => {
  assert.equal(rewriteLinks(TEXT, (href) => href), TEXT);
  assert.equal(
    rewriteLinks("x [a](/a) `[a](/a)` [b](/b)\n", (href) => `https://h.example${href}.md`),
    "x [a](https://h.example/a.md) `[a](/a)` [b](https://h.example/b.md)\n",
  );
});

Deno.test("a path of the site has one slash in front and no other host in it", () => {
  assert.ok(isSitePath("/"));
  assert.ok(isSitePath("/de/docs?a=b#c"));
  for (
    const href of ["", "docs", "//h.example", "/\\h.example", "/a\\b", "/a b", "https://h.example"]
  ) {
    assert.ok(!isSitePath(href), href);
  }
});

Deno.test("only paths, fragments, http, https and mailto are safe", () => {
  for (
    const href of ["/a", "#a", "http://h.example", "HTTPS://h.example/a", "mailto:a@h.example"]
  ) {
    assert.ok(isSafeLink(href), href);
  }
  for (const href of ["", "a", "javascript:x", " javascript:x", "data:x", "https:", "https:///a"]) {
    assert.ok(!isSafeLink(href), href);
  }
});
