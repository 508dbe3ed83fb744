/**
 * @module The words around the pages in every language: navigation, labels, llms.txt.
 */

import { type Locale, localePrefix } from "./page_path.ts";

/** What frames a page in one language. */
export interface Words {
  readonly skip: string;
  readonly mainNavigation: string;
  readonly languages: string;
  /** What opens the navigation where there is no room for it. */
  readonly menu: string;
  readonly onThisPage: string;
  readonly home: string;
  /** The groups of the footer. */
  readonly platform: string;
  readonly company: string;
  readonly forMachines: string;
  readonly updated: string;
  readonly forAgents: string;
  readonly asMarkdown: string;
  readonly indexForAgents: string;
  readonly sitemap: string;
  readonly apiDescription: string;
}

/** The words of every language. */
export const WORDS: Readonly<Record<Locale, Words>> = {
  en: {
    skip: "Skip to content",
    mainNavigation: "Main",
    languages: "Languages",
    menu: "Menu",
    onThisPage: "On this page",
    home: "Home",
    platform: "Platform",
    company: "Company",
    forMachines: "For agents and machines",
    updated: "Last updated",
    forAgents: "For agents",
    asMarkdown: "this page as markdown",
    indexForAgents: "Index of this site for agents",
    sitemap: "Sitemap",
    apiDescription: "API description",
  },
  de: {
    skip: "Zum Inhalt springen",
    mainNavigation: "Hauptnavigation",
    languages: "Sprachen",
    menu: "Menü",
    onThisPage: "Auf dieser Seite",
    home: "Startseite",
    platform: "Plattform",
    company: "Unternehmen",
    forMachines: "Für Agenten und Maschinen",
    updated: "Zuletzt geändert",
    forAgents: "Für Agenten",
    asMarkdown: "diese Seite als Markdown",
    indexForAgents: "Verzeichnis dieser Website für Agenten",
    sitemap: "Sitemap",
    apiDescription: "API-Beschreibung",
  },
};

/** The path of a language's llms.txt. */
export function indexPath(locale: Locale): string {
  return `${localePrefix(locale)}/llms.txt`;
}

/** The path of a language's llms-full.txt. */
export function fullTextPath(locale: Locale): string {
  return `${localePrefix(locale)}/llms-full.txt`;
}
