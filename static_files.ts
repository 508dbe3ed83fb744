/**
 * @module Reads what lies below `static/`, wherever the program stands: the sources of the pages and
 * the assets. The only file access of the service beside its database.
 */

const STATIC = new URL("./static/", import.meta.url);

/** Page sources by name, such as `en/index.md`. */
export const pageFiles = {
  async list(): Promise<string[]> {
    const locales = await names("pages/");
    const files = await Promise.all(
      locales.map(async (locale) =>
        (await names(`pages/${locale}/`)).map((name) => `${locale}/${name}`)
      ),
    );
    return files.flat();
  },
  read: (name: string): Promise<string> => Deno.readTextFile(new URL(`pages/${name}`, STATIC)),
};

/** Assets by name, such as `site.css`. */
export const assetFiles = {
  list: (): Promise<string[]> => names("assets/"),
  read: (name: string): Promise<Uint8Array<ArrayBuffer>> =>
    Deno.readFile(new URL(`assets/${name}`, STATIC)),
};

async function names(folder: string): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(new URL(folder, STATIC)));
  return entries.map(({ name }) => name).filter((name) => !name.startsWith("."));
}
