/** @module The JSON-LD of pages: types by page, required members, references that resolve. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { Site } from "../../site/site.ts";
import { structuredData } from "../../site/structured_data.ts";
import { FACTS, pagesOf, pageText, SITE_URL } from "./fixture.ts";

type Node = Readonly<Record<string, unknown>> & { readonly "@type": string };

const LAYOUTS = {
  index: "landing",
  product: "landing",
  docs: "docs",
  contact: "text",
  about: "text",
};
const FILES = Object.fromEntries(
  ["en", "de"].flatMap((locale) =>
    Object.entries(LAYOUTS).map(([name, layout]) =>
      [`${locale}/${name}.md`, pageText("# A\n", { layout })] as const
    )
  ),
);
const site = await Site.read(pagesOf(FILES), FACTS);

function nodesOf(path: string, of: Site = site): Node[] {
  const page = of.pages.find((one) => one.path === path)!;
  const data = structuredData(page, of) as Record<"@context", string> & { "@graph": Node[] };
  equal(data["@context"], "https://schema.org");
  return data["@graph"];
}

/** What search engines and readers of schema.org need of each type. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  Organization: ["@id", "name", "url", "logo"],
  WebSite: ["@id", "name", "url", "publisher", "inLanguage"],
  BreadcrumbList: ["@id", "itemListElement"],
  TechArticle: ["@id", "headline", "description", "dateModified", "author", "mainEntityOfPage"],
  ...Object.fromEntries(["WebPage", "AboutPage", "ContactPage"].map((type) => [
    type,
    ["@id", "url", "name", "description", "inLanguage", "dateModified", "isPartOf"],
  ])),
};

for (
  const [name, type, about] of [
    ["", "WebPage", []],
    ["/product", "WebPage", ["BreadcrumbList"]],
    ["/docs", "WebPage", ["BreadcrumbList", "TechArticle"]],
    ["/contact", "ContactPage", ["BreadcrumbList"]],
    ["/about", "AboutPage", ["BreadcrumbList"]],
  ] as const
) {
  Deno.test(`JSON-LD calls ${name || "/"} a ${[type, ...about].join(" with ")}`, () => {
    for (const path of [name || "/", `/de${name}`]) {
      const types = nodesOf(path).map((node) => node["@type"]);
      deepEqual(types, ["Organization", "WebSite", type, ...about]);
    }
  });
}

Deno.test("JSON-LD has what its types require, and refers to its own nodes", () => {
  for (const { path } of site.pages) {
    const nodes = nodesOf(path);
    const ids = new Set(nodes.map((node) => node["@id"]));
    for (const node of nodes) {
      for (const name of MEMBERS[node["@type"]]!) ok(node[name], `${node["@type"]}.${name}`);
      for (const [name, value] of Object.entries(node)) {
        const { "@id": id } = Object(value);
        ok(id === undefined || ids.has(id), `${path}: ${node["@type"]}.${name} is ${id}`);
      }
    }
    equal(ids.size, nodes.length, path);
    ok(nodes.some((node) => node["url"] === SITE_URL + path), path);
  }
});

Deno.test("JSON-LD names a contact only where CONTACT_EMAIL is set", async () => {
  const facts = { ...FACTS, contactEmail: "office@example.com" };
  const [open] = nodesOf("/de", await Site.read(pagesOf(FILES), facts));
  deepEqual(open!["contactPoint"], {
    "@type": "ContactPoint",
    contactType: "customer service",
    email: facts.contactEmail,
    url: `${SITE_URL}/contact`,
    availableLanguage: ["en", "de"],
  });
  equal("contactPoint" in nodesOf("/")[0]!, false);
});
