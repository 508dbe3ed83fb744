/** @module Every representation of a small site, as in `expected/`, which `UPDATE_EXPECTED=1` updates. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { ERROR_CODES, errorBody, type ErrorCode } from "../../schemas/error_codes.ts";
import { skillOf } from "../../site/agent_skills.ts";
import { enquiryText } from "../../site/agent_recipe.ts";
import { contactForm, formScript } from "../../site/contact_form.ts";
import { failureDocument } from "../../site/failure.ts";
import { llmsFullOf, llmsOf, sitemapMarkdownOf, sitemapOf } from "../../site/llms_and_sitemaps.ts";
import { Site } from "../../site/site.ts";
import { tryPanel } from "../../site/try_panel.ts";
import { apiCatalog, robotsOf, securityTxt, webManifest } from "../../site/well_known.ts";
import { appWithoutLeads } from "../support/app_without_leads.ts";
import { elementsOf } from "../support/html.ts";
import { FACTS, pagesOf, pageText } from "./fixture.ts";

const SECTIONS = "## A\n\na\n\n## B & `b`\n\n### C\n\nc\n\n### D\n\nd\n\n## E\n\ne\n";
const TITLE = `Docs & "<more>" </script>`;

/** Unsorted, with every layout, menu and kind of link, and titles with markup. */
const FILES = {
  "de/index.md": pageText("# Start\n", { title: "Start" }),
  "de/docs.md": pageText("# Doku\n", { title: "Dokumentation", nav: "1" }),
  "en/privacy.md": pageText("# Privacy\n", { title: "Privacy", footer: "2" }),
  "en/contact.md": pageText("# Contact\n\n## After\n", { label: "Contact", footer: "1" }),
  "en/docs.md": pageText(
    "# Docs\n\n[home](/) [german](/de/docs#a) [api](/openapi.json?x=1) [here](#docs) " +
      `[web](https://h.example/) \`[code](/docs)\`\n\n${SECTIONS}\n\`\`\`js\n1 < 2\n\`\`\`\n`,
    { title: JSON.stringify(TITLE), label: '"Docs of {{site_name}}"', layout: "docs", nav: "2" },
  ),
  "en/index.md": pageText(
    `# Home of {{site_name}}\n\n**[Go](/docs)**\n\n${SECTIONS}`,
    { title: '"{{site_name}}: home"', layout: "landing" },
  ),
  "en/about.md": pageText("# About\n\n## A\n\n## B\n", {
    title: "About",
    nav: "1",
    layout: "docs",
  }),
  "en/last.md": pageText("# Last\n"),
  "en/contact/sent.md": pageText("# Thanks\n\n## Next\n\n[Again](/contact)\n"),
  "de/404.md": pageText("# Nicht gefunden\n\n[Start](/) [Doku](/docs#doku) [llms](/llms.txt)\n", {
    title: "Nicht gefunden",
    layout: "landing",
  }),
  "en/notes.txt": "not a page",
};

const site = await Site.read(pagesOf(FILES), FACTS, { names: ["og.en.docs.png", "og.png"] });

async function htmlOf(path: string, of: Site = site): Promise<string> {
  return await of.html(of.pages.find((page) => page.path === path)!);
}

/** These alone show every field of a lead. */
const SHOW_FIELDS = ["form_de.html", "try_panel_de.html", "enquiry_de.md"];

const FIELDS = ["en", "de"].flatMap((locale) => [
  contactForm(locale),
  /(?<=>).*(?=<\/script>)/.exec(formScript(locale))![0],
  tryPanel(locale),
  enquiryText(locale, FACTS),
]);

function withoutFields(text: string): string {
  return FIELDS.reduce((rest, part) => rest.replace(part, "…"), text);
}

const CLOSED = { search: false, aiInput: true, aiTrain: false };
const TRAINING = { search: false, aiInput: false, aiTrain: true };

const FAULTY = {
  values: { email: '"a"', company: "", plan: "hosted", message: "\nb </textarea>" },
  errors: { company: "Fehlt & fehlt.", message: "Zu <lang>." },
  notice: 'Sehen Sie "hin".',
};

/** The texts of errors stand in `schemas/error_codes.ts` alone. */
function withoutErrorTexts(text: string): string {
  return Object.keys(ERROR_CODES).reduce((text, code) => {
    const { message, hint } = errorBody(code as ErrorCode, FACTS).error;
    return text.replace(`${message} ${hint}`, "{message} {hint}");
  }, text);
}

const REPRESENTATIONS: Readonly<Record<string, () => Promise<string> | string>> = {
  "home.html": () => htmlOf("/"),
  "docs.html": () => htmlOf("/docs"),
  "docs_de.html": () => htmlOf("/de/docs"),
  "about.html": () => htmlOf("/about"),
  "contact.html": () => htmlOf("/contact"),
  "form_de.html": () => contactForm("de", FAULTY) + formScript("de"),
  "try_panel_de.html": () => tryPanel("de"),
  "enquiry_de.md": () => enquiryText("de", FACTS),
  "not_found_de.html": () => site.html({ file: "de/404.md" }),
  "not_found_de.md": () => site.markdown({ file: "de/404.md" }),
  "failure_de.html": () => failureDocument("de", "<id>"),
  "docs.md": () => site.markdown({ file: "en/docs.md" }),
  "llms.txt": () => llmsOf("en", site),
  "llms_de.txt": () => llmsOf("de", site),
  "llms_full.txt": () => llmsFullOf("en", site),
  "llms_full_de.txt": () => llmsFullOf("de", site),
  "skill.md": () => withoutErrorTexts(skillOf(FACTS)),
  "sitemap.xml": () => sitemapOf(site),
  "sitemap.md": () => sitemapMarkdownOf(site),
  "security.txt": () => securityTxt(FACTS, Date.UTC(2026, 10, 22, 12)),
  "security_by_mail.txt": () => securityTxt({ ...FACTS, contactEmail: "a b@example.com" }, 0),
  "api_catalog.json": () => JSON.stringify(apiCatalog(FACTS), null, 2),
  "site.webmanifest": () => JSON.stringify(webManifest(FACTS), null, 2),
  "robots.txt": () => robotsOf({ ...FACTS, contentSignal: CLOSED }),
  "robots_open.txt": () => robotsOf(FACTS),
  "robots_training.txt": () => robotsOf({ ...FACTS, contentSignal: TRAINING }),
};

for (const [name, represent] of Object.entries(REPRESENTATIONS)) {
  Deno.test(`the site renders ${name} as expected`, async () => {
    const file = new URL(`expected/${name}`, import.meta.url);
    const whole = await represent();
    const text = SHOW_FIELDS.includes(name) ? whole : withoutFields(whole);
    if (Deno.env.get("UPDATE_EXPECTED") === "1") await Deno.writeTextFile(file, text);
    equal(text, await Deno.readTextFile(file));
  });
}

Deno.test("a site under another name than its pictures shows the one without words", async () => {
  const facts = { ...FACTS, siteName: "Other" };
  const other = await Site.read(pagesOf(FILES), facts, { names: ["og.en.docs.png"] });
  const html = await htmlOf("/docs", other);
  ok(html.includes('/assets/og.png">') && html.includes('image:alt" content="Other">'), html);
});

Deno.test("a site without a contact page has no button for it and no empty menu", async () => {
  const files = { "en/index.md": pageText("# A\n") };
  const html = await htmlOf("/", await Site.read(pagesOf(files), FACTS));
  equal(html.includes('class="button"'), false);
  equal(html.match(/<nav aria-labelledby="menu_/g)?.length, 2);
});

Deno.test("headings never get an id of the layout or the contact form", async () => {
  const errors = { email: "a", company: "b", plan: "c", message: "d" };
  const form = { values: {}, errors, notice: "e" };
  async function idsWith(headings: readonly string[]) {
    const body = ["# Contact", ...headings.map((heading) => `## ${heading}`)].join("\n\n");
    const files = { "en/contact.md": pageText(body, { layout: "docs", footer: "1" }) };
    const html = (await htmlOf("/contact", await Site.read(pagesOf(files), FACTS)))
      .replace(contactForm("en"), () => contactForm("en", form));
    return elementsOf(html).flatMap(({ attributes: { id } }) => id ?? []);
  }
  const ids = await idsWith(["Plan", "B", "C"]);
  const own = ["main_content", "contents_title", "main_menu", "field_plan_error", "contact_form"];
  for (const id of ["plan", ...own]) ok(ids.includes(id), id);
  const doubled = await idsWith([...ids, ...Object.keys(errors)]);
  equal(doubled.length, 2 * ids.length - 3 + Object.keys(errors).length);
  equal(new Set(doubled).size, doubled.length);
});

Deno.test("a heading on two lines is in the contents and has its link", async () => {
  const body = "# A\n\n## B\n\n## C\n\nD\nd\n---\n";
  const files = { "en/docs.md": pageText(body, { layout: "docs" }) };
  const html = await htmlOf("/docs", await Site.read(pagesOf(files), FACTS));
  equal(html.split('href="#d-d"').length, 3);
});

Deno.test("pages are sorted by language, home, nav, footer and name", () => {
  const paths = site.pages.map(({ path }) => path).join(" ");
  equal(paths, "/ /about /docs /contact /privacy /last /de /de/docs");
});

Deno.test("a start reads no sources; the first page reads each once", async () => {
  const reads: string[] = [];
  const { request } = await appWithoutLeads({ pages: pagesOf(FILES, reads) });
  const load = (...paths: readonly string[]) =>
    Promise.all(paths.map(async (path) => await (await request(path)).body?.cancel()));
  await load("/api/health", "/openapi.json", "/robots.txt", "/assets/site.css");
  await load("/.well-known/api-catalog", "/.well-known/security.txt", "/api/nope");
  await load("/.well-known/ard.json", "/.well-known/agent-skills/index.json");
  deepEqual(reads, []);
  await load("/docs", "/de/docs", "/sitemap.xml", "/nope", "/llms.txt");
  await load("/about", "/api/site");
  deepEqual(reads.toSorted(), Object.keys(FILES).filter((name) => name.endsWith(".md")).toSorted());
});
