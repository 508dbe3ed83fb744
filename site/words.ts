/**
 * @module The words around the pages in every language: navigation, labels, llms.txt.
 */

import { type Locale, localePrefix } from "./page_path.ts";

const EN = {
  skip: "Skip to content",
  mainNavigation: "Main",
  languages: "Languages",
  // Opens the navigation where there is no room for it.
  menu: "Menu",
  onThisPage: "On this page",
  home: "Home",
  // The groups of the footer.
  platform: "Platform",
  company: "Company",
  forMachines: "For agents and machines",
  updated: "Last updated",
  forAgents: "For agents",
  asMarkdown: "this page as markdown",
  indexForAgents: "Index of this site for agents",
  sitemap: "Sitemap",
  apiDescription: "API description",
};

/** What frames a page, in every language. */
export const WORDS: Readonly<Record<Locale, typeof EN>> = {
  en: EN,
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
