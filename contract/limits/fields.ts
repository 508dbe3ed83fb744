/**
 * @module Strict parser for RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers):
 * lists of strings with parameters, in structured fields (RFC 9651).
 */

/** A field is malformed; the message continues a sentence that begins with its name. */
export class FieldError extends Error {
  override readonly name = "FieldError";
}

/** A limit and a client's remaining share. */
export interface LimitState {
  /** `q`: requests per window. */
  readonly quota: number;
  /** `w`: the window in seconds. */
  readonly window: number;
  /** `r`: requests left. */
  readonly remaining: number;
  /** `t`: seconds until one more is left. */
  readonly reset: number;
}

/** A string with parameters, which are whole numbers in both fields. */
const MEMBER = /"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*"(?:; *[a-z*][a-z0-9_.*-]*=\d{1,15})*/;
const LIST = new RegExp(`^${MEMBER.source}(?:[\\t ]*,[\\t ]*${MEMBER.source})*$`);

/**
 * Parses a list of strings with whole numbers as parameters.
 * @throws {FieldError} describing the fault
 */
export function parseMembers(field: string): Map<string, ReadonlyMap<string, number>> {
  if (!LIST.test(field)) throw new FieldError("is not a list of strings with whole numbers");
  const members = new Map<string, ReadonlyMap<string, number>>();
  for (const [member] of field.matchAll(new RegExp(MEMBER, "g"))) {
    const end = member.lastIndexOf('"');
    const pairs = member.slice(end + 1).split(";").slice(1).map((pair) => pair.trim().split("="));
    const parameters = new Map(pairs.map(([key, value]) => [key!, Number(value)]));
    const name = member.slice(1, end);
    if (members.has(name)) throw new FieldError("has a name twice");
    if (parameters.size < pairs.length) throw new FieldError("has a parameter twice");
    members.set(name, parameters);
  }
  return members;
}

/**
 * The limits of a response, by name.
 * @throws {FieldError} naming the field and the fault
 */
export function limitsOf(headers: Headers): Map<string, LimitState> {
  const policies = membersOf(headers, { field: "RateLimit-Policy", needs: ["q", "w"] });
  const states = membersOf(headers, { field: "RateLimit", needs: ["r", "t"] });
  if ([...policies.keys()].join() !== [...states.keys()].join()) {
    throw new FieldError("RateLimit has other names than RateLimit-Policy");
  }
  return new Map([...policies].map(([name, policy]) => {
    const state = states.get(name)!;
    const [quota, window] = [policy.get("q")!, policy.get("w")!];
    const [remaining, reset] = [state.get("r")!, state.get("t")!];
    if (quota < 1 || window < 1) throw new FieldError("RateLimit-Policy allows nothing");
    if (remaining > quota) throw new FieldError("RateLimit leaves more than there is");
    if (reset > window) throw new FieldError("RateLimit waits longer than its window");
    return [name, { quota, window, remaining, reset }] as const;
  }));
}

function membersOf(
  headers: Headers,
  { field, needs }: { readonly field: string; readonly needs: readonly string[] },
): ReturnType<typeof parseMembers> {
  const value = headers.get(field);
  if (value === null) throw new FieldError(`${field} is missing`);
  try {
    const members = parseMembers(value);
    const missing = needs.find((key) => members.values().some((keys) => !keys.has(key)));
    if (missing !== undefined) throw new FieldError(`lacks ${missing}`);
    return members;
  } catch (error) {
    throw error instanceof FieldError ? new FieldError(`${field} ${error.message}`) : error;
  }
}
