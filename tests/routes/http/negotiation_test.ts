/** @module chooseRepresentation(): a table. Further fields are in `contract/cases/accept.yaml`. */

import assert from "node:assert/strict";
import { chooseRepresentation, type Representation } from "../../../routes/http/negotiation.ts";
import { send } from "../../support/send.ts";

const CASES: readonly (readonly [accept: string | null, expected: Representation])[] = [
  [null, "html"],
  ["*/*", "html"],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "html"],
  ["text/markdown", "markdown"],
  // Quality decides, not order
  ["text/html, text/markdown", "markdown"],
  ["text/markdown;q=0.8, text/html;q=0.9", "html"],
  ["text/markdown;q=0.001", "markdown"],
  ["text/markdown;q=0, text/html;q=0", "html"],
  // Wildcards count as HTML, the most specific range first
  ["text/*, text/markdown;q=0.5", "html"],
  ["*/*, text/markdown;q=0.5", "html"],
  ["*/*, text/html;q=0.1, text/markdown;q=0.5", "markdown"],
  ["*/*, text/*;q=0.1, text/markdown;q=0.5", "markdown"],
  // Listed twice: the higher quality
  ["text/markdown;q=0.1, text/markdown;q=0.9, text/html;q=0.5", "markdown"],
  // Letter case, parameters, lookalikes
  ["TEXT/Markdown ;  Q=0.9 , text/html;q=0.8", "markdown"],
  ['text/html;note="text/markdown, text/markdown"', "html"],
];

Deno.test("chooseRepresentation() chooses markdown only if it is listed, and not below HTML", async () => {
  for (const [accept, expected] of CASES) {
    const headers = accept === null ? {} : { accept };
    const response = await send((c) => c.text(chooseRepresentation(c)), { headers });
    assert.equal(await response.text(), expected, `${accept}`);
  }
});
