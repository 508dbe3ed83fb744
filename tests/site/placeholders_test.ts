/** @module Placeholders: their values, and which are refused with file and line. */

import {
  deepStrictEqual as deepEqual,
  match,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import type { SiteFacts } from "../../site/facts.ts";
import { renderMarkdown } from "../../site/markdown.ts";
import { readPage } from "../../site/page.ts";
import type { PageFault } from "../../site/page_fault.ts";
import { fillPlaceholders, placeholderValues } from "../../site/placeholders.ts";
import { FACTS, pageText } from "./fixture.ts";

const DAY_MS = 86_400_000;
const FORM = { en: "[contact form](/contact)", de: "[Kontaktformular](/de/contact)" };

function valuesOf(facts: Partial<SiteFacts> = {}, locale: "en" | "de" = "en") {
  return placeholderValues({ ...FACTS, ...facts }, locale);
}

Deno.test("a placeholder becomes the installation's value, which is not filled again", () => {
  const values = valuesOf({ siteName: "{{site_url}} $&" });
  const text = "{{site_name}} at {{site_url}}, {{ lead_retention_days }} days";
  equal(
    fillPlaceholders(text, { values, line: 1, faults: [] }),
    "{{site_url}} $& at https://www.example.com, 90 days",
  );
  deepEqual([values["local_url"], values["service_id"]], [FACTS.localUrl, FACTS.serviceId]);
});

Deno.test("limits and times are written in the language of the page, in the largest whole unit", () => {
  const german = valuesOf({}, "de");
  equal(german["lead_rate_limit"], "20 in 10 Minuten");
  equal(german["lead_attempt_limit"], "120 in 1 Minute");
  equal(german["lead_rate_limit_seconds"], "600");
  for (
    const [windowMs, text] of [
      [DAY_MS, "1 in 1 day"],
      [7_200_000, "1 in 2 hours"],
      [90_000, "1 in 90 seconds"],
      [1_500, "1 in 1.5 seconds"],
    ] as const
  ) equal(valuesOf({ leadRateLimit: { count: 1, windowMs } })["lead_rate_limit"], text);
  // Rounded up to whole days.
  equal(valuesOf({ leadRetentionMs: 1.5 * DAY_MS })["lead_retention_days"], "2");
});

Deno.test("pages tell where leads are kept, whether sealed, and how they are removed", () => {
  for (
    const [kvPath, keys, place, seal, removal] of [
      [undefined, [], /us-east4/, /does not encrypt/, /provider/],
      [".data/x.sqlite", [{}], /file on the computer/, /AES-256-GCM/, /within a day/],
      ["https://kv.example", [{}, {}], /over the network/, /AES-256-GCM/, /provider/],
    ] as const
  ) {
    const values = valuesOf({ kvPath, leadEncryptionKeys: keys });
    match(values["lead_storage"]!, place);
    match(values["lead_sealing"]!, seal);
    match(values["lead_removal"]!, removal);
  }
});

Deno.test("the operator's lines are a list that says what they say, whatever characters they hold", async () => {
  const operator = [
    ...["Example *GmbH* & Co. [KG](/docs)", "<b>1</b>", "&copy; &#169;"],
    ...["1. FC Example", "- a", "+49 30 0"],
  ];
  const { html, hrefs } = await renderMarkdown(valuesOf({ operator }, "de")["operator"]!);
  deepEqual(hrefs, []);
  equal(
    html,
    "<ul>\n<li>Example *GmbH* &amp; Co. [KG](/docs)</li>\n" +
      "<li>&lt;b&gt;1&lt;/b&gt;</li>\n<li>&amp;copy; &amp;#169;</li>\n" +
      "<li>1. FC Example</li>\n<li>- a</li>\n<li>+49 30 0</li>\n</ul>\n",
  );
});

Deno.test("without operator and address the pages name the variable and the contact form", () => {
  for (const locale of ["en", "de"] as const) {
    match(valuesOf({}, locale)["operator"]!, /`OPERATOR`/);
    equal(valuesOf({}, locale)["contact"], FORM[locale]);
  }
  const { contact } = valuesOf({ contactEmail: "hello_us@example.com" });
  equal(contact, "[hello\\_us@example.com](mailto:hello_us@example.com)");
});

Deno.test("the policy for crawlers is told as it is set", () => {
  for (const [search, aiInput, aiTrain] of [[true, true, false], [false, true, true]] as const) {
    const [a, b, c] = [search, aiInput, aiTrain].map((allowed) => allowed ? "yes" : "no");
    const { ai_policy: policy } = valuesOf({ contentSignal: { search, aiInput, aiTrain } });
    match(policy!, new RegExp(`search ${a}, answers of AI systems ${b}, training of models ${c}`));
  }
});

Deno.test("every faulty placeholder of a page is told at once, each by its line", () => {
  const body = "# {{sitename}}\n\n{{site_name\n{{constructor}} {{site name}}\n";
  const text = pageText(body, { label: "L {{c}}", title: "T {{d}}" });
  return rejects(readPage(text, { file: "en/a.md", facts: FACTS }), ({ places }: PageFault) => {
    const said = places.map((place) =>
      /^static\/pages\/en\/a\.md:(\d+: .*?)(?:;|$)/.exec(place)![1]
    );
    deepEqual(said.sort(), [
      "10: `{{` opens no placeholder",
      "11: `{{` opens no placeholder",
      "11: the placeholder `constructor` is unknown",
      "2: the placeholder `d` is unknown",
      "5: the placeholder `c` is unknown",
      "8: the placeholder `sitename` is unknown",
    ]);
    return true;
  });
});
