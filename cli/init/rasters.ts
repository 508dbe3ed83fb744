/** @module Draws the pictures in pixels: icons, and what shared links to the pages show. */

import { Resvg } from "@resvg/resvg-wasm";
import { Buffer } from "node:buffer";
import { crc32 } from "node:zlib";
import type { Changes } from "./change.ts";
import { Lettering, textAt } from "./lettering.ts";
import { type Made, readMade } from "./generated_images.ts";
import { canvas, type Size } from "./pictures.ts";

const SHARED: Size = [1200, 630];
const MARGIN = 88;
const ROOM = SHARED[0] - 2 * MARGIN;
const LEADING = 1.14;
/** Circles around the upper right corner. */
const RADII = [120, 200, 280, 360, 440, 520];
/** The side of favicon.ico, for browsers without SVG and for readers of feeds. */
const FAVICON = 32;

/** Draws all pictures anew, and removes those of pages that are gone; notes where words are left out. */
export async function drawMade(): Promise<{ readonly changes: Changes; readonly note: string }> {
  const { brand, siteJson, pictures } = await readMade();
  const lettering = new Lettering(brand.font);
  function draw({ path, title, stamp }: Made["pictures"][number]): Uint8Array | undefined {
    if (stamp === undefined) return undefined;
    const png = (svg: string) => stamped(lettering.drawingOf(svg).render().asPng(), stamp);
    if (path.includes("/og.")) return png(shared(title, brand, lettering));
    if (path.endsWith(".png")) return png(icon(brand, Number(/\d+(?=\.)/.exec(path)?.[0] ?? 180)));
    const favicon = imageAt(brand.mark, { x: 0, y: 0, side: FAVICON });
    return icoOf(png(canvas([FAVICON, FAVICON], favicon)));
  }
  const changes: Changes = new Map(pictures.map((picture) => [picture.path, draw(picture)]));
  if (siteJson) changes.set("static/site.json", siteJson);
  const lacking = [...lettering.lacking].join(" ");
  const note = `Without words where display.woff2 lacks a character: ${lacking}\n`;
  return { changes, note: lacking && note };
}

/** The brand above a page's title, or its mark alone if there is no title that can be written. */
function shared(title: string | undefined, brand: Brand, lettering: Lettering): string {
  const { name, colours: { deep, accent } } = brand;
  const rings = RADII.map((r) =>
    `<circle cx="${SHARED[0]}" r="${r}" stroke="${accent}" opacity="${60 / r}" fill="none"/>`
  );
  const background = `<rect width="100%" height="100%" fill="${deep}"/>` +
    `<g stroke-width="2">${rings.join("")}</g>`;
  const isWritable = title !== undefined && lettering.canWrite(title + name);
  const fitting = isWritable ? lettering.fit(title, ROOM) : undefined;
  if (fitting === undefined) {
    return canvas(SHARED, background + markAt(brand, { x: 445, y: 160, side: 310 }));
  }
  const { size, rows } = fitting;
  const top = SHARED[1] - MARGIN - size * (0.08 + LEADING * (rows.length - 1));
  const nameSize = Math.min(52, (ROOM - 112) / lettering.widthOf(name));
  const beside = { x: MARGIN + 112, y: 124 + nameSize / 3 };
  const parts = [
    background + markAt(brand, { x: MARGIN, y: 80, side: 88 }),
    title === name ? "" : textAt(name, { ...beside, size: nameSize }),
    `<rect x="${MARGIN}" y="${top - size * 1.22}" width="72" height="8" rx="4" fill="${accent}"/>`,
    ...rows.map((row, at) => textAt(row, { size, x: MARGIN, y: top + at * size * LEADING })),
  ];
  return canvas(SHARED, parts.join(""));
}

/** For home screens, which cut the corners off. */
function icon(brand: Brand, side: number): string {
  const tile = tileOf(brand);
  const inset = side * (tile === undefined ? 0.14 : 0.08);
  const background = `<rect width="100%" height="100%" fill="${tile ?? brand.colours.brand}"/>`;
  const mark = markAt(brand, { x: inset, y: inset, side: side - 2 * inset });
  return canvas([side, side], background + mark);
}

type Brand = Made["brand"];
type Place = Readonly<Record<"x" | "y" | "side", number>>;

/** The mark; a logo without a background of its own, whose colours may be those around it, on a plate. */
function markAt(brand: Brand, { x, y, side }: Place): string {
  if (tileOf(brand) !== undefined) return imageAt(brand.mark, { x, y, side });
  const inset = side * 0.1;
  return `<rect x="${x}" y="${y}" width="${side}" height="${side}" rx="${side / 5}" fill="#fff"/>` +
    imageAt(brand.mark, { x: x + inset, y: y + inset, side: side - 2 * inset });
}

function imageAt(svg: string, { x, y, side }: Place): string {
  const data = new TextEncoder().encode(svg).toBase64();
  return `<image x="${x}" y="${y}" width="${side}" height="${side}" ` +
    `href="data:image/svg+xml;base64,${data}"/>`;
}

/** The colour at the four edges of a mark with a background of its own. */
function tileOf({ mark }: Brand): string | undefined {
  let drawn;
  try {
    drawn = new Resvg(mark, { fitTo: { mode: "width", value: 64 } }).render();
  } catch (error) {
    throw new Error(`static/assets/favicon.svg: ${(error as Error).message}`);
  }
  const { pixels, width, height } = drawn;
  const [x, y] = [width >> 1, height >> 1];
  const edges = [[x, 1], [x, height - 2], [1, y], [width - 2, y]].map(([x, y]) => {
    const at = 4 * (y! * width + x!);
    return [...pixels.subarray(at, at + 4)].join();
  });
  const [, colour] = /^(.*),255$/.exec(edges[0]!) ?? [];
  return new Set(edges).size === 1 && colour !== undefined ? `rgb(${colour})` : undefined;
}

/** Adds a text to a PNG, in a chunk before its last (PNG 3 §5.3, §11.3.3.3). */
function stamped(png: Uint8Array, stamp: string): Uint8Array {
  const content = Buffer.from(`....tEXtSource\0${stamp}....`, "latin1");
  const typed = content.subarray(4, -4);
  content.writeUInt32BE(typed.length - "tEXt".length);
  content.writeUInt32BE(crc32(typed), content.length - 4);
  return Buffer.concat([png.subarray(0, -12), content, png.subarray(-12)]);
}

/** A PNG as an icon file: a header and one entry before it. */
function icoOf(png: Uint8Array): Uint8Array {
  const header = Buffer.alloc(22);
  header.set([0, 0, 1, 0, 1, 0, FAVICON, FAVICON, 0, 0, 1, 0, 32, 0]);
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
}
