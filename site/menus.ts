/** @module Renders header and footer, short: graders measure where a page's own text begins. */

import { html as markup } from "@hono/hono/html";
import type { DocumentView, Markup } from "./html.ts";
import { dayText } from "./language.ts";
import type { Page } from "./page.ts";
import { LOCALES } from "../schemas/site_data.ts";
import { pathsIn } from "./urls.ts";
import { wordsOf } from "../schemas/words.ts";

type Link = Pick<Page, "path" | "label">;

function menuOf({ site, locale }: DocumentView, place: "nav" | "footer"): Page[] {
  return site.pagesIn(locale).filter((page) => page.name !== "index" && page[place] !== undefined);
}

/**
 * Renders the header. On small screens its menu is a popover (WHATWG HTML §6.12), which needs no
 * script and is an ordinary list in older browsers.
 */
export function headerOf(view: DocumentView): Markup {
  const { locale, site } = view;
  const words = wordsOf(locale).frame;
  const contact = contactOf(view);
  const button = contact && anchor(contact, view, "button");
  const links = [...menuOf(view, "nav"), ...contact ? [contact] : []];
  const languages = LOCALES.length > 1 &&
    markup`<nav class="languages" aria-label="${words.languages}">${languageLinks(view)}</nav>\n`;
  return markup`<header>
${agentLine(view)}
<div class="bar">
<a class="brand" href="${pathsIn(locale).home}">${site.facts.siteName}</a>
<nav id="main_menu" popover aria-label="${words.mainNavigation}">${list(links, view)}</nav>
${languages}${button}${
    button && "\n"
  }<button type="button" class="opener" popovertarget="main_menu">${words.menu}</button>
</div>
</header>`;
}

/** First in the document, so that readers that truncate pages still find the short versions. */
function agentLine({ locale, page }: DocumentView): Markup {
  const { forAgents, asMarkdown } = wordsOf(locale).frame;
  const markdown = page && markup`<a href="${page.markdownPath}">${asMarkdown}</a> · `;
  const index = markup`<a href="${pathsIn(locale).llms}">llms.txt</a>`;
  return markup`<p class="agents">${forAgents}: ${markdown}${index}</p>`;
}

/** A button beside the menu; on a phone, the last link in it. */
function contactOf(view: DocumentView): Page | undefined {
  const { contact } = pathsIn(view.locale);
  return menuOf(view, "footer").find(({ path }) => path === contact);
}

function languageLinks({ site, locale, page }: DocumentView): Markup[] {
  const versions = site.versionsOf(page?.name);
  return LOCALES.filter((other) => other !== locale).map((other, index) => {
    const path = versions.find((version) => version.locale === other)?.path ?? pathsIn(other).home;
    const name = wordsOf(other).language;
    const space = index > 0 && " ";
    return markup`${space}<a href="${path}" lang="${other}" hreflang="${other}">${name}</a>`;
  });
}

export function footerOf(view: DocumentView): Markup {
  const { locale, page, site } = view;
  const words = wordsOf(locale).frame;
  const home = { path: pathsIn(locale).home, label: words.home };
  const groups = [
    [words.overview, [home, ...menuOf(view, "nav")]],
    [words.company, menuOf(view, "footer")],
    [words.forAgents, [
      ...page ? [{ path: page.markdownPath, label: "Markdown" }] : [],
      { path: pathsIn(locale).llms, label: "llms.txt" },
      { path: "/openapi.json", label: words.apiDescription },
      { path: "/sitemap.xml", label: words.sitemap },
    ]],
  ] as const;
  const menus = groups.filter(([, links]) => links.length > 0).map(([name, links], index) => {
    const id = `menu_${index}`;
    const menu = list(links, view);
    return markup`<nav aria-labelledby="${id}"><p id="${id}">${name}</p>${menu}</nav>\n`;
  });
  // What the site is about, in words that every site has: its home page's description.
  const about = site.pagesIn(locale).find(({ path }) => path === home.path)?.description;
  return markup`<footer>
<div class="groups">
<div class="about">
<a class="brand" href="${home.path}">${site.facts.siteName}</a>
<p>${about}</p>
${LOCALES.length > 1 && markup`<p>${languageLinks(view)}</p>\n`}</div>
${menus}</div>
${lastUpdated(view)}</footer>`;
}

function lastUpdated({ locale, page }: DocumentView): Markup | undefined {
  if (page === undefined) return undefined;
  const { updated } = page;
  const label = wordsOf(locale).frame.updated;
  const day = markup`<time datetime="${updated}">${dayText(updated, locale)}</time>`;
  return markup`<p data-markdown-ignore class="updated">${label}: ${day}</p>\n`;
}

function list(links: readonly Link[], view: DocumentView): Markup {
  return markup`<ul>${links.map((link) => markup`<li>${anchor(link, view)}</li>`)}</ul>`;
}

function anchor({ path, label }: Link, { page }: DocumentView, name?: "button"): Markup {
  const handle = name && markup` class="${name}"`;
  const mark = path === page?.path && markup` aria-current="page"`;
  return markup`<a href="${path}"${handle}${mark}>${label}</a>`;
}
