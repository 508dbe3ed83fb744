/**
 * @module Components that the stylesheet draws, found in plain markdown that reads well without them:
 *
 * | markdown | component |
 * | --- | --- |
 * | an image without text, `![](/assets/icons.svg#name)` | an icon |
 * | a list whose items all begin in bold | `cards` |
 * | … and end in italics | `rows` |
 * | a numbered one | `steps` |
 * | … and every item with an icon | `flow`: a diagram with arrows |
 * | … and every item ends in italics | `timeline` |
 * | a quote that begins in bold | `statement`: the bold words are large |
 * | … and has a list | `screen`: a part of the product, drawn |
 * | … and ends in a line of nothing but bold words and dots | `decision`: a screen with buttons |
 *
 * The first paragraph of a screen is its name. Buttons lead to a section; if it has `rows`, then
 * decision.js shows the row of each button in the screen.
 */

import { html as markup, raw } from "@hono/hono/html";
import type { Parser, Token, Tokens } from "marked";
import type { Markup } from "./html.ts";

/** A part of a drawing in `static/assets`, which has the colour of the text around it. */
const ICON = /^\/assets\/[\w.-]+\.svg#[\w-]+$/;

export function iconOf({ href, text }: Tokens.Image): Markup | undefined {
  return text === "" && ICON.test(href) ? drawnIcon(href) : undefined;
}

export function drawnIcon(href: string): Markup {
  return markup`<svg class="icon" width="24" height="24" aria-hidden="true"><use href="${href}"/></svg>`;
}

export function listLook({ ordered, items }: Tokens.List): string | undefined {
  const texts = items.map(({ tokens: [first] }) => inlineOf(first));
  if (!texts.every(beginsInBold)) return undefined;
  const endInItalics = texts.every((tokens) => tokens.at(-1)?.type === "em");
  if (endInItalics) return ordered ? "timeline" : "rows";
  if (!ordered) return "cards";
  return texts.every(([first]) => isIcon(first)) ? "flow" : "steps";
}

/**
 * An item whose name the stylesheet may set above its text, like a heading, and then without its full
 * stop, which is a part of the text elsewhere.
 */
export function namedItem(item: string): string {
  return item.replace(
    /^((?:(?!<\/strong>).)*)\.<\/strong>/s,
    '$1<span class="stop">.</span></strong>',
  );
}

export function quoteOf({ tokens }: Tokens.Blockquote, parser: Parser): string {
  const [first] = tokens;
  const choices = tokens.length > 1 ? choicesOf(tokens.at(-1)) : [];
  const isNamed = beginsInBold(inlineOf(first));
  const hasList = isNamed && tokens.some(({ type }) => type === "list");
  if (first?.type === "paragraph" && (choices.length > 0 || hasList)) {
    const isDecision = choices.length > 0;
    const name = raw(parser.parseInline(inlineOf(first)));
    const content = raw(parser.parse(tokens.slice(1, isDecision ? -1 : undefined)));
    const buttons = raw(choices.map((one) => parser.parseInline([one])).join(" "));
    return markup`<figure class="${isDecision ? "decision" : "screen"}">
<figcaption>${name}</figcaption>
${content}${isDecision && markup`<p class="choices">${buttons}</p>\n`}</figure>\n`.toString();
  }
  const look = isNamed && markup` class="statement"`;
  return markup`<blockquote${look}>\n${raw(namedItem(parser.parse(tokens)))}</blockquote>\n`
    .toString();
}

/** The bold words of a line that has nothing else but dots between them. */
function choicesOf(last: Token | undefined): Token[] {
  const tokens = last?.type === "paragraph" ? inlineOf(last) : [];
  const choices = tokens.filter(({ type }) => type === "strong");
  const isPlain = tokens.every(({ type, raw }) => type === "strong" || raw === " · ");
  return isPlain ? choices : [];
}

function inlineOf(block: Token | undefined): Token[] {
  return block !== undefined && "tokens" in block ? block.tokens ?? [] : [];
}

/** Icons may precede the bold words. */
function beginsInBold(tokens: readonly Token[]): boolean {
  return tokens.find((token) => !isIcon(token) && token.raw !== " ")?.type === "strong";
}

function isIcon(token: Token | undefined): boolean {
  return token?.type === "image" && iconOf(token as Tokens.Image) !== undefined;
}
