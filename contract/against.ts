/**
 * @module Two services that should be alike: the same request to both, and how their answers
 * differ. What must differ (dates, ids, what is left of a limit, the services' own origins) is left
 * out.
 */

import { parse } from "yaml";
import { send, UnreachableError } from "./client.ts";
import type { Answer, Call } from "./exchange.ts";

/** Values of these headers are each answer's own; that they are there is compared. */
const OWN_VALUE = new Set(["date", "x-request-id", "ratelimit", "etag", "content-length", "age"]);
/** These come and go with connections and what stands in between. */
const LEFT_OUT = new Set(["connection", "keep-alive", "transfer-encoding", "server", "via"]);

/** Whether a request means the same to both: a condition is about one service's own entity tag. */
export function isComparable({ headers = [] }: Call): boolean {
  return !headers.some(([name]) => /^if-/i.test(name));
}

/** What the second service answers; undefined: nothing, which is not the first one's fault. */
export async function ask(other: string, call: Call): Promise<Answer | undefined> {
  try {
    return await send(other, call);
  } catch (error) {
    if (error instanceof UnreachableError) return undefined;
    throw error;
  }
}

/** How the second answer differs from the first, a line each, without values that vary. */
export function differences(one: Answer, other: Answer | undefined): string[] {
  if (other === undefined) return [`status ${one.status} here, no answer there`];
  if (one.status !== other.status) return [`status ${one.status} here, ${other.status} there`];
  const names = new Set([...one.headers.keys(), ...other.headers.keys()]);
  const inHeaders = [...names].filter((name) => !LEFT_OUT.has(name)).flatMap((name) => {
    const [here, there] = [one.headers.get(name), other.headers.get(name)];
    if (here === null || there === null) {
      return [`header ${name} only ${here === null ? "there" : "here"}`];
    }
    return OWN_VALUE.has(name) || sameText(here, there) ? [] : [`header ${name} differs`];
  });
  return sameBody(one, other) ? inHeaders : [...inHeaders, "the bodies differ"];
}

/** YAML breaks its lines by their length, which an origin changes: it is compared as a value. */
function sameBody(one: Answer, other: Answer): boolean {
  if (!/yaml/.test(one.headers.get("content-type") ?? "")) return sameText(one.text, other.text);
  return sameText(JSON.stringify(parse(one.text)), JSON.stringify(parse(other.text)));
}

/** Equal but for the origins in them, since each service names its own. */
function sameText(one: string, other: string): boolean {
  return withoutOrigins(one) === withoutOrigins(other);
}

function withoutOrigins(text: string): string {
  return text.replace(/https?:\/\/[^/\s"'<>);,]+/g, "origin:");
}
