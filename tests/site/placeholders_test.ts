/** @module Placeholders: their values, and problems with file and line. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { renderMarkdown } from "../../site/markdown.ts";
import { fillPlaceholders, placeholderValues, type SiteFacts } from "../../site/placeholders.ts";
import { Site } from "../../site/site.ts";
import type { PageError } from "../../site/source_problem.ts";
import { FACTS, pageText } from "./fixture.ts";

const DAY_MS = 86_400_000;
const FORM = { en: "[contact form](/contact)", de: "[Kontaktformular](/de/contact)" };

function valuesOf(facts: Partial<SiteFacts> = {}, locale: "en" | "de" = "en") {
  const values = Object.entries(placeholderValues({ ...FACTS, ...facts }, locale));
  return Object.fromEntries(values.map(([name, value]) => [name, value()]));
}

Deno.test("fillPlaceholders() does not fill placeholders in values", () => {
  const values = placeholderValues({ ...FACTS, siteName: "{{site_url}} $&" }, "en");
  const text = "{{site_name}} at {{site_url}}, {{ lead_retention_days }} days";
  const filled = fillPlaceholders(text, { values, line: 1, problems: [] });
  equal(filled, "{{site_url}} $& at https://www.example.com, 90 days");
  const { local_url: local, service_id: id } = valuesOf();
  deepEqual([local, id], [FACTS.localUrl, FACTS.serviceId]);
});

Deno.test("limits and times are localized and use the largest whole unit", () => {
  const german = valuesOf({}, "de");
  equal(german["lead_rate_limit"], "20 in 10 Minuten");
  equal(german["lead_attempt_limit"], "120 in 1 Minute");
  equal(german["lead_rate_limit_seconds"], "600");
  const limits = [DAY_MS, 7_200_000, 90_000, 1_500].map((windowMs) =>
    valuesOf({ leadRateLimit: { count: 1, windowMs } })["lead_rate_limit"]
  );
  deepEqual(limits, ["1 in 1 day", "1 in 2 hours", "1 in 90 seconds", "1 in 1.5 seconds"]);
  // Rounded up to whole days.
  equal(valuesOf({ leadRetentionMs: 1.5 * DAY_MS })["lead_retention_days"], "2");
});

/** KV_PATH, the number of sealing keys, and what is said of storage, encryption and removal. */
const STORAGE = [
  [undefined, 0, /us-east4/, /does not encrypt/, /provider/],
  [".data/x.sqlite", 1, /file on the computer/, /AES-256-GCM/, /within a day/],
  ["https://kv.example", 2, /over the network/, /AES-256-GCM/, /provider/],
] as const;

Deno.test("storage, encryption and removal of leads depend on the settings", () => {
  for (const [kvPath, keys, place, seal, removal] of STORAGE) {
    const values = valuesOf({ kvPath, leadEncryptionKeys: Array(keys).fill({}) });
    match(values["lead_storage"]!, place);
    match(values["lead_sealing"]!, seal);
    match(values["lead_removal"]!, removal);
  }
});

Deno.test("the operator's lines are a list of escaped plain text", async () => {
  const operator = ["Example *GmbH* & Co. [KG](/docs)", "<b>1</b>", "&copy; &#169;"];
  operator.push("1. FC Example", "- a", "+49 30 0", "---", "- - -", "===");
  const { html, hrefs } = await renderMarkdown(valuesOf({ operator }, "de")["operator"]!);
  deepEqual(hrefs, []);
  const items = operator.map((line) =>
    `<li>${line.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</li>\n`
  );
  equal(html, `<ul>\n${items.join("")}</ul>\n`);
});

Deno.test("the defaults of operator and contact are a made-up one and the contact form", () => {
  for (const locale of ["en", "de"] as const) {
    match(
      valuesOf({}, locale)["operator"]!,
      /This operator is made up|Dieser Betreiber ist ausgedacht/,
    );
    equal(valuesOf({}, locale)["contact"], FORM[locale]);
  }
  const { contact } = valuesOf({ contactEmail: "hello_us@example.com" });
  equal(contact, "[hello\\_us@example.com](mailto:hello_us@example.com)");
});

Deno.test("ai_policy lists the content signals", () => {
  for (const [search, aiInput, aiTrain] of [[true, true, false], [false, true, true]] as const) {
    const [a, b, c] = [search, aiInput, aiTrain].map((allowed) => allowed ? "yes" : "no");
    const { ai_policy: policy } = valuesOf({ contentSignal: { search, aiInput, aiTrain } });
    const words = `search (${a}), answers by AI systems (${b}), training of models (${c})`;
    ok(policy!.includes(words), policy);
  }
});

Deno.test("a page has the site's name as text, and in code as it is", async () => {
  const siteName = "<b>_A_</b>";
  const line = "{{site_name}} and `{{site_name}}`";
  const text = pageText(`# ${line}\n\n\`\`\`json\n{{site_name}}\n\`\`\`\n`, {
    title: '"{{site_name}}"',
  });
  const site = new Site({ ...FACTS, siteName }, new Map([["en/a.md", text]]));
  const page = site.page("en/a.md");
  const { body } = await site.text(page);
  equal(page.title, siteName);
  const escaped = "\\<b\\>\\_A\\_\\</b\\>";
  equal(body, `# ${escaped} and \`${siteName}\`\n\n\`\`\`json\n${siteName}\n\`\`\`\n`);
});

Deno.test("all faulty placeholders are named with their lines, those of the front matter first", async () => {
  const body = "# {{sitename}}\n\n{{site_name\n{{constructor}} {{site name}}\n";
  const siteOf = (members: Record<string, string>) =>
    new Site(FACTS, new Map([["en/a.md", pageText(body, members)]]));
  const { problems: [problem] } = siteOf({ label: "L {{c}}", title: "T {{d}}" }).read();
  const placesOf = ({ places }: PageError) => places.map((place) => place.split(";")[0]).sort();
  deepEqual(placesOf(problem!), [
    "static/pages/en/a.md:2: the placeholder `d` is unknown",
    "static/pages/en/a.md:5: the placeholder `c` is unknown",
  ]);
  const site = siteOf({ label: "L" });
  const error = await site.text(site.page("en/a.md")).catch((error) => error);
  deepEqual(placesOf(error), [
    "static/pages/en/a.md:10: `{{` must be followed by the name of a placeholder and `}}`",
    "static/pages/en/a.md:11: `{{` must be followed by the name of a placeholder and `}}`",
    "static/pages/en/a.md:11: the placeholder `constructor` is unknown",
    "static/pages/en/a.md:8: the placeholder `sitename` is unknown",
  ]);
});
