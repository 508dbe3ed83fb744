/**
 * @module RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers) read strictly, as
 * lists of strings with parameters in structured fields (RFC 9651). Pure.
 */

/** A field is not what it should be; the message ends a sentence about it. */
export class FieldError extends Error {
  override readonly name = "FieldError";
}

/** One member of a list. */
interface Member {
  readonly name: string;
  /** Whole numbers only: neither field has others. */
  readonly parameters: ReadonlyMap<string, number>;
}

/** How a limit is set, and how a client stands. */
export interface LimitState {
  /** `q`: how many within the window. */
  readonly quota: number;
  /** `w`: the window in seconds. */
  readonly window: number;
  /** `r`: how many are left. */
  readonly remaining: number;
  /** `t`: seconds until more are left. */
  readonly reset: number;
}

const STRING = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"/;
const PARAMETER = /^; *([a-z*][a-z0-9_.*-]*)=(\d{1,15})(?=[;,\t ]|$)/;

/**
 * Reads a list of strings with whole numbers as parameters.
 *
 * @throws {FieldError} saying what it is not
 */
export function parseMembers(field: string): Member[] {
  const members: Member[] = [];
  let rest = field.replace(/^ +| +$/g, "");
  while (true) {
    const [start, name] = STRING.exec(rest) ?? [];
    if (start === undefined || name === undefined) throw new FieldError("is no list of strings");
    rest = rest.slice(start.length);
    const parameters = new Map<string, number>();
    for (let match = PARAMETER.exec(rest); match !== null; match = PARAMETER.exec(rest)) {
      const [whole, key, value] = match;
      if (parameters.has(key!)) throw new FieldError(`has ${key} twice`);
      parameters.set(key!, Number(value));
      rest = rest.slice(whole.length);
    }
    if (members.some((member) => member.name === name)) throw new FieldError("has a name twice");
    members.push({ name, parameters });
    if (rest === "") return members;
    const [comma] = /^[ \t]*,[ \t]*(?=.)/.exec(rest) ?? [];
    if (comma === undefined) throw new FieldError("has parameters that are no whole numbers");
    rest = rest.slice(comma.length);
  }
}

/**
 * What both fields of an answer say, by the name of the limit.
 *
 * @throws {FieldError} naming the field and what is wrong with it
 */
export function limitsOf(headers: Headers): Map<string, LimitState> {
  const policies = membersOf(headers, { field: "RateLimit-Policy", needs: ["q", "w"] });
  const states = membersOf(headers, { field: "RateLimit", needs: ["r", "t"] });
  if (policies.map(({ name }) => name).join() !== states.map(({ name }) => name).join()) {
    throw new FieldError("RateLimit has other names than RateLimit-Policy");
  }
  return new Map(policies.map(({ name, parameters: policy }, index) => {
    const state = states[index]!.parameters;
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
): Member[] {
  const value = headers.get(field);
  if (value === null) throw new FieldError(`${field} is missing`);
  try {
    const members = parseMembers(value);
    const lacking = needs.find((key) => members.some(({ parameters }) => !parameters.has(key)));
    if (lacking !== undefined) throw new FieldError(`lacks ${lacking}`);
    return members;
  } catch (error) {
    throw error instanceof FieldError ? new FieldError(`${field} ${error.message}`) : error;
  }
}
