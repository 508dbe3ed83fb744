/**
 * @module Compares the responses of two services that should be alike. Dates, ids, limits and
 * origins may differ.
 */

import { parse } from "yaml";
import type { Answer, Call } from "./exchange.ts";

/** Headers of which only the presence is compared. */
const VALUE_DIFFERS = /^(?:date|x-request-id|ratelimit|etag|content-length|age)$/;

/** Headers of connections and proxies. */
const IGNORED = /^(?:connection|keep-alive|transfer-encoding|server|via)$/;

/** Whether both services can answer alike: an entity tag belongs to one of them. */
export function isComparable({ headers = [] }: Call): boolean {
  return !headers.some(([name]) => /^if-/i.test(name));
}

/** How the second answer differs from the first, one line each, without values that vary. */
export function differences(one: Answer, other: Answer | undefined): string[] {
  if (other === undefined) return [`status ${one.status} here, no answer there`];
  if (one.status !== other.status) return [`status ${one.status} here, ${other.status} there`];
  const names = new Set([...one.headers.keys(), ...other.headers.keys()]);
  const inHeaders = [...names].filter((name) => !IGNORED.test(name)).flatMap((name) => {
    const [here, there] = [one.headers.get(name), other.headers.get(name)];
    if (here === null) return [`header ${name} only there`];
    if (there === null) return [`header ${name} only here`];
    const isAlike = VALUE_DIFFERS.test(name) || withoutOrigins(here) === withoutOrigins(there);
    return isAlike ? [] : [`header ${name} differs`];
  });
  return bodyOf(one) === bodyOf(other) ? inHeaders : [...inHeaders, "the bodies differ"];
}

/** YAML as its value: the length of an origin changes where its lines wrap. */
function bodyOf({ headers, text }: Answer): string {
  const isYaml = headers.get("content-type")?.includes("yaml");
  return withoutOrigins(isYaml ? JSON.stringify(parse(text)) : text);
}

function withoutOrigins(text: string): string {
  return text.replace(/https?:\/\/[^/\s"'<>);,]+/g, "origin:");
}
