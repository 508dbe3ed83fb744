/**
 * @module Markdown into an HTML fragment (CommonMark with GitHub's tables and autolinks).
 *
 * Raw HTML has no meaning here: it comes out as the text that it is, so that a careless author
 * cannot inject a script. A link with a scheme beyond http, https and mailto becomes its text, an
 * image from elsewhere its alternative text. The parser is loaded with the first page.
 *
 * Gives the stylesheet its handles: a section a level-2 heading, `cards` and `steps` for lists
 * whose items all begin in bold. How they look is not decided here.
 */

import { html as markup, raw } from "@hono/hono/html";
import type { Marked, Token, Tokens } from "marked";
import { lazy } from "../schemas/lazy.ts";
import { codeText, type Markup } from "./html.ts";
import { isSafeLink, isSitePath } from "./links.ts";

/** A rendered text and what was seen in it. */
export interface RenderedMarkdown {
  /** What comes before the first level-2 heading, then a `<section>` for each. */
  readonly html: string;
  readonly headings: readonly { readonly depth: number; readonly id: string }[];
  /** Every link and image target, refused ones included, as written. */
  readonly hrefs: readonly string[];
}

const library = lazy(() => import("marked"));

/** Ids of the frame and the contact form, not for headings: styles, labels and links mean those. */
const TAKEN_IDS = [
  ...["content", "contents", "menu", "group-0", "group-1", "group-2"],
  ...["contact-form", "contact-words", "form-notice", "form-outcome"],
  ...["email", "company", "plan", "message", "website"]
    .flatMap((field) => [field, `${field}-hint`, `${field}-fault`]),
];

/** Renders markdown to an HTML fragment. */
export async function renderMarkdown(markdown: string): Promise<RenderedMarkdown> {
  const { Marked } = await library();
  const headings: { depth: number; id: string }[] = [];
  const hrefs: string[] = [];
  const marked = new Marked({ async: false });
  refuseHtml(marked);
  presentTables(marked);
  marked.use({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading): string {
        const text = this.parser.parseInline(tokens, this.parser.textRenderer);
        const among = [...TAKEN_IDS, ...headings.map(({ id }) => id)];
        const id = unique(slug(text), { among, join: "-" });
        headings.push({ depth, id });
        const inline = raw(this.parser.parseInline(tokens));
        return markup`<h${depth} id="${id}">${inline}</h${depth}>\n`.toString();
      },
      link({ href, title, tokens }: Tokens.Link): string {
        hrefs.push(href);
        const text = this.parser.parseInline(tokens);
        if (!isSafeLink(href)) return text;
        return markup`<a href="${href}"${titleAttribute(title)}>${raw(text)}</a>`.toString();
      },
      image({ href, title, text }: Tokens.Image): string {
        hrefs.push(href);
        if (!isSitePath(href)) return markup`${text}`.toString();
        return markup`<img src="${href}" alt="${text}"${titleAttribute(title)}>`.toString();
      },
      code({ text, lang }: Tokens.Code): string {
        const language = /^[\w-]+/.exec(lang ?? "")?.[0];
        const attribute = language && markup` class="language-${language}"`;
        // Wide blocks scroll; what scrolls must be reachable by keyboard (WCAG 2.1.1).
        return markup`<pre tabindex="0"><code${attribute}>${codeText(text)}\n</code></pre>\n`
          .toString();
      },
      codespan: ({ text }: Tokens.Codespan) => markup`<code>${codeText(text)}</code>`.toString(),
      list({ ordered, start, items }: Tokens.List): string {
        const tag = ordered ? "ol" : "ul";
        const from = ordered && start !== 1 && markup` start="${start}"`;
        const look = items.every(beginsInBold) && markup` class="${ordered ? "steps" : "cards"}"`;
        const content = raw(items.map((item) => this.listitem(item)).join(""));
        return markup`<${tag}${from}${look}>\n${content}</${tag}>\n`.toString();
      },
    },
  });
  const [intro = [], ...sections] = splitAtSections(marked.lexer(markdown));
  const parts = [marked.parser(intro)];
  for (const section of sections) {
    const first = headings.length;
    const content = raw(marked.parser(section));
    const id = headings[first]?.id;
    parts.push(markup`<section aria-labelledby="${id}">\n${content}</section>\n`.toString());
  }
  return { html: parts.join(""), headings, hrefs };
}

/** The blocks before the first level-2 heading, then those from each to the next. */
function splitAtSections(blocks: readonly Token[]): Token[][] {
  const sections: Token[][] = [[]];
  for (const block of blocks) {
    if (block.type === "heading" && block["depth"] === 2) sections.push([]);
    sections.at(-1)?.push(block);
  }
  return sections;
}

function beginsInBold({ tokens }: Tokens.ListItem): boolean {
  const [first] = tokens;
  return first !== undefined && "tokens" in first && first.tokens?.[0]?.type === "strong";
}

/**
 * Takes HTML out of the grammar, so that `<` is text everywhere. Escaping the tokens instead would
 * not do: after a `<script>` or `<pre>` the parser passes on text unescaped.
 */
function refuseHtml(marked: Marked): void {
  marked.use({ tokenizer: { html: () => undefined, tag: () => undefined } });
}

/**
 * Tables scroll on narrow screens; what scrolls must be reachable by keyboard and have a name. Where
 * the first column has no heading, its cells are the headings of their rows.
 */
function presentTables(marked: Marked): void {
  const names: string[] = [];
  marked.use({
    renderer: {
      table({ header, rows }: Tokens.Table): string {
        const columns = header.map(({ tokens }) =>
          this.parser.parseInline(tokens, this.parser.textRenderer)
        );
        const name = unique(columns.filter((column) => column !== "").join(", "), {
          among: names,
          join: " ",
        });
        names.push(name);
        const head = header.map((cell) => raw(this.tablecell(cell)));
        const body = rows.map((row) => {
          const cells = row.map((cell, index) =>
            columns[0] === "" && index === 0
              ? markup`<th scope="row">${raw(this.parser.parseInline(cell.tokens))}</th>`
              : raw(this.tablecell(cell))
          );
          return markup`<tr>${cells}</tr>\n`;
        });
        const table =
          markup`<table><thead><tr>${head}</tr></thead><tbody>\n${body}</tbody></table>`;
        return markup`<div class="table" role="group" aria-label="${name}" tabindex="0">${table}</div>\n`
          .toString();
      },
      tablecell({ tokens, header }: Tokens.TableCell): string {
        const content = this.parser.parseInline(tokens);
        if (!header) return `<td>${content}</td>`;
        return content === "" ? "<td></td>" : `<th scope="col">${content}</th>`;
      },
    },
  });
}

function titleAttribute(title: string | null | undefined): Markup | undefined {
  return title ? markup` title="${title}"` : undefined;
}

/** ASCII only, so that a fragment reads the same in a URL: "Prüfbare Schritte" is pruefbare-schritte. */
function slug(text: string): string {
  const ascii = text.toLowerCase()
    .replace(/[äöü]/g, (vowel) => ({ ä: "ae", ö: "oe", ü: "ue" })[vowel] ?? vowel)
    .replaceAll("ß", "ss").normalize("NFKD").replace(/[\u0300-\u036f]/g, "")
    .replace(/&[a-z#0-9]+;/g, " ");
  return ascii.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "section";
}

/** The text itself, or with the next free number behind it. */
function unique(
  text: string,
  { among, join }: { readonly among: readonly string[]; readonly join: string },
): string {
  let free = text;
  for (let next = 2; among.includes(free); next++) free = `${text}${join}${next}`;
  return free;
}
