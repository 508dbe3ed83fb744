/**
 * @module The pictures that `deno task pictures` makes: what each is made from, and which are out of date.
 *
 * Each has a stamp, the hash of what it was made from. A file without one is the owner's, and stays.
 */

import { parseConfig } from "../../config/config.ts";
import { assetFiles, pageFiles } from "../../site/files.ts";
import { Site } from "../../site/site.ts";
import { isListed, pictureOf } from "../../site/urls.ts";
import { coloursOf } from "./colours.ts";
import { json, orMissing, read, ROOT } from "./sample.ts";

const ASSETS = "static/assets/";
const STAMP = /frontdoor-[0-9a-f]{16}/;

/** Pictures of the brand alone. */
const ICONS = ["apple-touch-icon.png", "favicon.ico", "icon-192.png", "icon-512.png", "og.png"];

export type Made = Awaited<ReturnType<typeof readMade>>;

/** The brand; without those that the owner has replaced, the pictures; and `static/site.json` if it changes. */
async function readMade() {
  const site = JSON.parse(await read("static/site.json"));
  const { name, theme } = site;
  const colours = coloursOf({
    brand: await read("static/styles/brand.css"),
    values: await read("static/styles/values.css"),
  });
  const mark = await read(`${ASSETS}favicon.svg`);
  const brand = { name, colours, mark, font: await assetFiles.read("display.woff2") };
  const { pages, problems } = (await Site.read(pageFiles, parseConfig({ SITE_NAME: name }))).read();
  // Without the name of the site before a colon.
  const titles = new Map(
    pages.filter(isListed).map((page) => [pictureOf(page), page.title.replace(`${name}: `, "")]),
  );
  // A page that cannot be read is not gone.
  const there = problems.length > 0
    ? []
    : (await assetFiles.list()).filter((file) => /^og\..+\.png$/.test(file));
  const files = new Set([...ICONS, ...titles.keys(), ...there]);
  const pictures = await Promise.all([...files].map(async (file) => {
    const path = ASSETS + file;
    const title = titles.get(file);
    const isWanted = ICONS.includes(file) || title !== undefined;
    const stamp = isWanted ? await stampOf({ ...brand, path, title }) : undefined; // its page is gone
    return { path, title, stamp, stampBefore: await stampIn(path) };
  }));
  const isCurrent = JSON.stringify(theme) === JSON.stringify(colours.theme);
  return {
    brand,
    siteJson: isCurrent ? undefined : json({ ...site, theme: colours.theme }),
    pictures: pictures.filter(({ stampBefore }) => stampBefore !== ""),
  };
}

export { readMade }; // with its inferred type

/** What is out of date, each as `FILE: what is wrong`. */
export async function problemsOfMade(): Promise<string[]> {
  const made = await readMade().catch((error: Error) => error);
  if (made instanceof Error) return [made.message];
  const old = made.pictures.filter(({ stamp, stampBefore }) => stamp !== stampBefore);
  return [
    ...old.map(({ path, stamp, stampBefore }) => {
      if (stamp === undefined) return `${path}: its page is gone`;
      return `${path}: ${stampBefore ? "older than the brand or the page's title" : "missing"}`;
    }),
    ...made.siteJson ? ["static/site.json: `theme` does not fit static/styles"] : [],
  ].map((problem) => `${problem}; run deno task pictures`);
}

async function stampOf(sources: object): Promise<string> {
  const text = JSON.stringify(
    sources,
    (_, value) => value instanceof Uint8Array ? value.toBase64() : value,
  );
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `frontdoor-${new Uint8Array(digest).toHex().slice(0, 16)}`;
}

/** The stamp of a file, "" if it has none; undefined if there is no file. */
async function stampIn(path: string): Promise<string | undefined> {
  const bytes = await Deno.readFile(new URL(path, ROOT)).catch(orMissing);
  return bytes && (STAMP.exec(new TextDecoder("latin1").decode(bytes))?.[0] ?? "");
}
