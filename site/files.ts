/**
 * @module Reads page sources, assets and styles from `static/`, whatever the working directory. Many
 * small files are read synchronously, once, for the first visitor: it takes a third of the time.
 */

// No URL: `?`, `#` and `%` in the name of a file would mean something else.
const STATIC = `${import.meta.dirname!.slice(0, -"site".length)}static/`;

/** All files of `static/styles/`, so that a page loads one stylesheet. */
const STYLESHEET = "site.css";

/** In this order: of rules with equal specificity the later one wins. */
const STYLES = [
  ...["brand", "values", "elements", "header", "menu", "footer", "text", "code", "tables"],
  ...["callouts", "landing", "cards", "components", "screens", "plans"],
  ...["docs", "contents", "contact", "try", "media", "print"],
];

export interface PageSource {
  /** File names such as `en/index.md`, in any order; only those that end in `.md` are pages. */
  list(): Promise<readonly string[]>;
  read(file: string): Promise<string>;
}

/** Page sources by name, such as `en/index.md`. */
export const pageFiles = {
  list: (): Promise<string[]> => Promise.try(filesBelow, `${STATIC}pages/`),
  read: (name: string): Promise<string> =>
    Promise.try(Deno.readTextFileSync, `${STATIC}pages/${name}`),
};

/** Assets by name, such as `site.css`. */
export const assetFiles = {
  list: (): Promise<string[]> => Promise.try(() => [STYLESHEET, ...filesBelow(`${STATIC}assets/`)]),
  read: (name: string): Promise<Uint8Array<ArrayBuffer>> =>
    name === STYLESHEET ? Promise.try(stylesheet) : Deno.readFile(`${STATIC}assets/${name}`),
};

function stylesheet(): Uint8Array<ArrayBuffer> {
  const parts = STYLES.map((name) => Deno.readTextFileSync(`${STATIC}styles/${name}.css`));
  // Comments and indents are a fifth of what a visitor would load.
  return new TextEncoder().encode(parts.join("").replace(/^\s+|\/\*.*?\*\/\s*/gms, ""));
}

/**
 * Lists all files below a folder, whose path ends in a slash, by relative path, without hidden ones.
 */
export function filesBelow(folder: string): string[] {
  return [...Deno.readDirSync(folder)].filter(({ name }) => !name.startsWith("."))
    .flatMap(({ name, isDirectory }) =>
      isDirectory ? filesBelow(`${folder}${name}/`).map((file) => `${name}/${file}`) : [name]
    );
}
