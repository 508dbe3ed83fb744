/** @module Who wrote a file of `static/`: the sample, init, or since then the owner; told by its hash. */

import made from "./made.json" with { type: "json" };
import sample from "./sample.json" with { type: "json" };

export const ROOT = new URL("../../", import.meta.url);

export const SAMPLE_NAME = sample.name;

type Hashes = Readonly<Record<string, string>>;

/** What init wrote last: its files, and the taglines by option. */
export const MADE: { readonly files: Hashes; readonly taglines: Hashes } = made;

export const MADE_PATH = "cli/init/made.json";

interface KnownFiles {
  /** About the sample's company, or in its colours. */
  readonly sample: readonly string[];
  /** As init wrote them. */
  readonly made: readonly string[];
  /** True of any site, as they came. */
  readonly common: readonly string[];
  /** Changed since. */
  readonly edited: readonly string[];
}

export async function hashOf(path: string): Promise<string | undefined> {
  const bytes = await Deno.readFile(new URL(path, ROOT)).catch(orMissing);
  return bytes && new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

/** For `catch`: undefined if a file is missing. */
export function orMissing(error: unknown): undefined {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}

export async function knownFiles(): Promise<KnownFiles> {
  const hashes = Object.entries<Hashes>({
    sample: sample.files,
    made: MADE.files,
    common: sample.common,
  });
  const paths = [...new Set(hashes.flatMap(([, files]) => Object.keys(files)))].sort();
  const found = await Promise.all(paths.map(async (path) => {
    const hash = await hashOf(path);
    const [author] = hashes.find(([, files]) => files[path] === hash) ?? ["edited"];
    return { path, author: hash && author };
  }));
  const of = (name: string) => found.flatMap(({ path, author }) => author === name ? path : []);
  return { sample: of("sample"), made: of("made"), common: of("common"), edited: of("edited") };
}
