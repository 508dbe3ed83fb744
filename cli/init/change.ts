/** @module The changes that init makes: new contents of files below `static/`, and of .env. */

import { Buffer } from "node:buffer";
import { targets } from "../../config/readers.ts";
import { isWebhook } from "../../config/summary.ts";
import type { SiteData } from "../../schemas/site_data.ts";
import { wordsOf } from "../../schemas/words.ts";
import { filesBelow } from "../../site/files.ts";
import { conditionsOf, escapeMarkdown, keptLines } from "../../site/placeholders.ts";
import { drawPictures, readLogo } from "./pictures.ts";
import { hashOf, json, knownFiles, MADE, MADE_PATH, orMissing, read, ROOT } from "./sample.ts";
import { defaultOf, isAsked, listOf, slugOf, type Values } from "./values.ts";

/** New contents by path; undefined: the file is removed. */
export type Changes = Map<string, string | Uint8Array | undefined>;

const SITE_JSON = "static/site.json";
const COLOURS = "static/styles/brand.css";
/** Pages with a text of their own for every site, in `cli/init/pages`. */
const STARTERS = ["changelog", "index", "pricing", "product", "security"];

/**
 * Replaces and removes what the sample or init wrote. In the files that hold single decisions of the owner
 * only those are replaced.
 *
 * @param before the values of the site if init has run
 * @returns also the files that stay as they are, because they were edited
 */
export async function changesTo(
  values: Values,
  before: Partial<Values>,
): Promise<{ readonly changes: Changes; readonly edited: readonly string[] }> {
  const { sample, made, common, edited } = await knownFiles();
  const site: SiteData = JSON.parse(await read(SITE_JSON));
  const labels = Object.fromEntries(listOf(values.plans).map((label) => [slugOf(label), label]));
  const { name, brand, accent } = values;
  const { country: _, ...kept } = site;
  const next: SiteData = {
    ...kept,
    name,
    ...site.name !== name && { serviceId: slugOf(name) || "site" },
    languages: listOf(values.languages),
    ...values.country && { country: values.country },
    plans: Object.keys(labels),
  };
  const changes: Changes = new Map([
    [SITE_JSON, json(next)],
    [
      COLOURS,
      (await read(COLOURS)).replace(/(--brand: )[^;]+/, `$1${brand}`)
        .replace(/(--accent: )[^;]+/, `$1${accent}`),
    ],
  ]);
  for (const file of await filesBelow(new URL("static/words/", ROOT).pathname)) {
    const words = JSON.parse(await read(`static/words/${file}`));
    const { unspecified } = words.form.plans;
    // A translation of a plan that stays is the owner's.
    const own = listOf(before.plans ?? "").map((label) => [label, words.form.plans[slugOf(label)]]);
    const translated = Object.entries(labels)
      .map(([slug, label]) => [slug, Object.fromEntries(own)[label] ?? label]);
    words.form.plans = { ...Object.fromEntries(translated), unspecified };
    changes.set(`static/words/${file}`, json(words));
  }

  const logo = values.logo === "" ? undefined : await readLogo(values.logo);
  const drawn = drawPictures({ brand, accent, logo });
  const old = before.brand && before.accent &&
    drawPictures({ brand: before.brand, accent: before.accent, logo: undefined });
  for (const [path, content] of Object.entries(drawn)) {
    if (![...sample, ...made].includes(path)) continue;
    // Without a new logo the one that was given earlier stays.
    const isPlain = sample.includes(path) || (old && old[path] === await read(path));
    if (isPlain || logo !== undefined) changes.set(path, content);
  }

  const isPage = (path: string) => path.startsWith("static/pages/");
  const hasLanguage = (path: string) => next.languages.includes(path.split("/")[2]!);
  const own = [...sample, ...made].filter(isPage);
  // Made again only if the values ask for it now, not if the owner removed it.
  const fresh = Object.keys(MADE.files).length === 0 ? [] : next.languages
    .flatMap((language) => STARTERS.map((name) => `static/pages/${language}/${name}.md`))
    .filter((path) => !MADE.files[path] && !own.includes(path) && !edited.includes(path));
  for (const path of [...own, ...fresh]) {
    changes.set(path, hasLanguage(path) ? await starter(path, { values, site: next }) : undefined);
  }
  for (const path of common.filter((path) => !hasLanguage(path))) changes.set(path, undefined);
  return { changes, edited: edited.filter((path) => !changes.has(path)) };
}

/** The first text of a page; undefined for a page that such a site does not have. */
async function starter(
  path: string,
  { values, site }: { readonly values: Values; readonly site: SiteData },
): Promise<string | undefined> {
  if (path.endsWith("/pricing.md") && site.plans.length === 0) return undefined;
  const template = await read(path.replace("static/", "cli/init/")).catch(orMissing);
  const [, , language = "en"] = path.split("/");
  const tagline = language === "de" ? values.taglineDe : values.tagline;
  const labels = listOf(values.plans).map(escapeMarkdown);
  const isShort = `${values.name}: ${tagline}`.length <= 60; // at most 70 when escaped
  const lines = keptLines(template ?? "", conditionsOf(site)).flatMap(({ text }) => {
    if (!text.includes("{{plan}}")) return text;
    return labels.map((label, at) =>
      text.replaceAll("{{plan}}", () => label).replaceAll("{{plan_id}}", site.plans[at]!)
    );
  });
  // In YAML up to the line that ends the front matter, then in markdown.
  return template && lines.join("\n").replaceAll("{{today}}", new Date().toISOString().slice(0, 10))
    .replaceAll("{{plans}}", () => new Intl.ListFormat(wordsOf(language).tag).format(labels))
    .replace(": {{tagline}}", isShort ? "$&" : "")
    .replaceAll(/(?<=^\w+: .*){{tagline}}/gm, () => JSON.stringify(tagline).slice(1, -1))
    .replaceAll("{{tagline}}.", () => escapeMarkdown(tagline.replace(/(?<![.!?])$/, ".")))
    .replaceAll("{{tagline}}", () => escapeMarkdown(tagline));
}

/** What the next run and the doctor need to know, once the changes are written. */
export async function recordOf(changes: Changes, values: Values): Promise<Changes> {
  const paths = [...changes.keys()].filter((path) => /^static\/(?:pages|assets)\//.test(path));
  const hashes = paths.map(async (path) => [path, await hashOf(path)]); // undefined: it is gone
  const files = { ...MADE.files, ...Object.fromEntries(await Promise.all(hashes)) };
  const taglines = Object.fromEntries(
    (["tagline", "taglineDe"] as const)
      .filter((name) => isAsked(name, values) && values[name] !== defaultOf(name, values))
      .map((name) => [name, values[name]]),
  );
  return new Map([[MADE_PATH, json({ files, taglines })]]);
}

/** A text of .env with the values, and the names of the variables that have changed. */
export function envWith(
  { url, operator, email, targets: urls }: Values,
  before = "",
): { readonly text: string; readonly changed: readonly string[] } {
  const isSigned = /^LEAD_WEBHOOK_SECRET=./m.test(before) || // receivers have it
    !targets(() => undefined)(urls).some(isWebhook);
  const secret = `whsec_${crypto.getRandomValues(new Uint8Array(32)).toBase64()}`;
  const variables = {
    SITE_URL: url,
    OPERATOR: operator,
    CONTACT_EMAIL: email,
    LEAD_TARGETS: urls,
    LEAD_WEBHOOK_SECRET: isSigned ? "" : secret,
  };
  let text = before;
  const changed: string[] = [];
  for (const [name, value] of Object.entries(variables).filter(([, value]) => value !== "")) {
    // Deno replaces $NAME and cuts at # except between these quotes.
    const quote = value.includes("'") ? "`" : /[$#\\"`]/.test(value) ? "'" : "";
    const line = `${name}=${quote}${value}${quote}`;
    // A value between quotes may have several lines.
    const pattern = RegExp(`^${name}=(?:(['"\`])[^]*?\\1|.*)$`, "m");
    const [found] = pattern.exec(text) ?? [];
    if (found === line) continue;
    changed.push(name);
    if (found === undefined) text += `${/[^\n]$/.test(text) ? "\n" : ""}${line}\n`;
    else text = text.replace(pattern, () => line);
  }
  return { text, changed };
}

/**
 * Writes the changes, each file at once: a reader sees the old text or the new one.
 *
 * @param undo gets what there was before
 */
export async function apply(changes: Changes, undo: Changes = new Map()): Promise<void> {
  for (const [path, content] of changes) {
    const file = new URL(path, ROOT);
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    const before = await Deno.readFile(file).catch(orMissing);
    if (bytes && before ? Buffer.compare(bytes, before) === 0 : bytes === before) continue;
    if (!undo.has(path)) undo.set(path, before);
    if (bytes === undefined) {
      await Deno.remove(file);
      // And its folder, if that was its last file.
      await Deno.remove(new URL(".", file)).catch(() => {});
      continue;
    }
    // Hidden, so that it is not served; .gitignore has .env*.
    const staged = new URL(path.replace(/\.?([^/]+)$/, ".$1.new"), ROOT);
    try {
      if (path.includes("/pages/")) await Deno.mkdir(new URL(".", staged), { recursive: true });
      await Deno.writeFile(staged, bytes, path === ".env" ? { mode: 0o600 } : {});
      await Deno.rename(staged, file);
    } catch (error) {
      await Deno.remove(staged).catch(() => {});
      throw error;
    }
  }
}
