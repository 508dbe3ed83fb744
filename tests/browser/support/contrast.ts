/**
 * @module Contrast of text on pictures and gradients, where axe-core can only say that it cannot
 * tell: the pixels behind the letters are looked at (WCAG 2.2, 1.4.3).
 */

import type { Page } from "playwright-core";

/** A stretch of text: its box in the document in CSS pixels, its colour, what it must reach. */
interface Stretch {
  readonly text: string;
  readonly color: string;
  readonly least: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The texts of these elements themselves, line by line; then makes all letters disappear. */
const TAKE_LETTERS_AWAY = `(selectors) => {
  const stretches = [];
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
        stretches.push({ text, color, least, x: x + scrollX, y: y + scrollY, width, height });
      }
    }
  }
  for (const { style } of document.querySelectorAll("body, body *")) {
    style.setProperty("color", "transparent", "important");
    style.setProperty("text-decoration-color", "transparent", "important");
  }
  return stretches;
}`;

/** The lowest contrast within each stretch. Nothing is fetched, so that no policy is in the way. */
const MEASURE = `async ({ png, left, top, stretches }) => {
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
  return stretches.map(({ color, x, y, width, height }) => {
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    const ink = luminance(context.getImageData(0, 0, 1, 1).data, 0);
    context.drawImage(picture, 0, 0);
    const box = [x - left, y - top, width, height].map(Math.round);
    const { data } = context.getImageData(...box);
    let lowest = 21;
    for (let at = 0; at < data.length; at += 4) {
      const ground = luminance(data, at);
      const ratio = (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
      lowest = Math.min(lowest, ratio);
    }
    return lowest;
  });
}`;

/**
 * What is hard to read of these elements' own text. Leaves the page without letters: the last
 * thing to be done with it.
 */
export async function contrastFaults(page: Page, selectors: readonly string[]): Promise<string[]> {
  const stretches = await page.evaluate<Stretch[]>(
    `(${TAKE_LETTERS_AWAY})(${JSON.stringify(selectors)})`,
  );
  if (stretches.length === 0) return [];
  const left = Math.min(...stretches.map(({ x }) => Math.floor(x)));
  const top = Math.min(...stretches.map(({ y }) => Math.floor(y)));
  const right = Math.max(...stretches.map(({ x, width }) => Math.ceil(x + width)));
  const bottom = Math.max(...stretches.map(({ y, height }) => Math.ceil(y + height)));
  const png = await page.screenshot({
    fullPage: true,
    clip: { x: left, y: top, width: right - left, height: bottom - top },
  });
  const task = JSON.stringify({ png: png.toString("base64"), left, top, stretches });
  const ratios = await page.evaluate<number[]>(`(${MEASURE})(${task})`);
  return stretches.flatMap(({ text, least }, index) =>
    ratios[index]! >= least ? [] : [`contrast ${ratios[index]!.toFixed(2)} < ${least}: ${text}`]
  );
}
