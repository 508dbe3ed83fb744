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

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** The longer side of a drawing, and of the pixels that are kept of a PNG. */
const LOGO_SIDE = 256;

/** Redraws a logo: what is served has only shapes and embedded pixels. @throws {InvalidValue} */
export async function readLogo(path: string): Promise<string> {
  const bytes = await Deno.readFile(path).catch(() => {
    throw new InvalidValue(`must be a file that can be read: ${path} is not`);
  });
  if (PNG.every((byte, at) => bytes[at] === byte)) return ofPixels(bytes);
  const text = new TextDecoder().decode(bytes);
  const found = text.includes("svg") ? REFUSED.filter(([pattern]) => pattern.test(text)) : [];
  const problems = found.map(([, problem]) => problem);
  if (problems.length > 0) throw new InvalidValue(...problems);
  return redraw(text);
}

/** An SVG that shows a PNG in at most 256 pixels. */
function ofPixels(png: Uint8Array): string {
  if (png.length > 2_000_000) throw new InvalidValue("must have at most 2 MB");
  const view = new DataView(png.buffer, png.byteOffset);
  const size = png.length < 24 ? [0, 0] : [view.getUint32(16), view.getUint32(20)];
  const most = Math.max(...size);
  if (most > 8_192) throw new InvalidValue("must have at most 8192 pixels a side");
  if (Math.min(...size) < 32 || most < 128) {
    throw new InvalidValue(`must have 128 pixels or more a side: it has ${size.join(" by ")}`);
  }
  const scaled = size.map((side) => Math.round(side * Math.min(1, LOGO_SIDE / most)));
  const drawing = (data: Uint8Array) =>
    canvas(
      scaled as [number, number],
      `<image width="${scaled[0]}" height="${scaled[1]}" href="data:image/png;base64,` +
        `${data.toBase64()}"/>`,
    );
  return redraw(drawing(new Resvg(drawing(png)).render().asPng()));
}

/** @throws {InvalidValue} unless it draws something, about as wide as high */
function redraw(svg: string): string {
  let drawing;
  try {
    drawing = new Resvg(svg, { fitTo: { mode: "width", value: LOGO_SIDE } });
  } catch { /* not SVG */ }
  if (!drawing?.render().pixels.some((value) => value > 0)) {
    throw new InvalidValue("must be an SVG or PNG that draws something");
  }
  const { width, height } = drawing;
  if (Math.max(width, height) > 2 * Math.min(width, height)) {
    throw new InvalidValue("must be at most twice as wide as high: use the mark without its name");
  }
  return drawing.toString();
}

/** Draws the sample's pictures anew, by path. */
export function drawPictures(
  { brand, accent, logo }: { brand: string; accent: string; logo: string | undefined },
): Record<string, string> {
  const mark = logo ?? redraw(canvas(
    [32, 32],
    `<rect width="32" height="32" rx="7" fill="${brand}"/>
    <circle cx="15" cy="17" r="8" fill="none" stroke="#fff" stroke-width="3.4"/>
    <circle cx="22" cy="10" r="4.4" fill="${accent}" stroke="${brand}" stroke-width="2"/>`,
  ));
  const rings = [120, 220, 320, 420, 520, 620, 720].map((r) =>
    `<circle cx="1020" cy="120" opacity=".2" r="${r}" fill="none" stroke="${accent}"/>`
  );
  const pattern = canvas([1200, 640], rings.join(""));
  return { "static/assets/favicon.svg": mark, "static/assets/pattern.svg": pattern };
}

export type Size = readonly [width: number, height: number];

export function canvas([width, height]: Size, content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
    `viewBox="0 0 ${width} ${height}">${content}</svg>\n`;
}
