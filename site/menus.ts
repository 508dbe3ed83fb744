/**
 * @module Renders header and footer of a page: brand, navigation, languages, links. Kept short,
 * because graders measure where a page's own text begins.
 */

import { html as markup } from "@hono/hono/html";
import type { Markup } from "./html.ts";
import { languageName } from "./language.ts";
import { contactPaths, homePath, indexPath, type Locale, LOCALES } from "./page_path.ts";
import { WORDS } from "./words.ts";

/** A link of a menu. */
export interface FrameLink {
  readonly path: string;
  readonly label: string;
}

/** The input of {@link headerOf} and {@link footerOf}. */
export interface MenuView {
  readonly siteName: string;
  readonly locale: Locale;
  /** The current page; undefined for other documents. */
  readonly address: { readonly path: string; readonly markdownPath: string } | undefined;
  /** Paths of the page in every language, including its own. */
  readonly paths: Readonly<Partial<Record<Locale, string>>>;
  readonly navigation: readonly FrameLink[];
  readonly footer: readonly FrameLink[];
}

/**
 * Renders the header. On small screens its menu is a popover (WHATWG HTML §6.12), which needs no
 * script and is an ordinary list in older browsers.
 */
export function headerOf(view: MenuView): Markup {
  const { locale, siteName, navigation, footer } = view;
  const words = WORDS[locale].frame;
  const contact = footer.find(({ path }) => path === contactPaths(locale).form);
  return markup`<header>
${agentLine(view)}
<div class="bar">
<a class="brand" href="${homePath(locale)}">${siteName}</a>
<nav id="menu" popover aria-label="${words.mainNavigation}">${list(navigation, view)}</nav>
${languages(view)}
${
    contact && markup`${anchor(contact, view, "button")}\n`
  }<button type="button" class="opener" popovertarget="menu">${words.menu}</button>
</div>
</header>`;
}

/** First in the document, so that readers that truncate pages still find the short versions. */
function agentLine({ locale, address }: MenuView): Markup {
  const { forAgents, asMarkdown } = WORDS[locale].frame;
  const markdown = address && markup`<a href="${address.markdownPath}">${asMarkdown}</a> · `;
  const index = markup`<a href="${indexPath(locale)}">llms.txt</a>`;
  return markup`<p class="agents">${forAgents}: ${markdown}${index}</p>`;
}

function languages({ locale, paths }: MenuView): Markup {
  const links = LOCALES.filter((other) => other !== locale).map((other) => {
    const path = paths[other] ?? homePath(other);
    const name = languageName(other, other);
    return markup`<a href="${path}" lang="${other}" hreflang="${other}">${name}</a>`;
  });
  return markup`<nav class="languages" aria-label="${
    WORDS[locale].frame.languages
  }">${links}</nav>`;
}

/** Renders the footer: groups of pages, then documents for machines. */
export function footerOf(view: MenuView): Markup {
  const { locale, siteName, navigation, footer } = view;
  const words = WORDS[locale].frame;
  const groups = [
    [words.platform, [{ path: homePath(locale), label: words.home }, ...navigation]],
    [words.company, footer],
    [words.forMachines, [
      { path: indexPath(locale), label: "llms.txt" },
      { path: "/openapi.json", label: words.apiDescription },
      { path: "/sitemap.xml", label: words.sitemap },
    ]],
  ] as const;
  const menus = groups.filter(([, links]) => links.length > 0).map(([name, links], index) => {
    const id = `group-${index}`;
    return markup`<nav aria-labelledby="${id}"><p id="${id}">${name}</p>${
      list(links, view)
    }</nav>\n`;
  });
  return markup`<footer>
<div class="groups">
<a class="brand" href="${homePath(locale)}">${siteName}</a>
${menus}</div>
</footer>`;
}

function list(links: readonly FrameLink[], view: MenuView): Markup {
  return markup`<ul>${links.map((link) => markup`<li>${anchor(link, view)}</li>`)}</ul>`;
}

function anchor({ path, label }: FrameLink, { address }: MenuView, name?: "button"): Markup {
  const handle = name && markup` class="${name}"`;
  const mark = path === address?.path && markup` aria-current="page"`;
  return markup`<a href="${path}"${handle}${mark}>${label}</a>`;
}
