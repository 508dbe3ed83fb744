/**
 * @module The pictures that `deno task pictures` makes: what each is made from, and which are out of date.
 *
 * Each has a stamp, the hash of what it was made from. A file without one is the owner's, and stays.
 */

import { parseConfig } from "../../config/config.ts";
import { assetFiles, pageFiles } from "../../site/files.ts";
import { readPages } from "../../site/page.ts";
import { pictureOf } from "../../site/page_path.ts";
import { type Colours, coloursOf } from "./colours.ts";
import { orMissing, ROOT } from "./sample.ts";

/** What all pictures are made from. */
export interface Brand {
  readonly name: string;
  readonly colours: Colours;
  /** SVG. */
  readonly mark: string;
  readonly font: Uint8Array;
}

export interface Picture {
  readonly path: string;
  /** What it shows beside the brand; undefined for icons. */
  readonly title: string | undefined;
  readonly stamp: string;
  /** Undefined: there is none. */
  readonly stampBefore: string | undefined;
}

export interface Made {
  readonly brand: Brand;
  /** Those to make, without those that the owner has replaced. */
  readonly pictures: readonly Picture[];
  /** Paths of pictures that the task has made for pages which are gone. */
  readonly orphans: readonly string[];
  /** `static/brand.json` as it should be. */
  readonly brandJson: { readonly before: string; readonly after: string };
}

const ASSETS = "static/assets/";
const BRAND = "static/brand.json";
const STAMP = /frontdoor-[0-9a-f]{16}/;

/** Pictures of the brand alone. */
const ICONS = ["apple-touch-icon.png", "favicon.ico", "icon-192.png", "icon-512.png", "og.png"];

export async function readMade(): Promise<Made> {
  const read = (path: string) => Deno.readTextFile(new URL(path, ROOT));
  const before = await read(BRAND);
  const data = JSON.parse(before);
  const colours = coloursOf({
    brand: await read("static/styles/brand.css"),
    values: await read("static/styles/values.css"),
  });
  const brand = {
    name: data.name,
    colours,
    mark: await read(`${ASSETS}favicon.svg`),
    font: await assetFiles.read("display.woff2"),
  };
  const titles = new Map<string, string | undefined>(ICONS.map((name) => [name, undefined]));
  const { pages, faults } = await readPages(pageFiles, {
    facts: parseConfig({ SITE_NAME: brand.name }),
    withReference: false,
  });
  // Without the name of the site before a colon.
  for (const page of pages) titles.set(pictureOf(page), page.title.replace(`${brand.name}: `, ""));
  const pictures = await Promise.all([...titles].map(async ([name, title]) => {
    const path = ASSETS + name;
    return { path, title, stamp: await stampOf({ ...brand, path, title }), ...await stampIn(path) };
  }));
  // A page that cannot be read is not gone.
  const orphans = faults.length > 0 ? [] : (await assetFiles.list())
    .filter((name) => /^og\..+\.png$/.test(name) && !titles.has(name)).map((name) => ASSETS + name);
  const stamps = await Promise.all(orphans.map(stampIn));
  return {
    brand,
    pictures: pictures.filter(({ stampBefore }) => stampBefore !== ""),
    orphans: orphans.filter((_, at) => stamps[at]!.stampBefore),
    brandJson: {
      before,
      after: `${JSON.stringify({ ...data, theme: colours.theme }, null, 2)}\n`,
    },
  };
}

/** What is out of date, each as `FILE: what is wrong`. */
export async function faultsOfMade(): Promise<string[]> {
  const made = await readMade().catch((error: Error) => error);
  if (made instanceof Error) return [made.message];
  const { pictures, orphans, brandJson: { before, after } } = made;
  const old = pictures.filter(({ stamp, stampBefore }) => stamp !== stampBefore);
  const isSame = JSON.stringify(JSON.parse(before)) === JSON.stringify(JSON.parse(after));
  return [
    ...old.map(({ path, stampBefore }) =>
      `${path}: ${stampBefore ? "older than the brand or the page's title" : "missing"}`
    ),
    ...orphans.map((path) => `${path}: its page is gone`),
    ...isSame ? [] : [`${BRAND}: \`theme\` does not fit static/styles`],
  ].map((fault) => `${fault}; run deno task pictures`);
}

async function stampOf(sources: object): Promise<string> {
  const text = JSON.stringify(
    sources,
    (_, value) => value instanceof Uint8Array ? value.toBase64() : value,
  );
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `frontdoor-${new Uint8Array(digest).toHex().slice(0, 16)}`;
}

/** The stamp of a file, "" if it has none. */
async function stampIn(path: string): Promise<Pick<Picture, "stampBefore">> {
  const bytes = await Deno.readFile(new URL(path, ROOT)).catch(orMissing);
  if (bytes === undefined) return { stampBefore: undefined };
  return { stampBefore: STAMP.exec(new TextDecoder("latin1").decode(bytes))?.[0] ?? "" };
}
