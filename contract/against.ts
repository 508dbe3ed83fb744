/**
 * @module Compares the responses of two services that should be alike. Dates, ids, limits and
 * origins may differ.
 */

import { parse } from "yaml";
import { send, type SendOptions, UnreachableError } from "./client.ts";
import type { Answer, Call } from "./exchange.ts";

/** Headers of which only the presence is compared. */
const VALUE_DIFFERS = new Set([
  "date",
  "x-request-id",
  "ratelimit",
  "etag",
  "content-length",
  "age",
]);
/** Headers of connections and proxies. */
const IGNORED = new Set(["connection", "keep-alive", "transfer-encoding", "server", "via"]);

/** Whether both services can answer alike: an entity tag belongs to one of them. */
export function isComparable({ headers = [] }: Call): boolean {
  return !headers.some(([name]) => /^if-/i.test(name));
}

/** The answer of the second service; undefined if it is unreachable. */
export async function sendToOther(
  other: string,
  call: Call,
  options: SendOptions = {},
): Promise<Answer | undefined> {
  try {
    return await send(other, call, options);
  } catch (error) {
    if (error instanceof UnreachableError) return undefined;
    throw error;
  }
}

/** How the second answer differs from the first, one line each, without values that vary. */
export function differences(one: Answer, other: Answer | undefined): string[] {
  if (other === undefined) return [`status ${one.status} here, no answer there`];
  if (one.status !== other.status) return [`status ${one.status} here, ${other.status} there`];
  const names = new Set([...one.headers.keys(), ...other.headers.keys()]);
  const inHeaders = [...names].filter((name) => !IGNORED.has(name)).flatMap((name) => {
    const [here, there] = [one.headers.get(name), other.headers.get(name)];
    if (here === null || there === null) {
      return [`header ${name} only ${here === null ? "there" : "here"}`];
    }
    return VALUE_DIFFERS.has(name) || sameText(here, there) ? [] : [`header ${name} differs`];
  });
  return sameBody(one, other) ? inHeaders : [...inHeaders, "the bodies differ"];
}

/** Compares YAML by value: the length of an origin changes where its lines wrap. */
function sameBody(one: Answer, other: Answer): boolean {
  if (!/yaml/.test(one.headers.get("content-type") ?? "")) return sameText(one.text, other.text);
  return sameText(JSON.stringify(parse(one.text)), JSON.stringify(parse(other.text)));
}

function sameText(one: string, other: string): boolean {
  return withoutOrigins(one) === withoutOrigins(other);
}

function withoutOrigins(text: string): string {
  return text.replace(/https?:\/\/[^/\s"'<>);,]+/g, "origin:");
}
