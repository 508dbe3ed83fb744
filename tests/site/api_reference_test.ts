/** @module The API reference is complete and correct in every language. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal, throws } from "node:assert/strict";
import { openApiDocument } from "../../schemas/openapi.ts";
import { apiReference } from "../../site/api_reference.ts";
import { LOCALES } from "../../site/page_path.ts";
import { FACTS } from "./fixture.ts";

// deno-lint-ignore no-explicit-any -- traverses a document of any shape
const document: any = openApiDocument(FACTS);

/** Where the page includes the reference. */
const PLACE = { file: "en/docs.md", line: 1 };

for (const locale of LOCALES) {
  const text = apiReference(document, { locale, ...PLACE });
  const [yes, no] = locale === "de" ? ["ja", "nein"] : ["yes", "no"];

  Deno.test(`apiReference() lists every operation, status, member and header in ${locale}`, () => {
    const sectionOf = (name: string) => text.split(`### ${name}\n`)[1]?.split("### ")[0] ?? "";
    for (const [path, item] of Object.entries<Record<string, unknown>>(document.paths)) {
      // deno-lint-ignore no-explicit-any -- see above
      for (const [method, { operationId, responses }] of Object.entries<any>(item)) {
        const section = sectionOf(operationId);
        ok(section.includes(`\`${method.toUpperCase()} ${path}\``));
        const listed = [...section.matchAll(/^\| (\d{3}) \|/gm)].map(([, status]) => status);
        deepEqual(listed, Object.keys(responses));
      }
    }
    equal(text.match(/^`[A-Z]+ \//gm)?.length, 5);
    for (const name of Object.keys(document.components.headers)) ok(text.includes(`\`${name}\``));
    // deno-lint-ignore no-explicit-any -- see above
    const schemas = Object.entries<any>(document.components.schemas);
    for (const [name, { properties, required }] of schemas) {
      for (const member of Object.keys(properties)) {
        const needed = required.includes(member) ? yes : no;
        ok(sectionOf(name).includes(`| \`${member}\` | ${needed} |`), `${name}.${member}`);
      }
    }
    for (const table of text.split(/\n(?!\|)/)) {
      const rows = table.split("\n").filter((line) => line.startsWith("|"));
      const widths = new Set(rows.map((row) => row.split(/(?<!\\)\|/).length));
      ok(widths.size <= 1, table);
    }
  });
}

Deno.test("apiReference() describes types with their formats, values and limits", () => {
  const rows = apiReference(document, { locale: "en", ...PLACE }).split("### LeadRequest\n")[1]!
    .split("\n");
  deepEqual(rows.map((line) => line.split(" | ")[2]).slice(3, 9), [
    "string (email)",
    "string, at most 120 characters",
    "string, at most 2000 characters",
    "one of `pro`, `business`, `enterprise`, `hosted`, `unspecified`",
    "one of `en`, `de`",
    "empty string",
  ]);
});

Deno.test("apiReference() throws an error with all descriptions that are not translated", () => {
  const changed = structuredClone(document);
  changed.paths["/api/health"].get.description = "New words.";
  ok(apiReference(changed, { locale: "en", ...PLACE }).includes("New words."));
  changed.components.schemas.Health.properties.ok.description = "And more.";
  throws(
    () => apiReference(changed, { locale: "de", ...PLACE }),
    /without de in site\/words\/de\.json:\n {2}"New words\."\n {2}"And more\."$/,
  );
});
