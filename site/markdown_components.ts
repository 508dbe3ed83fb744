/**
 * @module Components that the stylesheet draws, found in plain markdown that reads well without them:
 *
 * | markdown | component |
 * | --- | --- |
 * | an image without text, `![](/assets/icons.svg#name)` | an icon |
 * | a list whose items all begin in bold | `cards` |
 * | the same, numbered | `steps` |
 * | … and every item with an icon | `flow`: a diagram with arrows |
 * | … and every item ends in italics | `timeline` |
 * | a quote that begins in bold | `statement`: the bold words are large |
 * | a quote that ends in a line of nothing but bold words and dots | `decision`: a card with buttons |
 *
 * The buttons are a picture of buttons. The first paragraph of a decision is its name.
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
  if (!ordered) return "cards";
  if (texts.every((tokens) => tokens.at(-1)?.type === "em")) return "timeline";
  return texts.every(([first]) => isIcon(first)) ? "flow" : "steps";
}

export function quoteOf({ tokens }: Tokens.Blockquote, parser: Parser): string {
  const [first] = tokens;
  const choices = tokens.length > 1 ? choicesOf(tokens.at(-1)) : [];
  if (first?.type === "paragraph" && choices.length > 0) {
    const name = raw(parser.parseInline(inlineOf(first)));
    const content = raw(parser.parse(tokens.slice(1, -1)));
    const buttons = raw(choices.map((one) => parser.parseInline([one])).join(" "));
    return markup`<figure class="decision">\n<figcaption>${name}</figcaption>
${content}<p class="choices">${buttons}</p>\n</figure>\n`.toString();
  }
  const look = beginsInBold(inlineOf(first)) && markup` class="statement"`;
  return markup`<blockquote${look}>\n${raw(parser.parse(tokens))}</blockquote>\n`.toString();
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
