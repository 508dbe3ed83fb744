/** @module What init asks for: help, default and reader of each value. */

import * as read from "../../config/readers.ts";
import { targetProblem } from "../../leads/delivery/targets.ts";
import { readLogo } from "./pictures.ts";

/** Its reader rejects or throws a {@link read.InvalidValue}. In defaults `{name}` becomes the name. */
type Field = readonly [help: string, fallback: string, read: (text: string) => unknown];

/** By option, in the order of the questions. */
export const FIELDS = {
  name: ["name of the site", "", line(40)],
  url: ["public address: https://www.acme.example", "", read.optional(read.origin)],
  tagline: ["what you offer, in one line", "Welcome to {name}", line(100)],
  taglineDe: ["the same in German", "Willkommen bei {name}", line(100)],
  brand: ["colour of the brand", "#2f4b8f", colour],
  accent: ["colour of buttons and drawings", "#f2a900", colour],
  logo: ["SVG file in this folder; empty: a plain mark", "", read.optional(readLogo)],
  operator: ["for the imprint: name; street; town", "", forEnv(read.lines)],
  email: ["address for visitors", "", forEnv(read.optional(read.email))],
  targets: ["where leads go: crm=https://…", "", forEnv(read.targets(targetProblem))],
} satisfies Record<string, Field>;

export type Name = keyof typeof FIELDS;

/** Valid texts; those without a default may be empty, except the name. */
export type Values = Readonly<Record<Name, string>>;

export function optionOf(name: Name): string {
  return `--${name.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}`;
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

/** Text that no page takes for a placeholder, and no agent for a link. */
function line(most: number): (text: string) => void {
  return (text) => {
    if (/^$|{{|\]\(/.test(text)) throw new read.InvalidValue("must be text, without {{ or ](");
    read.text(most)(text);
    // As the check of the pages counts: an emoji is at least two.
    if (text.length > most) {
      throw new read.InvalidValue(`must be shorter: an emoji counts as several`);
    }
  };
}

/** Text that `.env` can hold between quotes. */
function forEnv(reader: (text: string) => unknown): (text: string) => void {
  return (text) => {
    if (/'/.test(text) && /`/.test(text)) throw new read.InvalidValue("must not have both ' and `");
    reader(text);
  };
}

function colour(text: string): void {
  if (/^#[0-9a-f]{6}$/i.test(text)) return;
  throw new read.InvalidValue("must be # and six hexadecimal digits, such as #0a7d55");
}
