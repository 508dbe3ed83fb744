/**
 * @module Reads `static/`, whatever the working directory: the sources of the pages, the assets and the
 * parts of the stylesheet. The service's only file access beside its database.
 */

const STATIC = new URL("../static/", import.meta.url);

/** The asset that is made of all files in `static/styles/`: one transfer, whatever their number. */
const STYLESHEET = "site.css";

/** Those files in the order in which they are served: of two rules that tie, the later one wins. */
const STYLES = [
  "values",
  "elements",
  "header",
  "menu",
  "footer",
  "text",
  "code",
  "tables",
  "callouts",
  "landing",
  "cards",
  "docs",
  "contact",
  "media",
];

/** Page sources by name, such as `en/index.md`. */
export const pageFiles = {
  list: (): Promise<string[]> => filesBelow(new URL("pages/", STATIC)),
  read: (name: string): Promise<string> => Deno.readTextFile(new URL(`pages/${name}`, STATIC)),
};

/** Assets by name, such as `site.css`. */
export const assetFiles = {
  list: async (): Promise<
    string[]
  > => [STYLESHEET, ...await filesBelow(new URL("assets/", STATIC))],
  read: (name: string): Promise<Uint8Array<ArrayBuffer>> =>
    name === STYLESHEET ? stylesheet() : Deno.readFile(new URL(`assets/${name}`, STATIC)),
};

async function stylesheet(): Promise<Uint8Array<ArrayBuffer>> {
  const parts = await Promise.all(
    STYLES.map((name) => Deno.readTextFile(new URL(`styles/${name}.css`, STATIC))),
  );
  return new TextEncoder().encode(parts.join("\n"));
}

/** Every file below a folder by its path from there; names that begin with a dot are left out. */
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
