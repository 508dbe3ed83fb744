/**
 * @module The HTML document around a page's fragment (WHATWG HTML; RFC 8288 link relations).
 *
 * What `<head>` says is `head.ts`. No inline style and no script: the pages' Content-Security-Policy
 * allows none. Every text is escaped here; the one thing taken as markup is the fragment.
 */

import { escapeHtml } from "./html.ts";
import { headOf, type HeadView } from "./head.ts";
import { homePath, type Locale } from "./page_path.ts";
import { indexPath, WORDS } from "./words.ts";

/** A link of the frame: the path and the name of a page. */
export interface FrameLink {
  readonly path: string;
  readonly title: string;
}

/** Everything that a document shows. Paths are of this site. */
export interface DocumentView extends HeadView {
  /** The content, as HTML that `renderMarkdown` made. */
  readonly fragment: string;
  readonly navigation: readonly FrameLink[];
  readonly footer: readonly FrameLink[];
  /** The day of the last change, `YYYY-MM-DD`. */
  readonly updated: string | undefined;
}

/** Builds the document. */
export function documentOf(view: DocumentView): string {
  const { locale, address } = view;
  const home = address?.path === homePath(locale);
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${headOf(view).join("\n")}
</head>
<body${home ? ' class="home"' : ""}>
<a class="skip" href="#content">${WORDS[locale].skip}</a>
${agentLine(view)}
${header(view)}
<main id="content">
${view.fragment.trimEnd()}${lastUpdated(view)}
</main>
${footer(view)}
</body>
</html>
`;
}

/** First in the document, so that a reader that cuts pages short still learns of the short forms. */
function agentLine({ locale, address }: DocumentView): string {
  const words = WORDS[locale];
  const index = `<a href="${indexPath(locale)}">llms.txt</a>`;
  const markdown = address === undefined
    ? []
    : [`<a href="${address.markdownPath}">${words.asMarkdown}</a>`];
  return `<p class="agents">${words.forAgents}: ${[...markdown, index].join(" · ")}</p>`;
}

function header(view: DocumentView): string {
  const { locale, siteName, navigation, address, paths } = view;
  const words = WORDS[locale];
  const items = navigation.map((link) => `<li>${anchor(link, address?.path)}</li>`);
  const languages = Object.entries(WORDS).map(([code, { language }]) => {
    if (code === locale) return `<li><span aria-current="true">${language}</span></li>`;
    const path = paths[code as Locale] ?? homePath(code as Locale);
    return `<li><a href="${path}" lang="${code}" hreflang="${code}">${language}</a></li>`;
  });
  return `<header>
<a class="brand" href="${homePath(locale)}">${escapeHtml(siteName)}</a>
<nav aria-label="${words.mainNavigation}"><ul>${items.join("")}</ul></nav>
<nav class="languages" aria-label="${words.languages}"><ul>${languages.join("")}</ul></nav>
</header>`;
}

function footer({ locale, siteName, footer, address }: DocumentView): string {
  const words = WORDS[locale];
  const links = [
    ...footer,
    { path: "/openapi.json", title: words.apiDescription },
    { path: indexPath(locale), title: "llms.txt" },
    { path: "/sitemap.xml", title: words.sitemap },
  ];
  const items = links.map((link) => `<li>${anchor(link, address?.path)}</li>`);
  return `<footer>
<p>${escapeHtml(siteName)}</p>
<nav aria-label="${words.furtherLinks}"><ul>${items.join("")}</ul></nav>
</footer>`;
}

function lastUpdated({ locale, updated }: DocumentView): string {
  if (updated === undefined) return "";
  const words = WORDS[locale];
  const day = new Intl.DateTimeFormat(words.days, { dateStyle: "long", timeZone: "UTC" })
    .format(new Date(`${updated}T00:00:00Z`));
  return `\n<p class="updated">${words.updated}: <time datetime="${updated}">${day}</time></p>`;
}

function anchor({ path, title }: FrameLink, current: string | undefined): string {
  const mark = path === current ? ' aria-current="page"' : "";
  return `<a href="${escapeHtml(path)}"${mark}>${escapeHtml(title)}</a>`;
}
