/** @module Renders header and footer, short: graders measure where a page's own text begins. */

import { html as markup } from "@hono/hono/html";
import type { DocumentView, Markup } from "./html.ts";
import { languageName } from "./language.ts";
import { type Page, versionsOf } from "./page.ts";
import { contactPaths, homePath, indexPath, LOCALES } from "./page_path.ts";
import { WORDS } from "./words.ts";

type Link = Pick<Page, "path" | "label">;

/** The pages of a menu, by their place in the front matter. */
function menuOf({ site, locale }: DocumentView, place: "nav" | "footer"): Page[] {
  return site.pages.filter((page) =>
    page.locale === locale && page.name !== "index" && page[place] !== undefined
  );
}

/**
 * Renders the header. On small screens its menu is a popover (WHATWG HTML §6.12), which needs no
 * script and is an ordinary list in older browsers.
 */
export function headerOf(view: DocumentView): Markup {
  const { locale, site } = view;
  const words = WORDS[locale].frame;
  const contact = menuOf(view, "footer").find(({ path }) => path === contactPaths(locale).form);
  const button = contact && markup`${anchor(contact, view, "button")}\n`;
  return markup`<header>
${agentLine(view)}
<div class="bar">
<a class="brand" href="${homePath(locale)}">${site.facts.siteName}</a>
<nav id="menu" popover aria-label="${words.mainNavigation}">${list(menuOf(view, "nav"), view)}</nav>
${languages(view)}
${button}<button type="button" class="opener" popovertarget="menu">${words.menu}</button>
</div>
</header>`;
}

/** First in the document, so that readers that truncate pages still find the short versions. */
function agentLine({ locale, page }: DocumentView): Markup {
  const { forAgents, asMarkdown } = WORDS[locale].frame;
  const markdown = page && markup`<a href="${page.markdownPath}">${asMarkdown}</a> · `;
  const index = markup`<a href="${indexPath(locale)}">llms.txt</a>`;
  return markup`<p class="agents">${forAgents}: ${markdown}${index}</p>`;
}

function languages({ site, locale, page }: DocumentView): Markup {
  const label = WORDS[locale].frame.languages;
  const versions = versionsOf(page?.name, site);
  const links = LOCALES.filter((other) => other !== locale).map((other) => {
    const path = versions.find((version) => version.locale === other)?.path ?? homePath(other);
    const name = languageName(other, other);
    return markup`<a href="${path}" lang="${other}" hreflang="${other}">${name}</a>`;
  });
  return markup`<nav class="languages" aria-label="${label}">${links}</nav>`;
}

export function footerOf(view: DocumentView): Markup {
  const { locale, site } = view;
  const words = WORDS[locale].frame;
  const home = { path: homePath(locale), label: words.home };
  const groups = [
    [words.overview, [home, ...menuOf(view, "nav")]],
    [words.company, menuOf(view, "footer")],
    [words.forMachines, [
      { path: indexPath(locale), label: "llms.txt" },
      { path: "/openapi.json", label: words.apiDescription },
      { path: "/sitemap.xml", label: words.sitemap },
    ]],
  ] as const;
  const menus = groups.filter(([, links]) => links.length > 0).map(([name, links], index) => {
    const id = `group-${index}`;
    const menu = list(links, view);
    return markup`<nav aria-labelledby="${id}"><p id="${id}">${name}</p>${menu}</nav>\n`;
  });
  return markup`<footer>
<div class="groups">
<a class="brand" href="${home.path}">${site.facts.siteName}</a>
${menus}</div>
</footer>`;
}

function list(links: readonly Link[], view: DocumentView): Markup {
  return markup`<ul>${links.map((link) => markup`<li>${anchor(link, view)}</li>`)}</ul>`;
}

function anchor({ path, label }: Link, { page }: DocumentView, name?: "button"): Markup {
  const handle = name && markup` class="${name}"`;
  const mark = path === page?.path && markup` aria-current="page"`;
  return markup`<a href="${path}"${handle}${mark}>${label}</a>`;
}
