/**
 * @module The values of the headers that the operator gives: no output contains them, also when the
 * service repeats them.
 */

/** A shorter text cannot be told from other text. */
const LEAST = 4;

/** A cut value is known by this many of its first characters. */
const HEAD = 8;

const MASK = "***";

/** Fields that carry no secret, and whose values occur elsewhere. */
const PUBLIC = /^(?:accept.*|user-agent|content-type|origin|referer|prefer)$/i;

/** One set for the process, as all of its output is meant: how many first characters tell a text. */
const secrets = new Map<string, number>();

/** The variable that has the value of a header. */
export function variableOf(name: string): string {
  return `CONTRACT_HEADER_${name.toUpperCase().replace(/[^A-Z0-9]/g, "_")}`;
}

/** Keeps the value of a header, its token, and the password in it out of all output. */
export function keepSecret([name, value]: readonly [name: string, value: string]): void {
  if (PUBLIC.test(name)) return;
  const [, scheme = "", token = ""] = /^(\S+) +(\S.*)$/.exec(value) ?? [];
  const login = /^basic$/i.test(scheme) ? decoded(token) : "";
  const cookies = /^cookie$/i.test(name) ? value.split(/; */).map(valueOfCookie) : [];
  const parts = [token, login, login.slice(login.indexOf(":") + 1), ...cookies];
  // The scheme in front of a token is no secret.
  keep(value, token === "" ? HEAD : value.length);
  for (const part of parts) keep(part, HEAD);
}

function keep(text: string, least: number): void {
  if (text.length < LEAST) return;
  for (const form of formsOf(text)) secrets.set(form, Math.min(least, form.length));
}

/** The text with every kept value, or the beginning of one, replaced. */
export function masked(text: string): string {
  let result = text;
  const longest = [...secrets].sort(([one], [other]) => other.length - one.length);
  for (const [whole] of longest) result = result.replaceAll(whole, MASK);
  for (const [whole, least] of longest) {
    const head = whole.slice(0, least);
    for (let at = result.indexOf(head); at >= 0; at = result.indexOf(head, at + MASK.length)) {
      let length = least;
      while (length < whole.length && result[at + length] === whole[length]) length++;
      result = result.slice(0, at) + MASK + result.slice(at + length);
    }
  }
  return result;
}

/** As outputs write a text; one form may be within another, such as a shell's word in markup. */
const FORMS: readonly ((text: string) => string)[] = [
  encodeURIComponent,
  (text) => text.replaceAll("'", "'\\''"),
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;"),
  (text) => text.replaceAll(">", "&gt;"),
  (text) => text.replaceAll("%", "%25"),
];

function formsOf(text: string): Set<string> {
  const forms = new Set([text]);
  for (const form of FORMS) {
    for (const one of [...forms]) forms.add(form(one));
  }
  return forms;
}

function valueOfCookie(cookie: string): string {
  return cookie.slice(cookie.indexOf("=") + 1);
}

function decoded(token: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.fromBase64(token));
  } catch {
    return "";
  }
}
