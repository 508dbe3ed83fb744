/** @module Problems of an open page as text; also the contrast of text on images, which axe-core lacks. */

import axe from "axe-core";
import type { Page } from "playwright-core";
import { capture } from "./browser.ts";

interface Finding {
  readonly id: string;
  readonly nodes: readonly {
    readonly html: string;
    readonly target: readonly string[];
    readonly failureSummary?: string;
    readonly any: readonly { readonly data: { readonly messageKey?: string } | null }[];
  }[];
}

/**
 * Why axe-core cannot measure a contrast: text on an image or of one character, which is measured here, or
 * under another element.
 */
const ON_IMAGE = ["bgGradient", "bgImage", "imgNode", "pseudoContent", "shortTextContent"];
const UNDER_ELEMENT = ["bgOverlap", "elmPartiallyObscured", "elmPartiallyObscuring"];

/** Loads axe-core into every further document, which is 0.1 s faster than into each. */
export function loadAxe(page: Page): Promise<unknown> {
  return page.addInitScript(axe.source);
}

/** The default rules (WCAG A and AA, best practices) and target size from WCAG 2.2. */
const OPTIONS = {
  rules: { "target-size": { enabled: true } },
  resultTypes: ["violations", "incomplete"],
};

/** Reports what axe-core finds, and low contrast on images. May leave the page without text. */
export async function axeProblems(page: Page): Promise<string[]> {
  const [violations, incomplete] = await runAxe(page, OPTIONS);
  const nodes = incomplete.flatMap((finding) => finding.nodes);
  const onImage = nodes.filter(because(ON_IMAGE)).map(({ target }) => target.join(" "));
  const isExplained = because([...ON_IMAGE, ...UNDER_ELEMENT]);
  const others = incomplete
    .map(({ id, nodes }) => ({ id, nodes: nodes.filter((node) => !isExplained(node)) }));
  return [...[...violations, ...others].flatMap(linesOf), ...await contrastProblems(page, onImage)];
}

/** Reports body text of a contrast below 7, or 4.5 if large (WCAG 2.2, 1.4.6). As `axeProblems`. */
export async function bodyContrastProblems(page: Page): Promise<string[]> {
  const [violations, incomplete] = await runAxe(page, { runOnly: ["color-contrast-enhanced"] });
  const [low, unknown] = [violations, incomplete].map((findings) =>
    findings.map(({ id, nodes }) => ({ id, nodes: nodes.filter(({ html }) => BODY.test(html)) }))
  );
  const onImage = unknown!.flatMap(({ nodes }) => nodes).filter(because(ON_IMAGE))
    .map(({ target }) => target.join(" "));
  return [...low!.flatMap(linesOf), ...await contrastProblems(page, onImage, [4.5, 7])];
}

const BODY = /^<(?:p|li|td)[ >]/;

async function runAxe(page: Page, options: object): Promise<[Finding[], Finding[]]> {
  if (!await page.evaluate("'axe' in globalThis")) await page.evaluate(axe.source);
  return await page.evaluate(
    `axe.run(document, ${JSON.stringify(options)})
      .then(({ violations, incomplete }) => [violations, incomplete])`,
  );
}

function because(keys: readonly string[]): (node: Finding["nodes"][number]) => boolean {
  return ({ any }) => any.some(({ data }) => keys.includes(data?.messageKey ?? ""));
}

function linesOf({ id, nodes }: Finding): string[] {
  return nodes.map(({ target, failureSummary = "" }) =>
    `axe ${id}: ${target.join(" ")}: ${failureSummary.split("\n").at(1)?.trim()}`
  );
}

export async function shapeProblems(page: Page, locale: string): Promise<string[]> {
  const [headings, title, language, excess] = await page.evaluate<[number, string, string, number]>(
    `[
      document.querySelectorAll("h1").length, document.title, document.documentElement.lang,
      document.documentElement.scrollWidth - document.documentElement.clientWidth,
    ]`,
  );
  return [
    ...(headings === 1 ? [] : [`${headings} h1`]),
    ...(title.trim() === "" ? ["no title"] : []),
    ...(language === locale ? [] : [`language is "${language}"`]),
    ...(excess <= 0 ? [] : [`${excess} px too wide`]),
  ];
}

/** A line of text with its box in the document in CSS pixels. */
interface Line extends Readonly<Record<"x" | "y" | "width" | "height", number>> {
  readonly text: string;
  readonly color: string;
  readonly least: number;
}

/** Returns the lines of the elements' own texts, and hides all text. */
const HIDE_TEXT = `(selectors, [large, normal]) => {
  const lines = [];
  for (const element of selectors.map((selector) => document.querySelector(selector))) {
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    const size = parseFloat(fontSize);
    const least = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700) ? large : normal;
    for (const node of element.childNodes) {
      if (node.nodeType !== Node.TEXT_NODE || node.data.trim() === "") continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const { left, right } = element.closest(".table, body").getBoundingClientRect();
      for (const { x, y, width, height } of range.getClientRects()) {
        if (x + width > right || x < left) continue; // a table's that has to be scrolled to
        const text = node.data.trim().slice(0, 40);
        lines.push({ text, color, least, x: x + scrollX, y: y + scrollY, width, height });
      }
    }
  }
  for (const { style } of document.querySelectorAll("body, body *")) {
    style.setProperty("color", "transparent", "important");
    style.setProperty("text-decoration-color", "transparent", "important");
  }
  return lines;
}`;

/** Returns the lowest contrast of each line. The page's policy forbids it to fetch. */
const MEASURE = `async ({ png, lines }) => {
  const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes]));
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(picture, 0, 0);
  const swatch = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const luminance = (pixels, at) => {
    const [r, g, b] = [0, 1, 2].map((channel) => {
      const value = pixels[at + channel] / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  return lines.map(({ color, x, y, width, height }) => {
    swatch.clearRect(0, 0, 1, 1);
    swatch.fillStyle = color;
    swatch.fillRect(0, 0, 1, 1);
    const ink = luminance(swatch.getImageData(0, 0, 1, 1).data, 0);
    const { data } = context.getImageData(...[x, y, width, height].map(Math.round));
    let lowest = 21;
    for (let at = 0; at < data.length; at += 4) {
      const ground = luminance(data, at);
      const [dark, light] = [ink, ground].sort((a, b) => a - b);
      lowest = Math.min(lowest, (light + 0.05) / (dark + 0.05));
    }
    return lowest;
  });
}`;

/** Reports low contrast of the elements' own texts. Leaves the page without text. */
async function contrastProblems(
  page: Page,
  selectors: readonly string[],
  least: readonly [large: number, normal: number] = [3, 4.5],
): Promise<string[]> {
  const list = JSON.stringify(selectors);
  const lines = await page.evaluate<Line[]>(`(${HIDE_TEXT})(${list}, ${JSON.stringify(least)})`);
  if (lines.length === 0) return [];
  const png = (await capture(page, { fullPage: true })).toBase64();
  const ratios = await page.evaluate<number[]>(`(${MEASURE})(${JSON.stringify({ png, lines })})`);
  return lines.flatMap(({ text, least }, index) =>
    ratios[index]! >= least ? [] : [`contrast ${ratios[index]!.toFixed(2)} < ${least}: ${text}`]
  );
}
