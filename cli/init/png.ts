/** @module Writes a drawing as PNG with a palette, a third of the size that resvg's own has. */

import { Buffer } from "node:buffer";
import { crc32, deflateSync } from "node:zlib";

/** RGBA, with colours multiplied by their opacity. */
interface Pixels {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** @param note is text in the file */
export function pngOf({ pixels, width, height }: Pixels, note: string): Uint8Array<ArrayBuffer> {
  const colours = new Uint32Array(pixels.slice().buffer);
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const palette = [...counts].sort(([, a], [, b]) => b - a).slice(0, 256).map(([one]) =>
    bytesOf(one)
  );
  const places = new Map(
    [...counts.keys()].map((colour) => [colour, nearest(bytesOf(colour), palette)]),
  );
  const rows = Buffer.alloc((width + 1) * height); // each begins with its filter, none
  colours.forEach((colour, at) => {
    rows[at + Math.floor(at / width) + 1] = places.get(colour)!;
  });
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 3, 0, 0, 0]);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  return new Uint8Array(Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("tEXt", Buffer.from(`Source\0${note}`, "latin1")),
    chunk(
      "PLTE",
      Buffer.from(
        palette.flatMap(([red, green, blue, alpha]) =>
          [red, green, blue].map((value) => alpha === 0 ? 0 : Math.round(value! * 255 / alpha!))
        ),
      ),
    ),
    chunk("tRNS", Buffer.from(palette.map(([, , , alpha]) => alpha!))),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]));
}

function bytesOf(colour: number): number[] {
  return [0, 8, 16, 24].map((shift) => colour >>> shift & 255);
}

function nearest(colour: readonly number[], palette: readonly number[][]): number {
  const distances = palette.map((one) =>
    one.reduce((sum, value, at) => sum + (value - colour[at]!) ** 2, 0)
  );
  return distances.indexOf(Math.min(...distances));
}

function chunk(type: string, data: Buffer): Buffer {
  const whole = Buffer.alloc(data.length + 12);
  whole.writeUInt32BE(data.length);
  whole.write(type, 4, "latin1");
  data.copy(whole, 8);
  whole.writeUInt32BE(crc32(whole.subarray(4, -4)), whole.length - 4);
  return whole;
}
