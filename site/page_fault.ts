/**
 * @module What is wrong with a page's source, and where: a message that an author can act on.
 */

/** Where authors keep the pages; messages name files from there. */
const PAGES_ROOT = "static/pages";

/** One fault of a source. */
export interface SourceFault {
  /** Where in the file, counted from 1. */
  readonly line: number;
  /** What is wrong there. */
  readonly state: string;
}

/** `FILE:LINE: what is wrong`: editors and terminals jump to what comes first. */
export function placeOf(file: string, { line, state }: SourceFault): string {
  return `${PAGES_ROOT}/${file}:${line}: ${state}`;
}

/** A page's source cannot be used. `message` names the file and each fault with its line. */
export class PageFault extends Error {
  override readonly name = "PageFault";

  /** See {@link placeOf}. */
  readonly places: readonly string[];

  /** @param file the source, such as `en/docs.md` */
  constructor(readonly file: string, ...faults: readonly SourceFault[]) {
    const places = faults.map((fault) => placeOf(file, fault));
    super(`Cannot read ${places.join("; ")}`);
    this.places = places;
  }
}
