/** @module The check of all sources: every kind of fault is found, with file and line. */

import { deepStrictEqual as deepEqual, ok, rejects } from "node:assert/strict";
import { checkSite } from "../../site/check.ts";
import { requireSoundSources, sourceFaults } from "../../site/source_faults.ts";
import { FACTS, pagesOf, pageText } from "./fixture.ts";

const SOUND = {
  "en/index.md": pageText("# Home\n\n[docs](/docs#part) [api](/openapi.json) [top](#home)\n"),
  "de/index.md": pageText("# Start\n\n[docs](/de/docs)\n"),
  "en/docs.md": pageText("# Docs\n\n## Part\n\n[markdown](/docs.md)\n"),
  "de/docs.md": pageText("# Doku\n\n[English](/docs) [llms](/llms.txt)\n"),
};

function check(
  files: Record<string, string>,
  knownPaths = ["/openapi.json", "/llms.txt"],
): Promise<string[]> {
  return checkSite(pagesOf({ ...SOUND, ...files }), { facts: FACTS, knownPaths });
}

Deno.test("a sound site has no faults: its pages may link to themselves in the other language", async () => {
  deepEqual(await check({}), []);
});

const NO_FIELD = "---\ntitle: D\nupdated: 2026-11-21\n---\n";
const SHORT = pageText("# D\n", { description: "Short." });
const BELOW = pageText("# D\n\n{{api_reference}}\n\n[b](/nope)\n");

for (
  const [file, text, fault] of [
    ["en/new.md", pageText("# New\n"), "1: de/new.md is missing"],
    ["en/docs.md", "# Docs\n", "1: front matter between two `---` lines is missing"],
    ["de/docs.md", NO_FIELD, "4: front matter lacks `description`"],
    ["de/docs.md", pageText("# D\n", { color: "red" }), "5: front matter holds a member other"],
    ["de/docs.md", pageText("# D\n\n{{nope}}\n"), "9: the placeholder `nope`"],
    ["de/docs.md", pageText("# D\n\na\n[b](/nope)\n"), "10: the link leads nowhere: /nope"],
    ["en/docs.md", BELOW, "11: the link leads nowhere: /nope"],
    ["de/docs.md", pageText("# D\n\n[b](/docs#no)\n"), "9: the link leads to a heading that does"],
    ["de/docs.md", pageText("# D\n\n[b](#no)\n"), "9: the link leads to a heading that does"],
    ["de/docs.md", pageText("# D\n\n[b](/llms.txt#a)\n"), "9: the link leads to a heading that"],
    [
      "de/index.md",
      pageText("# D\n\n[b](/docs#part)\n"),
      "9: the link leads to another language: /docs; here it is /de/docs",
    ],
    [
      "en/docs.md",
      pageText("# D\n\n[b](/de.md)\n"),
      "9: the link leads to another language: /de.md; here it is /index.md",
    ],
    ["de/docs.md", pageText("# D\n\n[b](javascript:x)\n"), "9: a link is neither a path from /"],
    ["de/docs.md", pageText("# D\n\n[b](docs)\n"), "9: a link is neither a path from /"],
    ["de/docs.md", pageText("# D\n\n[b](\n/docs)\n"), "7: the link to /docs is not in the form"],
    ["de/docs.md", pageText("Text\n"), "7: the text does not begin with its one"],
    ["de/docs.md", pageText("Text\n\n# D\n"), "7: the text does not begin with its one"],
    ["de/docs.md", pageText("# A\n\n# B\n"), "7: the text does not begin with its one"],
    ["de/docs.md", SHORT, "1: `description` has not 50 to 200 characters"],
    ["de/docs.txt", "Doku", "1: this is no page: its name does not end in `.md`"],
    ["en/Docs.md", pageText("# D\n"), "1: the name is not one of en, de"],
  ] as const
) {
  Deno.test(`the check says of ${file}:${fault}`, async () => {
    const faults = await check({ [file]: text });
    const expected = `static/pages/${file}:${fault}`;
    ok(faults.some((message) => message.startsWith(expected)), faults.join("\n"));
  });
}

Deno.test("descriptions have 50 to 200 characters", async () => {
  const faults = await Promise.all(
    [49, 50, 200, 201].map((length) =>
      check({ "de/docs.md": pageText("# Doku\n", { description: "x".repeat(length) }) })
    ),
  );
  deepEqual(faults.map(({ length }) => length), [1, 0, 0, 1]);
});

Deno.test("links to a page that cannot be read are no faults of their own", async () => {
  deepEqual(await check({ "en/docs.md": "# Docs\n" }), [
    "static/pages/en/docs.md:1: front matter between two `---` lines is missing",
  ]);
});

Deno.test("a path belongs to one page, and not to another route as well", async () => {
  const twice = { "en/docs/index.md": pageText("# D\n"), "de/docs/index.md": pageText("# D\n") };
  const place = "static/pages/en/docs.md:1: /docs already belongs to";
  ok((await check(twice)).includes(`${place} en/docs/index.md`));
  const known = ["/docs", "/openapi.json", "/llms.txt"];
  deepEqual(await check({}, known), [`${place} another route`]);
});

Deno.test("a start needs home and contact form in each language, and sources that can be read", async () => {
  const contact = pageText("# Contact\n\n{{api_reference}} [dead](/nope)\n");
  const sound = { ...SOUND, "en/contact.md": contact, "de/contact.md": contact };
  await requireSoundSources(pagesOf(sound), FACTS);
  const { "de/index.md": _, ...others } = sound;
  const faulty = {
    ...others,
    "en/docs.md": "# Docs\n",
    "en/notes.txt": "",
    "de/docs.md": pageText("{{a}}\n"),
  };
  const faults = await sourceFaults(pagesOf(faulty), FACTS);
  deepEqual(faults.map((fault) => fault.split(";")[0]), [
    "static/pages/de/index.md:1: there is no such page",
    "static/pages/de/docs.md:7: the placeholder `a` is unknown",
    "static/pages/en/docs.md:1: front matter between two `---` lines is missing",
  ]);
  await rejects(requireSoundSources(pagesOf(faulty), FACTS), {
    message: `Cannot use the pages:\n${faults.map((fault) => `  ${fault}`).join("\n")}`,
  });
  const gone = { ...pagesOf(sound), read: () => Promise.reject(new Error("no disk")) };
  await rejects(requireSoundSources(gone, FACTS), { message: "Cannot read the pages: no disk" });
});
