/** @module Reads page sources, assets and styles from `static/`, whatever the working directory. */

const STATIC = new URL("../static/", import.meta.url);

/** Concatenates all files of `static/styles/`, so that a page loads one stylesheet. */
const STYLESHEET = "site.css";

/** In this order: of rules with equal specificity the later one wins. */
const STYLES = [
  ...["brand", "values", "elements", "header", "menu", "footer", "text", "code", "tables"],
  ...["callouts", "landing", "cards", "docs", "contact", "media"],
];

/** Page sources by name, such as `en/index.md`. */
export const pageFiles = {
  list: (): Promise<string[]> => filesBelow(new URL("pages/", STATIC)),
  read: (name: string): Promise<string> => Deno.readTextFile(new URL(`pages/${name}`, STATIC)),
};

/** Assets by name, such as `site.css`. */
export const assetFiles = {
  async list(): Promise<string[]> {
    return [STYLESHEET, ...await filesBelow(new URL("assets/", STATIC))];
  },
  read: (name: string): Promise<Uint8Array<ArrayBuffer>> =>
    name === STYLESHEET ? stylesheet() : Deno.readFile(new URL(`assets/${name}`, STATIC)),
};

async function stylesheet(): Promise<Uint8Array<ArrayBuffer>> {
  const parts = await Promise.all(
    STYLES.map((name) => Deno.readTextFile(new URL(`styles/${name}.css`, STATIC))),
  );
  return new TextEncoder().encode(parts.join("\n"));
}

/** Lists all files below a folder by relative path, without hidden ones. */
export async function filesBelow(folder: URL): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(folder));
  const found = await Promise.all(
    entries.filter(({ name }) => !name.startsWith(".")).map(async ({ name, isDirectory }) => {
      if (!isDirectory) return [name];
      return (await filesBelow(new URL(`${name}/`, folder))).map((file) => `${name}/${file}`);
    }),
  );
  return found.flat();
}
