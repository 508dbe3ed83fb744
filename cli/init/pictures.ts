/** @module The brand's pictures, from a logo or a mark in its colours: icons, link preview, drawings. */

import { initWasm, Resvg } from "@resvg/resvg-wasm";
import wasm from "@resvg/resvg-wasm/index_bg.wasm" with { type: "bytes" };
import { ValueFault } from "../../config/readers.ts";

await initWasm(wasm);

/** What a logo must not contain; what is missed here, redrawing drops. */
const REFUSED: readonly (readonly [RegExp, fault: string])[] = [
  [
    /<\s*([\w.-]+:)?(script|foreignObject|animate\w*|set|a)\b|[\s"'/]on\w+\s*=|<!ENTITY/i,
    "must have no scripts, links, animations or entities",
  ],
  [
    /\b(href|src)\s*=\s*["']?(?!["'#]|data:image\/(png|jpeg|gif|webp)[;,])|@import|url\(\s*["']?(?!["'\s#])/i,
    "must not refer to other files",
  ],
  [/<\s*([\w.-]+:)?text\b/i, "must have its text as paths: fonts differ"],
  [/^[^]{500001}/, "must have at most 500 kB"],
];

/**
 * Reads a logo and redraws it: what is served has only shapes and embedded pixels.
 *
 * @throws {ValueFault}
 */
export async function readLogo(path: string): Promise<string> {
  const text = await Deno.readTextFile(path).catch(() => {
    throw new ValueFault("must be a file in the folder of the project");
  });
  const found = text.includes("svg") ? REFUSED.filter(([pattern]) => pattern.test(text)) : [];
  const faults = found.map(([, fault]) => fault);
  if (faults.length > 0) throw new ValueFault(...faults);
  return redraw(text);
}

function redraw(svg: string): string {
  try {
    const drawing = new Resvg(svg, { fitTo: { mode: "width", value: 256 } });
    if (drawing.render().pixels.some((value) => value > 0)) return drawing.toString();
  } catch {
    // Not SVG.
  }
  throw new ValueFault("must be an SVG that draws something");
}

/** Draws the sample's pictures anew, by path. */
export function drawPictures(
  { brand, accent, logo }: { brand: string; accent: string; logo: string | undefined },
): Record<string, string | Uint8Array> {
  const mark = logo ?? redraw(canvas(
    [32, 32],
    `<rect width="32" height="32" rx="7" fill="${brand}"/>
    <circle cx="15" cy="17" r="8" fill="none" stroke="#fff" stroke-width="3.4"/>
    <circle cx="22" cy="10" r="4.4" fill="${accent}" stroke="${brand}" stroke-width="2"/>`,
  ));
  const href = `data:image/svg+xml;base64,${new TextEncoder().encode(mark).toBase64()}`;
  /** The mark in the middle of a ground; a logo, whose colours may be the ground's, on a plate. */
  function poster([width, height]: Size, ground: string): string {
    const side = Math.min(width, height);
    const box = (share: number) =>
      `x="${(width - side * share) / 2}" y="${(height - side * share) / 2}" ` +
      `width="${side * share}" height="${side * share}"`;
    const plate = logo === undefined ? "" : `<rect ${box(0.7)} rx="${side / 14}" fill="#fff"/>`;
    return canvas([width, height], `${ground}${plate}<image ${box(0.56)} href="${href}"/>`);
  }
  const rings = (place: string, radii: readonly number[]) =>
    radii.map((r) => `<circle ${place} r="${r}" fill="none" stroke="${accent}"/>`).join("");
  return {
    "static/assets/favicon.svg": mark,
    "static/assets/hero.svg": redraw(
      poster([560, 440], rings('cx="280" cy="220" opacity=".5"', [170, 192, 214])),
    ),
    "static/assets/pattern.svg": canvas(
      [1200, 640],
      rings('cx="1020" cy="120" opacity=".2"', [120, 220, 320, 420, 520, 620, 720]),
    ),
  };
}

export type Size = readonly [width: number, height: number];

export function canvas([width, height]: Size, content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
    `viewBox="0 0 ${width} ${height}">${content}</svg>\n`;
}
