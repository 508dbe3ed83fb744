/**
 * @module What is wrong with a page's source, and where: a message that an author can act on.
 */

/** Where authors keep the pages; messages name files from there. */
const PAGES_ROOT = "static/pages";

/** A page's source cannot be used. `message` names the file, the line and the state. */
export class PageFault extends Error {
  override readonly name = "PageFault";

  /** `FILE:LINE: what is wrong`: editors and terminals can jump to a place that comes first. */
  readonly place: string;

  /**
   * @param file the source, such as `en/docs.md`
   * @param options.line where in the file, counted from 1
   * @param options.state what is wrong there
   */
  constructor(readonly file: string, options: { readonly line: number; readonly state: string }) {
    const place = `${PAGES_ROOT}/${file}:${options.line}: ${options.state}`;
    super(`Cannot read ${place}`);
    this.place = place;
  }
}
