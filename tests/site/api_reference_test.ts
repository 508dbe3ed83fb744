/** @module The API reference: complete, true to the document, and in both languages. */

import assert from "node:assert/strict";
import { openApiDocument } from "../../schemas/openapi.ts";
import { apiReference } from "../../site/api_reference.ts";
import { LOCALES } from "../../site/page_path.ts";
import { FACTS } from "./fixture.ts";

// deno-lint-ignore no-explicit-any -- a document of any shape is walked
const document: any = openApiDocument(FACTS);

for (const locale of LOCALES) {
  Deno.test(`the reference in ${locale} has every operation with every documented status`, () => {
    const sections = apiReference(document, locale).split(/^### /m);
    let operations = 0;
    for (const [path, item] of Object.entries<Record<string, unknown>>(document.paths)) {
      // deno-lint-ignore no-explicit-any -- see above
      for (const [method, operation] of Object.entries<any>(item)) {
        operations++;
        const section = sections.find((text) => text.startsWith(`${operation.operationId}\n`))!;
        assert.ok(section.includes(`\`${method.toUpperCase()} ${path}\``));
        const listed = [...section.matchAll(/^\| (\d{3}) \|/gm)].map(([, status]) => status);
        assert.deepEqual(listed, Object.keys(operation.responses));
      }
    }
    assert.equal(operations, 5);
  });

  Deno.test(`the reference in ${locale} has every member and every header`, () => {
    const text = apiReference(document, locale);
    for (const name of Object.keys(document.components.headers)) {
      assert.ok(text.includes(`\`${name}\``), name);
    }
    // deno-lint-ignore no-explicit-any -- see above
    for (const [name, schema] of Object.entries<any>(document.components.schemas)) {
      const section = text.split(`### ${name}\n`)[1]?.split("### ")[0] ?? "";
      const [yes, no] = locale === "de" ? ["ja", "nein"] : ["yes", "no"];
      for (const member of Object.keys(schema.properties)) {
        const needed = schema.required.includes(member) ? yes : no;
        assert.ok(section.includes(`| \`${member}\` | ${needed} |`), `${name}.${member}`);
      }
    }
    assert.match(text, /^\| `error\.details` \|/m);
  });

  Deno.test(`a table of the reference in ${locale} has as many cells in every row`, () => {
    for (const table of apiReference(document, locale).split(/\n(?!\|)/)) {
      const rows = table.split("\n").filter((line) => line.startsWith("|"));
      const widths = new Set(rows.map((row) => row.split(/(?<!\\)\|/).length));
      assert.ok(widths.size <= 1, table);
    }
  });
}

Deno.test("texts that have no German are an error that names them all, not English in German", () => {
  const changed = structuredClone(document);
  changed.paths["/api/health"].get.description = "New words.";
  assert.match(apiReference(changed, "en"), /New words\./);
  changed.components.schemas.Health.properties.ok.description = "And more.";
  assert.throws(
    () => apiReference(changed, "de"),
    /without de in site\/api_words\.ts:\n {2}"New words\."\n {2}"And more\."$/,
  );
});
