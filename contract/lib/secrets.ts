/** @module Values of the operator's headers: no output has them, though a service repeats them. */

/** A shorter text cannot be told from other text. */
const LEAST = 4;

/** A cut value is known by this many of its first characters. */
const HEAD = 8;

const MASK = "***";

/** Fields that carry no secret, and whose values occur elsewhere. */
const PUBLIC = /^(?:accept.*|user-agent|content-type|origin|referer|prefer)$/i;

interface Secret {
  readonly length: number;
  /** So many of its first characters that they are enough to know it. */
  readonly head: RegExp;
  readonly rest: readonly RegExp[];
}

/** One set for the process, as all of its output is meant. */
const secrets: Secret[] = [];

export function variableOf(name: string): string {
  return `CONTRACT_HEADER_${name.toUpperCase().replace(/[^A-Z0-9]/g, "_")}`;
}

/** Keeps the value of a header, its token, and the password in it out of all output. */
export function keepSecret([name, value]: readonly [name: string, value: string]): void {
  if (PUBLIC.test(name)) return;
  const [, scheme, token = value] = /^([a-z][\w-]*) +(\S.*)$/i.exec(value) ?? [];
  const login = /^basic$/i.test(scheme ?? "") ? decoded(token) : "";
  const cookies = /^cookie$/i.test(name)
    ? value.split(/; */).map((one) => one.slice(one.indexOf("=") + 1))
    : [];
  const parts = [token, login, login.slice(login.indexOf(":") + 1), ...cookies];
  for (const part of [value, ...parts].filter((one) => one.length >= LEAST)) {
    const least = part === value && scheme !== undefined ? value.length : HEAD;
    const spelled = [...part].map(spellingsOf);
    secrets.push({
      length: part.length,
      head: new RegExp(spelled.slice(0, least).join(""), "giu"),
      rest: spelled.slice(least).map((one) => new RegExp(one, "iyu")),
    });
  }
  secrets.sort((one, other) => other.length - one.length);
}

/** The text with every kept value, or the beginning of one, replaced. */
export function masked(text: string): string {
  return secrets.reduce(without, text);
}

function without(text: string, { head, rest }: Secret): string {
  let kept = "";
  let end = 0;
  for (const { index, 0: found } of text.matchAll(head)) {
    if (index < end) continue;
    kept += text.slice(end, index) + MASK;
    end = index + found.length;
    for (const one of rest) {
      one.lastIndex = end;
      if (!one.test(text)) break;
      end = one.lastIndex;
    }
  }
  return kept + text.slice(end);
}

/** A character as it occurs in plain text, in JSON, in a URL, in markup and in a shell's quotes. */
function spellingsOf(character: string): string {
  if (/^[a-z0-9]$/i.test(character)) return character;
  const hex = character.codePointAt(0)!.toString(16);
  const bytes = [...new TextEncoder().encode(character)].map((one) => one.toString(16));
  // The longest first: `&` begins `&amp;`, which markup of markup repeats.
  const spellings = [
    ...NAMED[character] ?? [],
    `&(?:amp;)*#(?:0*${character.codePointAt(0)}|x0*${hex});`,
    bytes.map((byte) => `%(?:25)*${byte.padStart(2, "0")}`).join(""),
    `\\\\u${hex.padStart(4, "0")}`,
    RegExp.escape(character),
  ];
  return `\\\\*(?:${spellings.join("|")})`;
}

const NAMED: Readonly<Record<string, readonly string[]>> = {
  " ": ["\\+"],
  "&": ["&(?:amp;)+"],
  "<": ["&(?:amp;)*lt;"],
  ">": ["&(?:amp;)*gt;"],
  '"': ["&(?:amp;)*quot;"],
  "'": ["&(?:amp;)*apos;", "'\\\\''"],
};

function decoded(token: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.fromBase64(token));
  } catch {
    return "";
  }
}
