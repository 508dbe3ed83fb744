/**
 * @module The HTML document around a page's fragment (WHATWG HTML; RFC 8288 link relations).
 *
 * No inline style and no script: the pages' Content-Security-Policy allows none. Every text is
 * escaped here; the one thing taken as markup is the fragment.
 */

import { escapeHtml } from "./html.ts";
import { DEFAULT_LOCALE, homePath, type Locale } from "./page_path.ts";
import { indexPath, WORDS } from "./words.ts";

/** A link of the frame: the path and the name of a page. */
export interface FrameLink {
  readonly path: string;
  readonly title: string;
}

/** Everything that a document shows. Paths are of this site. */
export interface DocumentView {
  readonly siteName: string;
  readonly siteUrl: string;
  readonly locale: Locale;
  readonly title: string;
  readonly description: string;
  /** The content, as HTML that `renderMarkdown` made. */
  readonly fragment: string;
  /** Undefined for what is no page, such as an error: it is kept out of search indexes. */
  readonly address: { readonly path: string; readonly markdownPath: string } | undefined;
  /** Where each language has this page, itself included; elsewhere the switch leads to the home page. */
  readonly paths: Readonly<Partial<Record<Locale, string>>>;
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
<title>${escapeHtml(documentTitle(view))}</title>
<meta name="description" content="${escapeHtml(view.description)}">
<meta name="color-scheme" content="light dark">
${headLinks(view).join("\n")}
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

/** Title and site name, unless the title already has the name. */
function documentTitle({ title, siteName }: DocumentView): string {
  return title.includes(siteName) ? title : `${title} – ${siteName}`;
}

function headLinks({ siteUrl, locale, address, paths }: DocumentView): string[] {
  const common = [
    `<link rel="describedby" type="text/plain" href="${indexPath(locale)}">`,
    '<link rel="icon" type="image/svg+xml" href="/assets/favicon.svg">',
    '<link rel="stylesheet" href="/assets/site.css">',
  ];
  if (address === undefined) return ['<meta name="robots" content="noindex">', ...common];
  const alternate = (language: string, path: string) =>
    `<link rel="alternate" hreflang="${language}" href="${escapeHtml(siteUrl + path)}">`;
  const languages = Object.entries(paths).map(([language, path]) => alternate(language, path));
  const fallback = paths[DEFAULT_LOCALE];
  return [
    `<link rel="canonical" href="${escapeHtml(siteUrl + address.path)}">`,
    ...languages,
    ...(fallback === undefined ? [] : [alternate("x-default", fallback)]),
    `<link rel="alternate" type="text/markdown" href="${address.markdownPath}">`,
    ...common,
  ];
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
