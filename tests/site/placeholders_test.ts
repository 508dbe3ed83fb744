/** @module Placeholders: what stands for them, and which are refused with file and line. */

import assert from "node:assert/strict";
import { renderMarkdown } from "../../site/markdown.ts";
import { fillPlaceholders, placeholderValues } from "../../site/placeholders.ts";
import { readPage } from "../../site/page.ts";
import type { PageFault, SourceFault } from "../../site/page_fault.ts";
import { FACTS, pageText } from "./fixture.ts";

const english = placeholderValues(FACTS, "en");
const at = { values: english, line: 7, faults: [] };

Deno.test("a placeholder becomes the installation's value", () => {
  const text = "{{site_name}} at {{site_url}}, {{ lead_retention_days }} days";
  assert.equal(fillPlaceholders(text, at), "Example at https://www.example.com, 90 days");
});

Deno.test("a limit is written in the language of the page", () => {
  const german = placeholderValues(FACTS, "de");
  assert.equal(english["lead_rate_limit"], "20 in 10 minutes");
  assert.equal(german["lead_rate_limit"], "20 in 10 Minuten");
  assert.equal(german["lead_attempt_limit"], "120 in 1 Minute");
});

Deno.test("a window is written in its largest whole unit", () => {
  const phrase = (windowMs: number) =>
    placeholderValues({ ...FACTS, leadRateLimit: { count: 1, windowMs } }, "en")["lead_rate_limit"];
  assert.equal(phrase(86_400_000), "1 in 1 day");
  assert.equal(phrase(7_200_000), "1 in 2 hours");
  assert.equal(phrase(90_000), "1 in 90 seconds");
  assert.equal(phrase(1_500), "1 in 1.5 seconds");
});

Deno.test("retention is rounded up to whole days", () => {
  const values = placeholderValues({ ...FACTS, leadRetentionMs: 36 * 3_600_000 }, "en");
  assert.equal(values["lead_retention_days"], "2");
});

for (
  const [kvPath, sealed, place, seal, removal] of [
    [undefined, false, /us-east4/, /does not encrypt/, /provider/],
    [".data/x.sqlite", true, /file on the computer/, /AES-256-GCM/, /within a day/],
    ["https://kv.example", true, /over the network/, /AES-256-GCM/, /provider/],
  ] as const
) {
  Deno.test(`where leads are kept is told for ${kvPath}, ${sealed ? "" : "not "}sealed`, () => {
    const leadEncryptionKeys = sealed ? [{}] : [];
    const values = placeholderValues({ ...FACTS, kvPath, leadEncryptionKeys }, "en");
    assert.match(values["lead_storage"] ?? "", place);
    assert.match(values["lead_sealing"] ?? "", seal);
    assert.match(values["lead_removal"] ?? "", removal);
  });
}

Deno.test("the operator's lines are a list that says what they say, whatever characters they hold", async () => {
  const operator = [
    "Example *GmbH* & Co. [KG](/docs)",
    "<b>1</b>",
    "&copy; &#169;",
    "1. FC Example",
    "- a",
    "+49 30 0",
  ];
  const values = placeholderValues({ ...FACTS, operator }, "de");
  const { html, hrefs } = await renderMarkdown(values["operator"]!);
  assert.deepEqual(hrefs, []);
  assert.equal(
    html,
    "<ul>\n<li>Example *GmbH* &amp; Co. [KG](/docs)</li>\n" +
      "<li>&lt;b&gt;1&lt;/b&gt;</li>\n<li>&amp;copy; &amp;#169;</li>\n" +
      "<li>1. FC Example</li>\n<li>- a</li>\n<li>+49 30 0</li>\n</ul>\n",
  );
});

Deno.test("an operator that is not named is said to be missing, with the variable's name", () => {
  for (const locale of ["en", "de"] as const) {
    assert.match(placeholderValues(FACTS, locale)["operator"]!, /`OPERATOR`/);
  }
});

Deno.test("who wants to write is led to the address that is set, or to the form", () => {
  const values = placeholderValues({ ...FACTS, contactEmail: "hello_us@example.com" }, "en");
  assert.equal(values["contact"], "[hello\\_us@example.com](mailto:hello_us@example.com)");
  assert.equal(english["contact"], "[contact form](/contact)");
  assert.equal(placeholderValues(FACTS, "de")["contact"], "[Kontaktformular](/de/contact)");
});

Deno.test("the policy for crawlers is told as it is set", () => {
  const contentSignal = { search: true, aiInput: true, aiTrain: false };
  const values = placeholderValues({ ...FACTS, contentSignal }, "en");
  assert.match(
    values["ai_policy"]!,
    /search yes, answers of AI systems yes, training of models no/,
  );
});

Deno.test("a value that looks like a placeholder is not filled again", () => {
  const values = placeholderValues({ ...FACTS, siteName: "{{site_url}} $&" }, "en");
  assert.equal(fillPlaceholders("{{site_name}}", { ...at, values }), "{{site_url}} $&");
});

for (
  const [text, message] of [
    ["one\n{{sitename}}", "8: the placeholder `sitename` is unknown; known are site_name, "],
    ["{{constructor}}", "7: the placeholder `constructor` is unknown; "],
    ["a\nb\n{{site_name", "9: `{{` opens no placeholder"],
    ["{{site name}}", "7: `{{` opens no placeholder"],
  ] as const
) {
  Deno.test(`a faulty placeholder stays, and is told by line: ${JSON.stringify(text)}`, () => {
    const faults: SourceFault[] = [];
    assert.equal(fillPlaceholders(text, { ...at, faults }), text);
    assert.equal(faults.length, 1);
    assert.ok(`${faults[0]!.line}: ${faults[0]!.state}`.startsWith(message));
  });
}

Deno.test("every faulty placeholder of a page is told at once", () => {
  const text = pageText("# {{a}}\n\n{{b}}\n", { label: "L {{c}}", title: "T {{d}}" });
  return assert.rejects(readPage(text, { file: "en/a.md", facts: FACTS }), (error: PageFault) => {
    const lines = error.places.map((place) =>
      /^[\w/]+\.md:(\d+: the placeholder `.`)/.exec(place)?.[1]
    );
    assert.deepEqual(lines.sort(), [
      "10: the placeholder `b`",
      "2: the placeholder `d`",
      "5: the placeholder `c`",
      "8: the placeholder `a`",
    ]);
    return true;
  });
});
