/** @module checkSite() and sourceFaults() report every kind of fault with file and line. */

import { deepStrictEqual as deepEqual, match, ok, rejects } from "node:assert/strict";
import { checkSite } from "../../site/check.ts";
import { LOCALES, REQUIRED_PAGES } from "../../site/page_path.ts";
import { requireSoundSources, sourceFaults } from "../../site/source_faults.ts";
import { DESCRIPTIONS } from "../../site/words.ts";
import { FACTS, pagesOf, pageText } from "./fixture.ts";

const NO_PAGE = "there is no such page, but the service links to it";
const KNOWN = ["/openapi.json", "/llms.txt"];
const REQUIRED = LOCALES.flatMap((locale) => REQUIRED_PAGES.map((name) => `${locale}/${name}.md`));
const SOUND = {
  ...Object.fromEntries(REQUIRED.map((file) => [file, pageText("# Page\n")])),
  "en/index.md": pageText("# Home\n\n[docs](/docs#part) [api](/openapi.json) [top](#home)\n"),
  "de/index.md": pageText("# Start\n\n[docs](/de/docs)\n"),
  "en/docs.md": pageText("# Docs\n\n## Part\n\n[markdown](/docs.md)\n"),
  "de/docs.md": pageText("# Doku\n\n[English](/docs) [llms](/llms.txt)\n"),
};

function check(files: Record<string, string>, knownPaths = KNOWN): Promise<string[]> {
  return checkSite(pagesOf({ ...SOUND, ...files }), { facts: FACTS, knownPaths });
}

Deno.test("checkSite() accepts a site whose pages link to their own translations", async () => {
  deepEqual(await check({}), []);
});

const link = (href: string) => pageText(`# D\n\n[b](${href})\n`);
const BELOW = pageText("# D\n\n{{api_reference}}\n\n[b](/nope)\n");

for (
  const [file, text, fault] of [
    ["en/new.md", pageText("# New\n"), "1: de/new.md is missing"],
    ["en/docs.md", "# Docs\n", "1: front matter between two `---` lines is missing"],
    ["de/docs.md", pageText("# D\n", { label: "a: b" }), "5: front matter: Texts with `: ` must"],
    ["de/docs.md", pageText("# D\n", { color: "red" }), "5: unknown member in front matter"],
    ["de/docs.md", pageText("# D\n", { title: "a".repeat(61) }), "1: `title` must have at most 60"],
    ["de/docs.md", pageText("# D\n\n{{nope}}\n"), "9: the placeholder `nope`"],
    ["de/docs.md", pageText("# D\n\na\n[b](/nope)\n"), "10: dead link: /nope"],
    ["en/docs.md", BELOW, "11: dead link: /nope"],
    ["de/docs.md", link("/docs#no"), "9: link to a missing heading: /docs#no"],
    ["de/docs.md", link("#no"), "9: link to a missing heading: #no"],
    ["de/docs.md", link("/llms.txt#a"), "9: link to a missing heading"],
    ["de/index.md", link("/docs#part"), "9: link into another language: /docs instead of /de/docs"],
    ["en/docs.md", link("/de.md"), "9: link into another language: /de.md instead of /index.md"],
    ["de/docs.md", link("javascript:x"), "9: a link must be a path from /"],
    ["de/docs.md", link("docs"), "9: a link must be a path from /"],
    ["de/docs.md", link("\n/docs"), "7: the link to /docs must be written"],
    ...["Text\n", "Text\n\n# D\n", "# A\n\n# B\n"].map((body) =>
      ["de/docs.md", pageText(body), "7: the text must begin with its only level-1"] as const
    ),
    ["de/docs.txt", "Doku", "1: not a page: the name does not end in `.md`"],
    ["en/Docs.md", pageText("# D\n"), "1: the name is not one of en, de"],
  ] as const
) {
  Deno.test(`checkSite() reports ${file}:${fault}`, async () => {
    const faults = await check({ [file]: text });
    const expected = `static/pages/${file}:${fault}`;
    ok(faults.some((message) => message.startsWith(expected)), faults.join("\n"));
  });
}

Deno.test("checkSite() requires descriptions of 50 to 200 characters", async () => {
  const fault = "static/pages/de/docs.md:1: `description` must have 50 to 200 characters";
  for (const [length, ...faults] of [[49, fault], [50], [200], [201, fault]] as const) {
    const text = pageText("# Doku\n", { description: "x".repeat(length) });
    deepEqual(await check({ "de/docs.md": text }), faults);
  }
});

Deno.test("checkSite() does not report links to a page that cannot be read", async () => {
  deepEqual(await check({ "en/docs.md": "# Docs\n" }), [
    "static/pages/en/docs.md:1: front matter between two `---` lines is missing",
  ]);
});

Deno.test("checkSite() reports a path of two pages, or of a page and another route", async () => {
  const twice = { "en/docs/index.md": pageText("# D\n"), "de/docs/index.md": pageText("# D\n") };
  const place = "static/pages/en/docs.md:1: /docs already belongs to";
  ok((await check(twice)).includes(`${place} en/docs/index.md`));
  deepEqual(await check({}, ["/docs", ...KNOWN]), [`${place} another route`]);
});

Deno.test("requireSoundSources() requires readable sources, and each required page per language", async () => {
  const contact = pageText("# Contact\n\n{{error_codes}}\n\n{{api_reference}} [dead](/nope)\n");
  const sound = { ...SOUND, "en/contact.md": contact, "de/contact.md": contact };
  const translated = { ...DESCRIPTIONS.de };
  await requireSoundSources(pagesOf(sound), FACTS);
  const { "de/index.md": _, ...others }: Record<string, string> = sound;
  deepEqual(await checkSite(pagesOf(others), { facts: FACTS, knownPaths: [...KNOWN, "/nope"] }), [
    `static/pages/de/index.md:1: ${NO_PAGE}`,
  ]);
  const docs = { "en/docs.md": "# Docs\n", "de/docs.md": pageText("{{a}}\n") };
  const faulty = { ...others, ...docs, "en/notes.txt": "" };
  const faults = await sourceFaults(pagesOf(faulty), { facts: FACTS });
  deepEqual(faults.map((fault) => fault.split(";")[0]), [
    `static/pages/de/index.md:1: ${NO_PAGE}`,
    "static/pages/de/docs.md:7: the placeholder `a` is unknown",
    "static/pages/en/docs.md:1: front matter between two `---` lines is missing",
  ]);
  await rejects(requireSoundSources(pagesOf(faulty), FACTS), {
    message: `Cannot use the pages:\n${faults.map((fault) => `  ${fault}`).join("\n")}`,
  });
  Reflect.deleteProperty(DESCRIPTIONS.de, "The service is up.");
  const untranslated = await sourceFaults(pagesOf(sound), { facts: FACTS }).finally(() =>
    Object.assign(DESCRIPTIONS.de, translated)
  );
  match(untranslated.join(), /^static\/pages\/de\/contact\.md:7: .* need a translation/);
  const gone = { ...pagesOf(sound), read: () => Promise.reject(new Error("no disk")) };
  await rejects(requireSoundSources(gone, FACTS), { message: "Cannot read the pages: no disk" });
});
