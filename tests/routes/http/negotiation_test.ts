/** @module Which representation each Accept field gets: a table. */

import assert from "node:assert/strict";
import { chooseRepresentation, type Representation } from "../../../routes/http/negotiation.ts";
import { send } from "../../support/send.ts";

const CASES: readonly (readonly [accept: string | null, expected: Representation])[] = [
  // What browsers and tools send
  [null, "html"],
  ["", "html"],
  ["*/*", "html"],
  ["text/html", "html"],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "html"],
  ["application/json", "html"],
  // What agents send
  ["text/markdown", "markdown"],
  ["text/markdown, text/html, */*", "markdown"],
  ["text/markdown, text/plain;q=0.9, */*;q=0.8", "markdown"],
  ["text/markdown;q=1.0, text/html;q=0.9, text/plain;q=0.8, */*;q=0.1", "markdown"],
  ["text/plain", "html"],
  // Quality decides, order does not
  ["text/html, text/markdown", "markdown"],
  ["text/html;q=0.9, text/markdown;q=0.8", "html"],
  ["text/markdown;q=0.8, text/html;q=0.9", "html"],
  ["text/markdown;q=0.9, text/html;q=0.9", "markdown"],
  ["text/markdown;q=0.5", "markdown"],
  ["text/markdown;q=0.001", "markdown"],
  ["text/markdown;q=0.5, text/html;q=0", "markdown"],
  // Zero refuses
  ["text/markdown;q=0", "html"],
  ["text/markdown;q=0.000", "html"],
  ["text/markdown;q=0, text/html;q=0", "html"],
  ["text/markdown;q=0, */*", "html"],
  // Wildcards stand for HTML, and the most specific range counts
  ["text/*", "html"],
  ["text/*, text/markdown;q=0.5", "html"],
  ["*/*;q=0.5, text/markdown;q=0.5", "markdown"],
  ["*/*, text/markdown;q=0.5", "html"],
  ["*/*, text/html;q=0.1, text/markdown;q=0.5", "markdown"],
  ["*/*, text/*;q=0.1, text/markdown;q=0.5", "markdown"],
  // Twice named: the higher one
  ["text/markdown;q=0.1, text/markdown;q=0.9, text/html;q=0.5", "markdown"],
  // Letter case, white space, parameters
  ["TEXT/Markdown", "markdown"],
  ["  text/markdown ;  Q=0.9 , text/html;q=0.8", "markdown"],
  ["text/markdown;charset=utf-8", "markdown"],
  ["text/markdown;variant=GFM;q=0.2, text/html;q=0.3", "html"],
  ['text/markdown;note="a, b;q=0", text/html;q=0.5', "markdown"],
  ['text/html;note="text/markdown, text/markdown"', "html"],
  ['text/markdown;note="a\\", b";q=0.2, text/html;q=0.3', "html"],
  // Malformed, as Hono reads it: below 0 is 0, other qualities are 1
  [",,, text/markdown ,,", "markdown"],
  ["text/markdown;q=-1", "html"],
  ["text/markdown;q=2", "markdown"],
  ["text/markdown;q=abc, text/html;q=0.9", "markdown"],
  ["text/markdown;q=abc", "markdown"],
  ["text/markdown;q=", "markdown"],
  ["text/markdown;q=0.1234", "markdown"],
  ["text/markdown;q=0.1234, text/html;q=0.1235", "html"],
  ["text/markdownx", "html"],
  ["xtext/markdown", "html"],
  ["markdown", "html"],
  ["text / markdown", "html"],
];

Deno.test("Accept chooses markdown only where it is named, and not below HTML", async () => {
  for (const [accept, expected] of CASES) {
    const headers = accept === null ? {} : { accept };
    const response = await send((c) => c.text(chooseRepresentation(c)), { headers });
    assert.equal(await response.text(), expected, `${accept}`);
  }
});
