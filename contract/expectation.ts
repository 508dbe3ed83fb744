/**
 * @module What is expected of one answer, as data: the same for cases, for properties and for
 * counterexamples. What every answer must be is the oracle's business.
 */

import { type Answer, jsonOf } from "./exchange.ts";
import { listOf, mediaTypeOf } from "./oracle/check.ts";
import { at, type Profile } from "./profile.ts";

/** What is expected; a member that is left out is not checked. */
export interface Want {
  /** `400`, or a class of statuses such as `4XX`. */
  readonly status?: string | undefined;
  readonly code?: string | undefined;
  /** JSON Pointers that the error's details name: these and no other, in any order. */
  readonly at?: readonly string[] | undefined;
  /** Media types, one of which the body has. */
  readonly type?: readonly string[] | undefined;
  /** Fields that Vary names, in lower case. */
  readonly vary?: readonly string[] | undefined;
  /** Headers with their exact values. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Each deviation in a line. After a wrong status or code the rest is not checked. */
export function faultsOf(answer: Answer, { want, profile }: {
  readonly want: Want;
  readonly profile: Profile;
}): string[] {
  const { errors } = profile;
  const body = jsonOf(answer);
  const code = errors === undefined ? undefined : at(body, errors.code);
  const isStatus = want.status === undefined ||
    new RegExp(`^${want.status.replaceAll("X", "\\d")}$`).test(String(answer.status));
  if (!isStatus || (want.code !== undefined && code !== want.code)) {
    return [`got ${said(answer.status, code)} instead of ${said(want.status, want.code)}`];
  }
  const faults: string[] = [];
  if (want.at !== undefined && errors?.issues !== undefined) {
    const named = namedBy(at(body, errors.issues), errors.issue_at ?? "");
    if (named.join() !== want.at.toSorted().map(quoted).join()) {
      const wanted = want.at.map(quoted).join(", ");
      faults.push(`the details name ${named.join(", ") || "nothing"} instead of ${wanted}`);
    }
  }
  const type = mediaTypeOf(answer.headers);
  if (want.type !== undefined && !want.type.includes(type)) {
    faults.push(`got ${type || "no media type"} instead of ${want.type.join(" or ")}`);
  }
  const vary = varyOf(answer.headers);
  for (const field of want.vary ?? []) {
    if (!vary.includes(field) && !vary.includes("*")) faults.push(`Vary lacks ${field}`);
  }
  for (const [name, value] of Object.entries(want.headers ?? {})) {
    const given = answer.headers.get(name);
    if (given === value) continue;
    faults.push(`${name} is ${given === null ? "missing" : given} instead of ${value}`);
  }
  return faults;
}

function said(...words: readonly unknown[]): string {
  return words.filter((word) => word !== undefined).join(" ");
}

export function varyOf(headers: Headers): string[] {
  return listOf(headers.get("vary")).map((field) => field.toLowerCase());
}

function namedBy(issues: unknown, pointer: string): string[] {
  if (!Array.isArray(issues)) return [];
  const places = issues.map((issue) => quoted(String(at(issue, pointer))));
  return [...new Set(places)].sort();
}

/** Makes the empty pointer visible. */
export function quoted(pointer: string): string {
  return pointer === "" ? '""' : pointer;
}
