/**
 * @module Renders markdown to an HTML fragment (CommonMark with GitHub's tables and autolinks).
 *
 * Raw HTML is escaped, so that a page source cannot inject scripts. Unsafe links are replaced by
 * their text, images of other sites by their alternative text. For the stylesheet, level-2 headings
 * open sections, and lists and quotes have the looks of `markdown_components.ts`.
 */

import { html as markup, raw } from "@hono/hono/html";
import { Marked, type Token, type Tokens } from "marked";
import { codeRenderer, groupCode } from "./code.ts";
import { errorAnchor } from "../schemas/error_codes.ts";
import { codeText, type Markup } from "./html.ts";
import { isSafeLink, isSitePath, slug } from "./links.ts";
import { DEFAULT_LOCALE, type Locale } from "../schemas/site_data.ts";
import { wordsOf } from "../schemas/words.ts";
import { iconOf, listLook, namedItem, quoteOf } from "./markdown_components.ts";

export interface RenderedMarkdown {
  /** The introduction, then a `<section>` for each level-2 heading. */
  readonly html: string;
  readonly headings: readonly { readonly depth: number; readonly id: string }[];
  /** The ids of rows: a row that begins with a link to `#error-CODE` describes that code. */
  readonly rows: readonly string[];
  /** All link and image targets as written, including unsafe ones. */
  readonly hrefs: readonly string[];
}

export async function renderMarkdown(
  markdown: string,
  locale: Locale = DEFAULT_LOCALE,
): Promise<RenderedMarkdown> {
  const code = await codeRenderer(markdown, { response: wordsOf(locale).reference.answer });
  const headings: { depth: number; id: string }[] = [];
  const described: string[] = [];
  const hrefs: string[] = [];
  const tableNames: string[] = [];
  const marked = new Marked({
    async: false,
    // Without HTML in the grammar `<` is always text. Escaping HTML tokens is not enough: after
    // `<script>` or `<pre>` the parser emits text unescaped.
    tokenizer: {
      html: () => undefined,
      tag: () => undefined,
      // `false` is marked's own tokenizer; compiling the expressions of these takes 12 ms.
      table: () => markdown.includes("|") ? false : undefined,
      lheading: () => UNDERLINE.test(markdown) ? false : undefined,
      def: () => markdown.includes("]:") ? false : undefined,
      paragraph(source): Tokens.Paragraph | false {
        // Nothing can interrupt a single line.
        const text = /^[^\n]+(?=\n\n|\n?$)/.exec(source)?.[0];
        if (text === undefined) return false;
        return { type: "paragraph", raw: text, text, tokens: this.lexer.inline(text) };
      },
    },
    renderer: {
      heading({ tokens, depth }: Tokens.Heading): string {
        const text = this.parser.parseInline(tokens, this.parser.textRenderer);
        const id = unique(slug(text), headings.map(({ id }) => id), "-");
        headings.push({ depth, id });
        const inline = operation(tokens) ?? raw(this.parser.parseInline(tokens));
        return markup`<h${depth} id="${id}">${inline}</h${depth}>\n`.toString();
      },
      link({ href, title, tokens }: Tokens.Link): string {
        hrefs.push(href);
        const text = this.parser.parseInline(tokens);
        if (!isSafeLink(href)) return text;
        return markup`<a href="${href}"${titleAttribute(title)}>${raw(text)}</a>`.toString();
      },
      image(image: Tokens.Image): string {
        const { href, title, text } = image;
        hrefs.push(href);
        const icon = iconOf(image);
        if (icon) return icon.toString();
        if (!isSitePath(href)) return markup`${text}`.toString();
        return markup`<img src="${href}" alt="${text}"${titleAttribute(title)}>`.toString();
      },
      code,
      codespan: ({ text }: Tokens.Codespan) => markup`<code>${codeText(text)}</code>`.toString(),
      blockquote(quote: Tokens.Blockquote): string {
        return quoteOf(quote, this.parser);
      },
      list(list: Tokens.List): string {
        const { ordered, start, items } = list;
        const tag = ordered ? "ol" : "ul";
        const from = ordered && start !== 1 && markup` start="${start}"`;
        const look = listLook(list);
        const name = look && markup` class="${look}"`;
        const texts = items.map((item) => this.listitem(item));
        const content = raw((look ? texts.map(namedItem) : texts).join(""));
        return markup`<${tag}${from}${name}>\n${content}</${tag}>\n`.toString();
      },
      // Wide tables scroll, so they must be focusable and have a name. If the first column has no
      // header, its cells are row headers, and each cell names its column, for the stylesheet.
      table({ header, rows }: Tokens.Table): string {
        const columns = header.map(({ tokens }) =>
          this.parser.parseInline(tokens, this.parser.textRenderer)
        );
        const name = unique(columns.filter((column) => column !== "").join(", "), tableNames, " ");
        tableNames.push(name);
        const head = header.map(({ tokens }, index) =>
          columns[index] === ""
            ? markup`<td></td>`
            : markup`<th scope="col">${raw(this.parser.parseInline(tokens))}</th>`
        );
        const isCompared = columns[0] === "";
        const body = rows.map((row) => {
          const cells = row.map(({ tokens }, index) => {
            const text = raw(this.parser.parseInline(tokens));
            if (!isCompared) return markup`<td>${text}</td>`;
            return index === 0
              ? markup`<th scope="row">${text}</th>`
              : markup`<td data-column="${columns[index]}">${text}</td>`;
          });
          const [first, ...others] = row[0]!.tokens;
          const href = first?.type === "link" && others.length === 0 ? String(first["href"]) : "";
          if (!href.startsWith(`#${errorAnchor("")}`)) return markup`<tr>${cells}</tr>\n`;
          described.push(href.slice(1));
          return markup`<tr id="${href.slice(1)}">${cells}</tr>\n`;
        });
        const table =
          markup`<table><thead><tr>${head}</tr></thead><tbody>\n${body}</tbody></table>`;
        return markup`<div class="table" role="group" aria-label="${name}" tabindex="0">${table}</div>\n`
          .toString();
      },
    },
  });
  const [intro = [], ...sections] = splitAtSections(groupCode(marked.lexer(markdown)));
  const parts = [marked.parser(intro)];
  for (const section of sections) {
    const first = headings.length;
    const content = raw(marked.parser(section));
    const id = headings[first]?.id;
    parts.push(markup`<section aria-labelledby="${id}">\n${content}</section>\n`.toString());
  }
  return { html: parts.join(""), headings, rows: described, hrefs };
}

/** Below a heading without `#`. */
const UNDERLINE = /^[ >\t]*(?:=+|-+)[ \t]*$/m;

function splitAtSections(blocks: readonly Token[]): Token[][] {
  const sections: Token[][] = [[]];
  for (const block of blocks) {
    if (block.type === "heading" && block["depth"] === 2) sections.push([]);
    sections.at(-1)?.push(block);
  }
  return sections;
}

const OPERATION = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) (\S+)$/;

/** The method as a badge, if the heading consists of a method and a path in one code span. */
function operation([first, ...others]: readonly Token[]): Markup | undefined {
  if (first?.type !== "codespan" || others.length > 0) return undefined;
  const [, method, path] = OPERATION.exec(first["text"]) ?? [];
  if (method === undefined) return undefined;
  const handle = `method ${method.toLowerCase()}`;
  return markup`<span class="${handle}">${method}</span> <code>${codeText(path!)}</code>`;
}

function titleAttribute(title: string | null | undefined): Markup | undefined {
  return title ? markup` title="${title}"` : undefined;
}

/** Appends a number if the text is taken. */
function unique(text: string, taken: readonly string[], separator: string): string {
  let free = text;
  for (let next = 2; taken.includes(free); next++) free = `${text}${separator}${next}`;
  return free;
}
