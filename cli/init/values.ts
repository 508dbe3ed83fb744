/** @module What init asks for: help, default and reader of each value. */

import * as read from "../../config/readers.ts";
import { targetProblem } from "../../leads/delivery/targets.ts";
import { SITE } from "../../schemas/site_data.ts";
import { wordsOf } from "../../schemas/words.ts";
import { REQUIRED_PAGES } from "../../site/urls.ts";
import { readLogo } from "./pictures.ts";
import { hashOf, MADE, ROOT, SAMPLE_NAME } from "./sample.ts";

/** Its reader rejects or throws a {@link read.InvalidValue}. In defaults `{name}` becomes the name. */
type Field = readonly [help: string, fallback: string, read: (text: string) => unknown];

/** By option, in the order of the questions. */
export const FIELDS = {
  name: ["name of the site", "", line(40)],
  url: ["public address: https://www.acme.example", "", read.optional(read.origin)],
  languages: ["languages, the default first: en or en,de", SITE.languages.join(), languages],
  country: ["where you are based: GB; DE adds what German law asks for", "", country],
  plans: ["names of your plans: Starter,Team; empty: none", "", plansOf],
  tagline: ["what you offer, in one line", "Welcome to {name}", line(100)],
  taglineDe: ["the same in German", "Willkommen bei {name}", line(100)],
  brand: ["colour of the brand", "#2f4b8f", colour],
  accent: ["colour of buttons and drawings", "#f2a900", colour],
  logo: ["SVG or PNG file; empty: a plain mark", "", read.optional(readLogo)],
  operator: ["for the imprint: name; street; town", "", forEnv(read.lines)],
  email: ["address for visitors", "", forEnv(read.optional(read.email))],
  targets: ["where leads go: crm=https://…", "", forEnv(read.targets(targetProblem))],
} satisfies Record<string, Field>;

export type Name = keyof typeof FIELDS;

/** Valid texts; those without a default may be empty, except the name. */
export type Values = Readonly<Record<Name, string>>;

/** What the site has, if it is no longer the sample's. */
export async function currentValues(): Promise<Partial<Values>> {
  if (SITE.name === SAMPLE_NAME) return {};
  const css = await Deno.readTextFile(new URL("static/styles/brand.css", ROOT));
  const [brand, accent] = ["brand", "accent"].map((name) =>
    RegExp(`--${name}: (#[0-9a-f]{6});`, "i").exec(css)?.[1]
  );
  const labels: Readonly<Record<string, string>> = wordsOf(SITE.languages[0]!).form.plans;
  return {
    name: SITE.name,
    country: SITE.country ?? "",
    plans: SITE.plans.map((plan) => labels[plan] ?? plan).join(),
    ...MADE.taglines,
    ...brand && { brand },
    ...accent && { accent },
  };
}

export function defaultOf(name: Name, values: Partial<Values>): string {
  return FIELDS[name][1].replace("{name}", () => values.name ?? "");
}

export function optionOf(name: Name): string {
  return `--${name.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Whether a value is of use: taglines of languages that the site has. */
export function isAsked(name: Name, values: Partial<Values>): boolean {
  const language = { tagline: "en", taglineDe: "de" }[name as string];
  return language === undefined ||
    listOf(values.languages ?? SITE.languages.join()).includes(language);
}

/** The problems of a text, as ends of a sentence. */
export async function problemsOf(name: Name, text: string): Promise<readonly string[]> {
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)) return ["must be one line without control characters"];
  try {
    await FIELDS[name][2](text);
    return [];
  } catch (error) {
    if (error instanceof read.InvalidValue) return error.problems;
    throw error;
  }
}

export function listOf(text: string): string[] {
  return text.split(",").map((one) => one.trim()).filter((one) => one !== "");
}

/** A text in lower-case letters, digits and hyphens; may be empty. */
export function slugOf(text: string): string {
  const plain = text.toLowerCase().replaceAll("ß", "ss").normalize("NFKD").replace(/\p{M}/gu, "");
  return plain.replace(/[^a-z0-9]+/g, "-").slice(0, 40).replace(/^-+|-+$/g, "");
}

async function languages(text: string): Promise<void> {
  const found = listOf(text);
  const isList = new Set(found).size === found.length &&
    /^[a-z]{2}(?:,[a-z]{2})*$/.test(found.join());
  read.demand(isList, "must be two-letter codes such as en or en,de");
  const paths = found.flatMap((language) => [
    `static/words/${language}.json`,
    ...REQUIRED_PAGES.map((name) => `static/pages/${language}/${name}.md`),
  ]);
  const hashes = await Promise.all(paths.map(hashOf));
  const missing = paths.filter((_, at) => hashes[at] === undefined).join(", ");
  const fix = `write ${missing}, or bring back what git has`;
  read.demand(missing === "", `must be languages that the site has: ${fix}`);
}

function country(text: string): void {
  const isCode = /^[A-Z]{2}$/.test(text) &&
    Intl.getCanonicalLocales(`und-${text}`)[0] === `und-${text}` &&
    new Intl.DisplayNames("en", { type: "region", fallback: "none" }).of(text) !== undefined;
  read.demand(text === "" || isCode, "must be a country's two capitals (ISO 3166-1), such as GB");
}

function plansOf(text: string): void {
  const labels = listOf(text);
  labels.forEach(line(40));
  const slugs = new Set(labels.map(slugOf));
  read.demand(
    slugs.size === labels.length && slugs.size <= 12 && !slugs.has("") && !slugs.has("unspecified"),
    "must be up to 12 names that differ in Latin letters or digits, such as Starter,Team",
  );
}

/** Text that no page takes for a placeholder, and no agent for a link. */
function line(most: number): (text: string) => void {
  return (text) => {
    read.demand(!/^$|{{|\]\(|\uFFFD/.test(text), "must be text, without {{, ]( or \uFFFD");
    read.text(most)(text);
    // As the check of the pages counts: an emoji is at least two.
    read.demand(text.length <= most, "must be shorter: an emoji counts as several");
  };
}

/** Text that `.env` can hold between quotes. */
function forEnv(reader: (text: string) => unknown): (text: string) => void {
  return (text) => {
    read.demand(!/'/.test(text) || !/`/.test(text), "must not have both ' and `");
    reader(text);
  };
}

function colour(text: string): void {
  const isColour = /^#[0-9a-f]{6}$/i.test(text);
  read.demand(isColour, "must be # and six hexadecimal digits, such as #0a7d55");
}
