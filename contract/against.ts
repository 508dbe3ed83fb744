/**
 * @module Compares the responses of two services that should be alike. Dates, ids, limits and
 * origins may differ.
 */

import { parse } from "yaml";
import { send, UnreachableError } from "./client.ts";
import type { Answer, Call } from "./exchange.ts";

/** Headers whose values differ by nature; their presence is compared. */
const OWN_VALUE = new Set(["date", "x-request-id", "ratelimit", "etag", "content-length", "age"]);
/** Headers of connections and proxies. */
const LEFT_OUT = new Set(["connection", "keep-alive", "transfer-encoding", "server", "via"]);

/** Whether a request means the same to both: an entity tag belongs to one service. */
export function isComparable({ headers = [] }: Call): boolean {
  return !headers.some(([name]) => /^if-/i.test(name));
}

/** The response of the second service; undefined: it does not answer. */
export async function sendToOther(other: string, call: Call): Promise<Answer | undefined> {
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
