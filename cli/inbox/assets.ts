/** @module Style, script, icon and faces of the inbox: the site's own values, and what it adds. */

import type { Hono } from "@hono/hono";
import favicon from "../../static/assets/favicon.svg" with { type: "text" };
import brand from "../../static/styles/brand.css" with { type: "text" };
import buttons from "../../static/styles/callouts.css" with { type: "text" };
import forms from "../../static/styles/contact.css" with { type: "text" };
import code from "../../static/styles/code.css" with { type: "text" };
import elements from "../../static/styles/elements.css" with { type: "text" };
import tables from "../../static/styles/tables.css" with { type: "text" };
import text from "../../static/styles/text.css" with { type: "text" };
import values from "../../static/styles/values.css" with { type: "text" };
import own from "./inbox.css" with { type: "text" };
import script from "./inbox.js" with { type: "text" };

const FACES = `${import.meta.dirname!.slice(0, -"cli/inbox".length)}static/assets/`;

const STYLE = [brand, values, elements, text, code, tables, buttons, forms, own].join("\n");

export function assets(app: Hono): void {
  app.get("/inbox.css", (c) => c.body(STYLE, 200, { "content-type": "text/css" }));
  app.get("/inbox.js", (c) => c.body(script, 200, { "content-type": "text/javascript" }));
  app.get("/favicon.svg", (c) => c.body(favicon, 200, { "content-type": "image/svg+xml" }));
  // The browser shows headings in it only if it is there at once.
  const kept = { "content-type": "font/woff2", "cache-control": "private, max-age=86400" };
  for (const face of ["display.woff2", "text.woff2"]) {
    app.get(`/${face}`, async (c) => c.body(await Deno.readFile(FACES + face), 200, kept));
  }
}
