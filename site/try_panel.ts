/**
 * @module The panel of the docs with which `static/assets/try.js` sends requests: in a template, because
 * it does nothing without script.
 */

import { html as markup, raw } from "@hono/hono/html";
import { isRequired, TEST_LEADS } from "../schemas/lead.ts";
import { STORED_FIELDS } from "../schemas/lead_fields.ts";
import type { Locale } from "../schemas/site_data.ts";
import { fill, wordsOf } from "../schemas/words.ts";
import { controlOf } from "./contact_form.ts";
import { scriptData } from "./html.ts";
import { TRIED } from "./urls.ts";

export function tryPanel(locale: Locale): string {
  const { tryPanel: words, enquiry: { example } } = wordsOf(locale);
  const values: Readonly<Record<string, string>> = { ...TEST_LEADS.minimal, ...example, locale };
  const required = STORED_FIELDS.map(([name]) => name).filter(isRequired);
  // Without its address a lead could reach somebody.
  const missing = required.find((name) => name !== "email")!;
  const fields = STORED_FIELDS.map(([name, { control }]) => {
    const isFixed = name === "email";
    const compact = Object.assign({ ...control }, { rows: 2, autocomplete: "off" });
    const attributes = markup`name="${name}"${isFixed && raw(" readonly")}`;
    const value = isRequired(name) ? values[name] ?? "" : "";
    return markup`<label><code>${name}</code> ${
      isFixed && markup`<small>${words.locked}</small> `
    }${controlOf(name, { control: compact, attributes, value, nothing: words.none })}</label>
`;
  });
  const [before, after] = words.note.split("{invalid}");
  const options = {
    valid: words.valid,
    locale: fill(words.locale, { name: "locale" }),
    missing: fill(words.missing, { name: missing }),
    json: words.json,
    type: words.type,
  };
  const requests = Object.entries(options)
    .map(([value, text]) => markup`<option value="${value}">${text}</option>`);
  const reads = TRIED.filter((title) => title.startsWith("GET "))
    .map((title) => markup`<option value="${title.slice(4)}">${title.slice(4)}</option>`);
  return markup`<template id="try_panel" data-markdown-ignore>
<form class="try" aria-label="${words.title}" novalidate>
<div>
<h3>${words.title}</h3>
<p>${before}<code>.invalid</code>${after}</p>
<label>${words.request} <select name="request">
<optgroup label="POST /api/lead">${requests}</optgroup>
<optgroup label="GET">${reads}</optgroup>
</select></label>
<div class="fields">
${fields}</div>
</div>
<div>
<p class="head"></p>
<textarea name="body" aria-label="${words.body}" rows="8" spellcheck="false"></textarea>
<p class="actions"><button type="submit">${words.send}</button>
<button type="button" name="curl" class="copy">${words.curl}</button>
<button type="reset" class="copy">${words.reset}</button></p>
<p role="status"></p>
<pre tabindex="0" hidden></pre>
</div>
</form>
</template>
<script type="application/json" id="try_words">${scriptData({ ...words.script, missing })}</script>
`.toString();
}
