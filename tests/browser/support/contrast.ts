/** @module Contrast of text on images (WCAG 2.2, 1.4.3), which axe-core cannot measure. */

import type { Page } from "playwright-core";

/** A line of text with its box in the document in CSS pixels. */
interface Line extends Readonly<Record<"x" | "y" | "width" | "height", number>> {
  readonly text: string;
  readonly color: string;
  /** The required contrast. */
  readonly least: number;
}

/** Returns the lines of the elements' own texts, and hides all text. */
const HIDE_TEXT = `(selectors) => {
  const lines = [];
  for (const element of selectors.map((selector) => document.querySelector(selector))) {
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    const size = parseFloat(fontSize);
    const least = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700) ? 3 : 4.5;
    for (const node of element.childNodes) {
      if (node.nodeType !== Node.TEXT_NODE || node.data.trim() === "") continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const { x, y, width, height } of range.getClientRects()) {
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
  const luminance = (pixels, at) => {
    const [r, g, b] = [0, 1, 2].map((channel) => {
      const value = pixels[at + channel] / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  return lines.map(({ color, x, y, width, height }) => {
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    const ink = luminance(context.getImageData(0, 0, 1, 1).data, 0);
    context.drawImage(picture, 0, 0);
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
export async function contrastFaults(page: Page, selectors: readonly string[]): Promise<string[]> {
  const lines = await page.evaluate<Line[]>(`(${HIDE_TEXT})(${JSON.stringify(selectors)})`);
  if (lines.length === 0) return [];
  const png = (await page.screenshot({ fullPage: true })).toString("base64");
  const ratios = await page.evaluate<number[]>(`(${MEASURE})(${JSON.stringify({ png, lines })})`);
  return lines.flatMap(({ text, least }, index) =>
    ratios[index]! >= least ? [] : [`contrast ${ratios[index]!.toFixed(2)} < ${least}: ${text}`]
  );
}
