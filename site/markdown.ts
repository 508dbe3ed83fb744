/**
 * @module Markdown into an HTML fragment (CommonMark with GitHub's tables and autolinks).
 *
 * Raw HTML has no meaning here: it comes out as the text that it is, so that a careless author
 * cannot inject a script. A link with a scheme beyond http, https and mailto becomes its text, an
 * image from elsewhere its alternative text. The parser is loaded with the first page.
 */

import type { Marked, Tokens } from "marked";
import { escapeHtml } from "./html.ts";
import { isSafeLink, isSitePath } from "./links.ts";

/** A rendered text and what was seen in it. */
export interface RenderedMarkdown {
  readonly html: string;
  readonly headings: readonly { readonly depth: number; readonly id: string }[];
  /** Every link and image target, refused ones included, as written. */
  readonly hrefs: readonly string[];
}

/** Renders markdown to an HTML fragment. */
export async function renderMarkdown(markdown: string): Promise<RenderedMarkdown> {
  const { Marked } = await import("marked");
  const headings: { depth: number; id: string }[] = [];
  const hrefs: string[] = [];
  const marked = new Marked({ async: false });
  refuseHtml(marked);
  marked.use({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading): string {
        const text = this.parser.parseInline(tokens, this.parser.textRenderer);
        const id = uniqueId(slug(text), headings.map((heading) => heading.id));
        headings.push({ depth, id });
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, title, tokens }: Tokens.Link): string {
        hrefs.push(href);
        const text = this.parser.parseInline(tokens);
        if (!isSafeLink(href)) return text;
        return `<a href="${escapeHtml(href)}"${titleAttribute(title)}>${text}</a>`;
      },
      image({ href, title, text }: Tokens.Image): string {
        hrefs.push(href);
        if (!isSitePath(href)) return escapeHtml(text);
        const alt = escapeHtml(text);
        return `<img src="${escapeHtml(href)}" alt="${alt}"${titleAttribute(title)}>`;
      },
      code({ text, lang }: Tokens.Code): string {
        const language = /^[\w-]+/.exec(lang ?? "")?.[0];
        const attribute = language === undefined ? "" : ` class="language-${language}"`;
        // Wide blocks scroll; what scrolls must be reachable by keyboard (WCAG 2.1.1).
        return `<pre tabindex="0"><code${attribute}>${escapeHtml(text)}\n</code></pre>\n`;
      },
      table({ header, rows }: Tokens.Table): string {
        const cells = (row: Tokens.TableCell[]) => row.map((cell) => this.tablecell(cell)).join("");
        const head = `<thead><tr>${cells(header)}</tr></thead>`;
        const body = rows.map((row) => `<tr>${cells(row)}</tr>`).join("\n");
        return `<div class="table" tabindex="0"><table>${head}<tbody>\n${body}\n</tbody></table></div>\n`;
      },
      tablecell({ tokens, header }: Tokens.TableCell): string {
        const content = this.parser.parseInline(tokens);
        return header ? `<th scope="col">${content}</th>` : `<td>${content}</td>`;
      },
    },
  });
  const html = marked.parse(markdown, { async: false });
  return { html, headings, hrefs };
}

/**
 * Takes HTML out of the grammar, so that `<` is text everywhere. Escaping the tokens instead would
 * not do: after a `<script>` or `<pre>` the parser passes on text unescaped.
 */
function refuseHtml(marked: Marked): void {
  marked.use({ tokenizer: { html: () => undefined, tag: () => undefined } });
}

function titleAttribute(title: string | null | undefined): string {
  return title ? ` title="${escapeHtml(title)}"` : "";
}

/** ASCII only, so that a fragment reads the same in a URL: "Prüfbare Schritte" is pruefbare-schritte. */
function slug(text: string): string {
  const ascii = text.toLowerCase()
    .replace(/[äöü]/g, (vowel) => ({ ä: "ae", ö: "oe", ü: "ue" })[vowel] ?? vowel)
    .replaceAll("ß", "ss").normalize("NFKD").replace(/[\u0300-\u036f]/g, "")
    .replace(/&[a-z#0-9]+;/g, " ");
  return ascii.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "section";
}

function uniqueId(base: string, taken: readonly string[]): string {
  let id = base;
  for (let next = 2; taken.includes(id); next++) id = `${base}-${next}`;
  return id;
}
