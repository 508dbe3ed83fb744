/**
 * @module What a reader gets where there is no page: the ways onward, in their language.
 *
 * Says nothing of the request: the text is the same for every path.
 */

import { homePath, type Locale, localePrefix } from "./page_path.ts";
import { indexPath } from "./words.ts";

/** A text that is no page of the site. */
export interface Notice {
  readonly title: string;
  readonly description: string;
  /** Markdown with links as an author writes them. */
  readonly body: string;
}

/** The notice of a missing page. */
export function notFoundNotice(locale: Locale): Notice {
  const [home, docs] = [homePath(locale), `${localePrefix(locale)}/docs`];
  const index = indexPath(locale);
  const notices: Readonly<Record<Locale, Notice>> = {
    en: {
      title: "Page not found",
      description: "There is no page at this address; this is where to go from here.",
      body: `# Page not found

There is no page at this address (HTTP status 404). This is where to go from here:

**[To the home page](${home})** or to the [documentation](${docs})

- [llms.txt](${index}), the index of this site for agents
- [Sitemap](/sitemap.xml) with every page
`,
    },
    de: {
      title: "Seite nicht gefunden",
      description: "Unter dieser Adresse gibt es keine Seite; von hier geht es weiter.",
      body: `# Seite nicht gefunden

Unter dieser Adresse gibt es keine Seite (HTTP-Status 404). Von hier geht es weiter:

**[Zur Startseite](${home})** oder zur [Dokumentation](${docs})

- [llms.txt](${index}), das Verzeichnis dieser Website für Agenten
- [Sitemap](/sitemap.xml) mit allen Seiten
`,
    },
  };
  return notices[locale];
}
