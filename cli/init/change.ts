/** @module The changes that init makes: new contents of the sample's files and of .env. */

import { targets } from "../../config/readers.ts";
import { isWebhook } from "../../config/summary.ts";
import { escapeMarkdown } from "../../site/placeholders.ts";
import { drawPictures, readLogo } from "./pictures.ts";
import { orMissing, ROOT } from "./sample.ts";
import type { Values } from "./values.ts";

/** New contents by path; undefined: the file is removed. */
export type Changes = Map<string, string | Uint8Array | undefined>;

export async function changesTo(paths: readonly string[], values: Values): Promise<Changes> {
  const logo = values.logo === "" ? undefined : await readLogo(values.logo);
  const pictures = drawPictures({ ...values, logo });
  const contents = paths.map(async (path) =>
    [path, pictures[path] ?? await textOf(path, values)] as const
  );
  return new Map(await Promise.all(contents));
}

/** The new text of a file of the sample; undefined if it goes. */
export async function textOf(path: string, values: Values): Promise<string | undefined> {
  const { name, brand, accent } = values;
  const read = (path: string) => Deno.readTextFile(new URL(path, ROOT));
  if (path === "static/site.json") {
    const brand = { ...JSON.parse(await read(path)), name, serviceId: slugOf(name) };
    return `${JSON.stringify(brand, null, 2)}\n`;
  }
  if (path === "static/styles/brand.css") {
    return (await read(path)).replace(/(--brand: )[^;]+/, `$1${brand}`)
      .replace(/(--accent: )[^;]+/, `$1${accent}`);
  }
  const template = await read(path.replace("static/", "cli/init/")).catch(orMissing);
  const words = path.includes("/de/") ? values.taglineDe : values.tagline;
  const isShort = `${name}: ${words}`.length <= 60; // at most 70 when escaped
  // In YAML up to the line that ends the front matter, then in markdown.
  return template?.replaceAll("{{today}}", new Date().toISOString().slice(0, 10))
    .replace(": {{tagline}}", isShort ? "$&" : "")
    .replaceAll(/(?<=^\w+: .*){{tagline}}/gm, () => JSON.stringify(words).slice(1, -1))
    .replaceAll("{{tagline}}", () => escapeMarkdown(words));
}

/** A name in lower-case letters, digits and hyphens. */
function slugOf(name: string): string {
  const plain = name.toLowerCase().replaceAll("ß", "ss").normalize("NFKD").replace(/\p{M}/gu, "");
  return plain.replace(/[^a-z0-9]+/g, "-").slice(0, 63).replace(/^-+|-+$/g, "") || "site";
}

/** The lines of .env, with a fresh secret if there are webhooks. */
export function envLines({ url, operator, email, targets: urls }: Values): string[] {
  const secret = `whsec_${crypto.getRandomValues(new Uint8Array(32)).toBase64()}`;
  const variables = {
    SITE_URL: url,
    OPERATOR: operator,
    CONTACT_EMAIL: email,
    LEAD_TARGETS: urls,
    LEAD_WEBHOOK_SECRET: targets(() => undefined)(urls).some(isWebhook) ? secret : "",
  };
  return Object.entries(variables).filter(([, value]) => value !== "").map(([name, value]) => {
    // Deno replaces $NAME and cuts at # except between these quotes.
    const quote = value.includes("'") ? "`" : /[$#\\"`]/.test(value) ? "'" : "";
    return `${name}=${quote}${value}${quote}`;
  });
}

/**
 * Writes the changes. Nothing is replaced until every new content is on the disk; after an
 * interruption the next run finds the rest as it was.
 */
export async function apply(changes: Changes): Promise<void> {
  const staged = new Map<URL, URL>();
  try {
    for (const [path, content] of changes) {
      if (content === undefined) continue;
      // Hidden, so that it is not served; .gitignore has .env*.
      const file = new URL(path.replace(/\.?([^/]+)$/, ".$1.new"), ROOT);
      staged.set(file, new URL(path, ROOT));
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
      await Deno.writeFile(file, bytes, path === ".env" ? { mode: 0o600 } : {});
    }
  } catch (error) {
    await Promise.allSettled([...staged.keys()].map((file) => Deno.remove(file)));
    throw error;
  }
  for (const [from, to] of staged) await Deno.rename(from, to);
  for (const [path, content] of changes) {
    if (content === undefined) await Deno.remove(new URL(path, ROOT));
  }
}
