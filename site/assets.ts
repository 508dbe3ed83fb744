/**
 * @module Assets under names with a hash of their content, such as `site.3f9a1c2b7d.css`, which caches
 * may keep for good.
 */

import { lazy } from "../lib/lazy.ts";

export interface AssetSource {
  /** Names such as `site.css`, without slashes. */
  list(): Promise<readonly string[]>;
  read(name: string): Promise<Uint8Array<ArrayBuffer>>;
}

interface Asset {
  /** Its references to other assets have hashes, and so its own hash covers them. */
  readonly content: Uint8Array<ArrayBuffer>;
  readonly hashed: string;
}

const HASH = /\.[0-9a-f]{10}(?=\.\w+$)/;

/**
 * Where a text refers to assets. In HTML only the attributes that load something count: code that a page
 * shows stays as written, because its `<` is escaped.
 */
const REFERENCES = {
  html:
    /(?<=<(?:link|script|img|use|meta)\b[^<>]*\s(?:href|src|content)="(?:https?:\/\/[^"/]+)?\/assets\/)[\w.-]+(?=[#"])/g,
  // No stylesheet, which could refer to itself.
  css: /(?<=url\(")[\w.-]+\.(?:svg|png|woff2)(?=[#"])/g,
  json: /(?<="src":"\/assets\/)[\w.-]+(?=")/g,
};

export class Assets {
  readonly #read: AssetSource["read"];
  readonly #assets: ReadonlyMap<string, () => Promise<Asset>>;

  constructor(readonly names: readonly string[], read: AssetSource["read"]) {
    this.#read = read;
    this.#assets = new Map(names.map((name) => [name, lazy(() => this.#load(name))]));
  }

  get(name: string): Promise<Asset> {
    return this.#assets.get(name)!();
  }

  /** The path of the route that serves this path: an asset's has no hash. */
  routePath(path: string): string {
    if (!path.startsWith("/assets/") || this.#assets.has(path.slice("/assets/".length))) {
      return path;
    }
    return path.replace(HASH, "");
  }

  /** Replaces the names of assets by those with a hash. */
  async link(text: string, type: keyof typeof REFERENCES): Promise<string> {
    const pattern = REFERENCES[type];
    const found = new Set(text.match(pattern)?.filter((name) => this.#assets.has(name)));
    const hashed = new Map(
      await Promise.all([...found].map(async (name) => {
        // A page does without a picture that cannot be read.
        return [name, await this.get(name).then((one) => one.hashed, () => name)] as const;
      })),
    );
    return text.replace(pattern, (name) => hashed.get(name) ?? name);
  }

  async #load(name: string): Promise<Asset> {
    const written = await this.#read(name);
    const content = name.endsWith(".css")
      ? new TextEncoder().encode(await this.link(new TextDecoder().decode(written), "css"))
      : written;
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
    const hash = digest.toHex().slice(0, 10);
    return { content, hashed: name.replace(/\.\w+$/, `.${hash}$&`) };
  }
}
