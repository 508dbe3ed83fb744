/** @module The check of all sources: every kind of fault is found, with file and line. */

import assert from "node:assert/strict";
import { checkSite } from "../../site/check.ts";
import { FACTS, pagesOf, pageText } from "./fixture.ts";

const SOUND = {
  "en/index.md": pageText("# Home\n\n[docs](/docs#part) [api](/openapi.json) [top](#home)\n"),
  "de/index.md": pageText("# Start\n\n[docs](/de/docs)\n"),
  "en/docs.md": pageText("# Docs\n\n## Part\n\n[markdown](/docs.md)\n"),
  "de/docs.md": pageText("# Doku\n"),
};

function check(files: Record<string, string>): Promise<string[]> {
  return checkSite(pagesOf({ ...SOUND, ...files }), {
    facts: FACTS,
    knownPaths: ["/openapi.json", "/llms.txt"],
  });
}

Deno.test("a sound site has no faults", async () => {
  assert.deepEqual(await check({}), []);
});

Deno.test("a page may link to itself in the other language", async () => {
  const text = pageText("# Doku\n\n[English](/docs) [llms](/llms.txt)\n");
  assert.deepEqual(await check({ "de/docs.md": text }), []);
});

for (
  const [what, file, text, fault] of [
    ["a missing twin", "en/new.md", pageText("# New\n"), "1: de/new.md is missing"],
    [
      "front matter",
      "en/docs.md",
      "# Docs\n",
      "1: front matter between two `---` lines is missing",
    ],
    ["a placeholder", "de/docs.md", pageText("# Doku\n\n{{nope}}\n"), "9: the placeholder `nope`"],
    [
      "a dead link",
      "de/docs.md",
      pageText("# Doku\n\na\n[b](/nope)\n"),
      "10: the link leads nowhere",
    ],
    [
      "a dead fragment",
      "de/docs.md",
      pageText("# D\n\n[b](/docs#no)\n"),
      "9: the link leads to a hea",
    ],
    [
      "a link to another language",
      "de/index.md",
      pageText("# D\n\n[b](/docs#part)\n"),
      "9: the link leads to another language: /docs; here it is /de/docs",
    ],
    [
      "a link to the markdown of another language",
      "en/docs.md",
      pageText("# D\n\n[b](/de.md)\n"),
      "9: the link leads to another language: /de.md; here it is /index.md",
    ],
    ["an odd scheme", "de/docs.md", pageText("# D\n\n[b](javascript:x)\n"), "9: a link is neither"],
    ["a relative link", "de/docs.md", pageText("# D\n\n[b](docs)\n"), "9: a link is neither"],
    [
      "a hidden link",
      "de/docs.md",
      pageText("# D\n\n[b](\n/docs)\n"),
      "7: the link to /docs is not",
    ],
    ["no heading", "de/docs.md", pageText("Text\n"), "7: the text does not begin with its one"],
    [
      "two headings",
      "de/docs.md",
      pageText("# A\n\n# B\n"),
      "7: the text does not begin with its one",
    ],
    [
      "a short description",
      "de/docs.md",
      pageText("# D\n", { description: "Short." }),
      "1: `description` has not 50 to 200 characters",
    ],
    ["a file that is no page", "de/docs.txt", "Doku", "1: this is no page: its name does not end"],
    ["a name without a URL", "en/Docs.md", pageText("# D\n"), "1: the name is not one of"],
    [
      "a missing field",
      "de/docs.md",
      "---\ntitle: D\nupdated: 2026-11-21\n---\n",
      "4: front matter lacks `description`",
    ],
    [
      "an unknown field",
      "de/docs.md",
      pageText("# D\n", { color: "red" }),
      "5: front matter holds a member other than",
    ],
    [
      "a dead link below a placeholder of several lines",
      "en/docs.md",
      pageText("# D\n\n{{api_reference}}\n\n[b](/nope)\n"),
      "11: the link leads nowhere: /nope",
    ],
  ] as const
) {
  Deno.test(`the check finds ${what}, with file and line`, async () => {
    const faults = await check({ [file]: text });
    const expected = `static/pages/${file}:${fault}`;
    assert.ok(faults.some((message) => message.startsWith(expected)), faults.join("\n"));
  });
}

Deno.test("a page that cannot be read is one fault: links to it are none", async () => {
  const faults = await check({ "en/docs.md": "# Docs\n" });
  assert.deepEqual(faults, [
    "static/pages/en/docs.md:1: front matter between two `---` lines is missing",
  ]);
});

Deno.test("the check finds two pages with one path", async () => {
  const files = { "en/docs/index.md": pageText("# D\n"), "de/docs/index.md": pageText("# D\n") };
  assert.ok(
    (await check(files)).includes(
      "static/pages/en/docs.md:1: /docs already belongs to en/docs/index.md",
    ),
  );
});

Deno.test("the check finds a page that another route would hide", async () => {
  const source = pagesOf(SOUND);
  const faults = await checkSite(source, { facts: FACTS, knownPaths: ["/docs", "/openapi.json"] });
  assert.deepEqual(faults, [
    "static/pages/en/docs.md:1: /docs already belongs to another route",
  ]);
});
