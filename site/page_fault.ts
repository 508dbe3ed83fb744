/** @module Faults of a page's source, with file and line. */

export interface SourceFault {
  readonly line: number;
  readonly state: string;
}

/** Formats a fault as `FILE:LINE: what is wrong`, which editors and terminals can jump to. */
export function placeOf(file: string, { line, state }: SourceFault): string {
  return `static/pages/${file}:${line}: ${state}`;
}

/** A page's source cannot be used. `message` names the file and each fault with its line. */
export class PageFault extends Error {
  override readonly name = "PageFault";

  readonly places: readonly string[];

  /** @param file the source, such as `en/docs.md` */
  constructor(readonly file: string, ...faults: readonly SourceFault[]) {
    const places = faults.map((fault) => placeOf(file, fault));
    super(`Cannot read ${places.join("; ")}`);
    this.places = places;
  }
}
