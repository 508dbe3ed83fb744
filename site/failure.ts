/** @module The page for internal errors; uses no source or layout, since they may be the cause. */

import { html as markup } from "@hono/hono/html";
import type { Locale } from "../schemas/site_data.ts";
import { pathsIn } from "./urls.ts";
import { wordsOf } from "../schemas/words.ts";

/** Renders the document; the log has the same `requestId`. */
export function failureDocument(locale: Locale, requestId: string): string {
  const { title, text, number, home } = wordsOf(locale).failure;
  return markup`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="stylesheet" href="/assets/site.css">
</head>
<body class="landing aside">
<main>
<div class="hero">
<h1>${title}</h1>
<p>${text}</p>
<p>${number} <code>${requestId}</code></p>
<p><strong><a href="${pathsIn(locale).home}">${home}</a></strong></p>
</div>
</main>
</body>
</html>
`.toString();
}
