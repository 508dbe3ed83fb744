/** @module Problems of a page's source, with file and line. */

export interface SourceProblem {
  readonly line: number;
  readonly state: string;
}

/** Formats a problem as `FILE:LINE: what is wrong`, which editors and terminals can jump to. */
export function placeOf(file: string, { line, state }: SourceProblem): string {
  return `static/pages/${file}:${line}: ${state}`;
}

/** A page's source cannot be used. `message` names the file and each problem with its line. */
export class PageError extends Error {
  override readonly name = "PageError";

  readonly places: readonly string[];

  /** @param file the source, such as `en/docs.md` */
  constructor(readonly file: string, problems: readonly SourceProblem[]) {
    const places = problems.map((problem) => placeOf(file, problem));
    super(`Cannot read ${places.join("; ")}`);
    this.places = places;
  }
}
