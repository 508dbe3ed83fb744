/**
 * @module The values of the headers that the operator gives: no output contains them, also when the
 * service repeats them.
 */

/** A shorter text cannot be told from other text. */
const LEAST = 4;

/** A cut value is known by this many of its first characters. */
const HEAD = 8;

/** Fields that carry no secret, and whose values occur elsewhere. */
const PUBLIC = /^(?:accept.*|user-agent|content-type|origin|referer|prefer)$/i;

interface Secret {
  readonly text: string;
  /** How many of its first characters are enough to know it. */
  readonly least: number;
}

/** One set for the process, as all of its output is meant. */
const secrets: Secret[] = [];

/** The variable that has the value of a header. */
export function variableOf(name: string): string {
  return `CONTRACT_HEADER_${name.toUpperCase().replace(/[^A-Z0-9]/g, "_")}`;
}

/** Keeps the value of a header, its token, and the password in it out of all output. */
export function keepSecret([name, value]: readonly [name: string, value: string]): void {
  if (PUBLIC.test(name)) return;
  const [, scheme, token = value] = /^(\S+) +(\S.*)$/.exec(value) ?? [];
  const login = /^basic$/i.test(scheme ?? "") ? decoded(token) : "";
  const cookies = /^cookie$/i.test(name)
    ? value.split(/; */).map((one) => one.split("=", 2)[1])
    : [];
  const parts = [token, login, login.slice(login.indexOf(":") + 1), ...cookies];
  for (const part of [value, ...parts].filter((one) => one !== undefined && one.length >= LEAST)) {
    const least = part === value && scheme !== undefined
      ? part!.length
      : Math.min(part!.length, HEAD);
    for (const text of formsOf(part!)) secrets.push({ text, least: Math.min(least, text.length) });
  }
  secrets.sort((one, other) => other.text.length - one.text.length);
}

/** The text with every kept value, or the beginning of one, replaced. */
export function masked(text: string): string {
  let result = text;
  for (const { text: whole } of secrets) result = result.replaceAll(whole, MASK);
  for (const { text: whole, least } of secrets) {
    const head = whole.slice(0, least);
    for (let at = result.indexOf(head); at >= 0; at = result.indexOf(head, at + MASK.length)) {
      let length = least;
      while (length < whole.length && result[at + length] === whole[length]) length++;
      result = result.slice(0, at) + MASK + result.slice(at + length);
    }
  }
  return result;
}

const MASK = "***";

/** For `JSON.stringify`: masks every string. */
export function maskedMember(_name: string, value: unknown): unknown {
  return typeof value === "string" ? masked(value) : value;
}

/** As it occurs in plain text, in JSON, in a URL, in markup and in a shell's quotes. */
function formsOf(text: string): Set<string> {
  const markup = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
  const json = JSON.stringify(text).slice(1, -1);
  return new Set([text, json, encodeURIComponent(text), markup, text.replaceAll("'", "'\\''")]);
}

function decoded(token: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.fromBase64(token));
  } catch {
    return "";
  }
}
