/** @module Accept fields as data: pages that negotiate well pass, and each way not to is found. */

import assert, { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { type CaseFile, parseCaseFile } from "../../contract/case_file.ts";
import { runFile } from "../../contract/tiers/cases.ts";
import { setUp, type Spoil } from "./small_service.ts";

const PAGES: CaseFile = parseCaseFile(
  "accept.yaml",
  `tier: cases
about: pages
negotiation:
  missing: [/missing]
  rows:
    - {accept: text/markdown, want: markdown}
    - {accept: "text/markdown;q=0, */*", want: html}
    - {accept: "text/html;q=0.5, text/markdown;q=0.5", want: markdown}
    - {accept: text/html, want: html}
`,
);

Deno.test("pages that negotiate as they should are found without fault", async () => {
  await using setting = setUp();
  equal(await runFile(setting.session, PAGES), 4);
  deepEqual(setting.findings, []);
});

/** What is spoilt, and the finding that it must be. */
const SPOILT_PAGES: readonly (readonly [what: string, finding: string, spoil: Spoil])[] = [
  ["q=0 is overlooked", "asked for html: got text/markdown instead of text/html", (got, honest) => {
    if (!got.headers.get("accept")?.includes("markdown")) return undefined;
    got.headers.set("accept", "text/markdown");
    return honest();
  }],
  [
    "Vary is lost on 304",
    "asked for html, with the entity tag: Vary lacks accept",
    without("vary", ({ status }) => status === 304),
  ],
  [
    "Vary is lost on 404",
    "asked for markdown: Vary lacks accept",
    without("vary", ({ status }) => status === 404),
  ],
  [
    "Vary is lost on HEAD",
    "asked for html: HEAD and GET differ in vary",
    (got, honest) => got.method === "HEAD" ? stripped(honest(), "vary") : undefined,
  ],
  [
    "a 304 is never given",
    "asked for html, with the entity tag: got 200 instead of 304",
    (got, honest) => {
      got.headers.delete("if-none-match");
      return honest();
    },
  ],
  [
    "both representations have one entity tag",
    "markdown with the entity tag of HTML: got 304 instead of 200",
    (got, honest) => {
      if (got.headers.has("if-none-match")) return new Response(null, { status: 304 });
      const response = honest();
      response.headers.set("etag", '"one"');
      return response;
    },
  ],
  ["there is no entity tag", "a page has no entity tag", without("etag", () => true)],
  [
    "an unknown page is always HTML",
    "asked for markdown: got text/html instead of text/markdown",
    (got, honest) => {
      if (got.path === "/missing") got.headers.set("accept", "text/html");
      return honest();
    },
  ],
  [
    "the markdown URL negotiates",
    "the markdown URL: got text/html instead of text/markdown",
    (got, honest) =>
      got.path.endsWith(".md") && got.headers.get("accept") === "text/html"
        ? new Response("<h1>Page</h1>", { headers: { "content-type": "text/html" } })
        : honest(),
  ],
  [
    "the markdown URL has another text",
    "the markdown URL: is not the markdown that is negotiated",
    (got, honest) =>
      got.path.endsWith(".md")
        ? new Response("# Other", { headers: { "content-type": "text/markdown" } })
        : honest(),
  ],
  [
    "markdown does not say its charset",
    "asked for markdown: text/markdown has no charset",
    (_got, honest) => {
      const response = honest();
      const type = response.headers.get("content-type")?.split(";", 1)[0];
      if (type !== undefined) response.headers.set("content-type", type);
      return response;
    },
  ],
  [
    "HTML is called markdown",
    "asked for markdown: what is called text/markdown is something else",
    (got, honest) => {
      const response = honest();
      response.headers.delete("content-length");
      return response.status === 200 && got.path === "/page"
        ? new Response("<h1>Page</h1>", { headers: response.headers })
        : response;
    },
  ],
];

function without(name: string, when: (response: Response) => boolean): Spoil {
  return (_got, honest) => {
    const response = honest();
    return when(response) ? stripped(response, name) : response;
  };
}

function stripped(response: Response, name: string): Response {
  response.headers.delete(name);
  return response;
}

for (const [what, finding, spoil] of SPOILT_PAGES) {
  Deno.test(`it is found when ${what}`, async () => {
    await using setting = setUp({ spoil });
    await runFile(setting.session, PAGES);
    const messages = setting.findings.map(({ message }) => message);
    assert(messages.includes(finding), messages.join("\n"));
  });
}
