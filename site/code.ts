/**
 * @module Renders blocks of code. Consecutive blocks with labels ("bash curl") are one group of tabs. Those
 * whose label begins with a status ("json 200 OK") are responses, shown beside the requests. Tabs are radio
 * buttons, and more than two responses a menu: without a stylesheet every block is shown.
 *
 * Colours are classes, made when the page is rendered.
 */

import { html as markup, raw } from "@hono/hono/html";
import type { Token, Tokens } from "marked";
import { codeText, type Markup } from "./html.ts";

/** A block of code with those that follow it. */
export interface CodeGroup extends Tokens.Code {
  readonly blocks?: readonly Tokens.Code[];
}

/** Colours a text; returns HTML. */
type Painter = (text: string, language: string | undefined) => Markup;

/** The classes of the stylesheet, by the highlighter's names; the other tokens are plain text. */
const CLASSES: Readonly<Record<string, string>> = {
  ...{ keyword: "k", string: "s", property: "p", class: "n", comment: "c" },
};

/** Longer texts stay plain: the time that scripts with many `<` take grows with their square. */
const LONGEST_PAINTED = 4_000;

/** More responses than these are a menu, for which `static/styles/code.css` has this many rules. */
const MOST_TABS = 2;
const LONGEST_MENU = 16;

/** Makes each run of blocks with labels one token. */
export function groupCode(tokens: readonly Token[]): Token[] {
  const grouped: Token[] = [];
  let group: Tokens.Code[] = [];
  for (const token of tokens) {
    if (token.type === "space") continue;
    const isLabelled = token.type === "code" && / \S/.test(token["lang"] ?? "");
    if (!isLabelled) group = [];
    else if (group.push(token as Tokens.Code) > 1) continue;
    grouped.push(isLabelled ? { ...token, blocks: group } : token);
  }
  return grouped;
}

/**
 * Returns the function that renders the groups of a page; loads the highlighter if it may have code.
 *
 * @param words.response the name of a menu
 */
export async function codeRenderer(
  markdown: string,
  { response: menuName }: { readonly response: string },
): Promise<(group: CodeGroup) => string> {
  const paint = /```|~~~|^ {4}/m.test(markdown) ? await loadPainter() : codeText;
  let count = 0;
  return ({ blocks, ...block }) => {
    const all = (blocks ?? [block as Tokens.Code]).map((block) => blockOf(block, paint));
    const { request = [], response = [] } = Object.groupBy(
      all,
      ({ isResponse }) => isResponse ? "response" : "request",
    );
    const isMenu = response.length > MOST_TABS && response.length <= LONGEST_MENU;
    const parts = [
      ...request.length > 0 ? [tabs(request, `code-${++count}`)] : [],
      ...isMenu ? [menu(response, menuName)] : [],
      ...response.length > 0 && !isMenu ? [tabs(response, `code-${++count}`)] : [],
    ];
    const html = parts.length > 1 ? markup`<div class="exchange">\n${parts}</div>\n` : parts;
    return markup`${html}`.toString();
  };
}

interface Block {
  readonly label: string;
  readonly isResponse: boolean;
  /** Classes of the name, with the first digit of a response's status. */
  readonly handle: string;
  readonly pre: Markup;
}

function blockOf({ text, lang = "" }: Tokens.Code, paint: Painter): Block {
  const [, language, label = ""] = /^([\w-]+)?\s*(.*)$/.exec(lang) ?? [];
  const [, status] = /^([1-5])\d\d\b/.exec(label) ?? [];
  const attribute = language && markup` class="language-${language}"`;
  const painted = paint(text, language);
  // Marked, so that the stylesheet can indent the parts that wrap.
  const lines = language === "json" || language === "http"
    ? raw(`${painted}`.replace(LONG_LINE, '<span class="l">$&</span>'))
    : painted;
  return {
    label: label || (language ?? ""),
    isResponse: status !== undefined,
    handle: status === undefined ? "tab" : `tab status-${status}`,
    // Scrollable blocks must be focusable (WCAG 2.1.1).
    pre: markup`<pre tabindex="0"><code${attribute}>${lines}\n</code></pre>\n`,
  };
}

function tabs(blocks: readonly Block[], name: string): Markup {
  if (blocks.length === 1) return markup`<div class="code">\n${blocks.map(named)}</div>\n`;
  const rows = blocks.map(({ label, handle, pre }, index) => {
    const radio = markup`<input type="radio" name="${name}"${index === 0 && " checked"}>`;
    return markup`<label class="${handle}">${radio}${label}</label>${pre}`;
  });
  const names = blocks.map(({ label }) => label).join(", ");
  return markup`<div class="code" role="group" aria-label="${names}">\n${rows}</div>\n`;
}

function menu(blocks: readonly Block[], name: string): Markup {
  const options = blocks.map(({ label }) => markup`<option>${label}</option>`);
  const select = markup`<select aria-label="${name}">${options}</select>`;
  return markup`<div class="code">\n${select}\n${blocks.map(named)}</div>\n`;
}

function named({ label, handle, pre }: Block): Markup {
  return markup`${label && markup`<span class="${handle}">${label}</span>`}${pre}`;
}

/** Lines that may wrap; not those with a part of what spans several lines. */
const LONG_LINE = /^(?=.{70})(?:<span[^>]*>[^<\n]*<\/span>|[^<\n])+$/gm;

async function loadPainter(): Promise<Painter> {
  const [{ SugarHigh, tokenize }, { lang, languages }] = await Promise.all([
    import("sugar-high/core"),
    import("sugar-high/lang"),
  ]);
  return function paint(text, language = ""): Markup {
    if (text.length > LONGEST_PAINTED) return codeText(text);
    if (language === "http") {
      const [head = "", ...body] = text.split(/(?=\n\n)/);
      return markup`${spans(fieldsOf(head))}${paint(body.join(""), "json")}`;
    }
    // The highlighter takes 3.1.1 for a number and a rest.
    if (language === "yaml") return spans(fieldsOf(text));
    const known = languages.find(({ id }) => id === lang(language));
    if (known === undefined) return codeText(text);
    const tokens = tokenize(text, { ...known.config, templateStrings: true });
    const isShell = known.id === "shell";
    return spans(tokens.map(([index, value]) => {
      const type = SugarHigh.TokenTypes[index]!;
      // Numbers and options of a command are no values; properties are coloured as keys of JSON only.
      const isPlain = type === "class" ? isShell : type === "property" && !value.startsWith('"');
      return [isPlain ? undefined : CLASSES[type], value];
    }));
  };
}

type Span = readonly [name: string | undefined, text: string];

/** Names and values of header fields, and keys and values of YAML. */
function fieldsOf(text: string): Span[] {
  const parts = text.split(/^([ -]*[\w-]+)(?=:(?: |$))/m);
  return parts.map((part, index) => [index % 2 === 1 ? "p" : undefined, part]);
}

/** Neighbours of one class share an element. */
function spans(parts: readonly Span[]): Markup {
  const merged: [name: string | undefined, text: string][] = [];
  for (const [name, text] of parts) {
    const last = merged.at(-1);
    if (last !== undefined && last[0] === name) last[1] += text;
    else merged.push([name, text]);
  }
  return raw(
    merged.map(([name, text]) =>
      name === undefined ? String(codeText(text)) : `<span class="${name}">${codeText(text)}</span>`
    ).join(""),
  );
}
