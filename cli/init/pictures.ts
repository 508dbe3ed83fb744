/** @module The brand's pictures, from a logo or a mark in its colours: icons, link preview, drawings. */

import { initWasm, Resvg } from "@resvg/resvg-wasm";
import wasm from "@resvg/resvg-wasm/index_bg.wasm" with { type: "bytes" };
import { InvalidValue } from "../../config/readers.ts";

await initWasm(wasm);

/** What a logo must not contain; what is missed here, redrawing drops. */
const REFUSED: readonly (readonly [RegExp, problem: string])[] = [
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
 * @throws {InvalidValue}
 */
export async function readLogo(path: string): Promise<string> {
  const text = await Deno.readTextFile(path).catch(() => {
    throw new InvalidValue("must be a file in the folder of the project");
  });
  const found = text.includes("svg") ? REFUSED.filter(([pattern]) => pattern.test(text)) : [];
  const problems = found.map(([, problem]) => problem);
  if (problems.length > 0) throw new InvalidValue(...problems);
  return redraw(text);
}

function redraw(svg: string): string {
  try {
    const drawing = new Resvg(svg, { fitTo: { mode: "width", value: 256 } });
    if (drawing.render().pixels.some((value) => value > 0)) return drawing.toString();
  } catch {
    // Not SVG.
  }
  throw new InvalidValue("must be an SVG that draws something");
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
  const rings = (place: string, radii: readonly number[]) =>
    radii.map((r) => `<circle ${place} r="${r}" fill="none" stroke="${accent}"/>`).join("");
  return {
    "static/assets/favicon.svg": mark,
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
