/**
 * @module What a person sees when the service itself has failed: a whole document that is made from
 * nothing, since the sources of the pages may be what has failed. Says nothing of the error.
 */

import { html as markup } from "@hono/hono/html";
import { homePath, type Locale } from "./page_path.ts";

const EN = {
  title: "Something went wrong on our side",
  text:
    "Please try again in a few minutes. If you have just sent an enquiry, your browser’s Back " +
    "button brings your text back; the same enquiry within 24 hours counts as one.",
  // Before the number of the request.
  number: "If it keeps happening, this number helps to find the cause:",
  home: "To the home page",
};

const WORDS: Readonly<Record<Locale, typeof EN>> = {
  en: EN,
  de: {
    title: "Bei uns ist etwas schiefgegangen",
    text: "Bitte versuchen Sie es in einigen Minuten noch einmal. Haben Sie gerade eine Anfrage " +
      "gesendet, bringt die Zurück-Taste des Browsers Ihren Text wieder; dieselbe Anfrage " +
      "innerhalb von 24 Stunden zählt als eine.",
    number: "Bleibt es dabei, hilft diese Nummer, die Ursache zu finden:",
    home: "Zur Startseite",
  },
};

/** The document; `requestId` is the one that the log has. */
export function failureDocument(locale: Locale, requestId: string): string {
  const { title, text, number, home } = WORDS[locale];
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
<p><strong><a href="${homePath(locale)}">${home}</a></strong></p>
</div>
</main>
</body>
</html>
`.toString();
}
