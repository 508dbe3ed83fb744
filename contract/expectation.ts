/**
 * @module Expectations of one answer as data, for cases, properties and counterexamples. Rules for
 * every answer are in `oracle/`.
 */

import { type Answer, jsonOf } from "./exchange.ts";
import { listOf, mediaTypeOf } from "./oracle/check.ts";
import { at } from "./pointer.ts";
import type { Profile } from "./profile.ts";

/** What is expected. Omitted members are not checked. */
export interface Want {
  /** `400`, a class of statuses such as `4XX`, or several: `2XX|404`. */
  readonly status?: string | undefined;
  readonly code?: string | undefined;
  /** JSON Pointers that the error's details must name, exactly these, in any order. */
  readonly at?: readonly string[] | undefined;
  /** Allowed media types. */
  readonly type?: readonly string[] | undefined;
  /** Fields that Vary must name, in lower case. */
  readonly vary?: readonly string[] | undefined;
  /** Exact header values. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** One line for each deviation. A wrong status or code ends the check. */
export function faultsOf(answer: Answer, { want, profile }: {
  readonly want: Want;
  readonly profile: Profile;
}): string[] {
  const { errors } = profile;
  const body = jsonOf(answer);
  const code = errors === undefined ? undefined : at(body, errors.code);
  const isStatus = want.status === undefined ||
    new RegExp(`^(?:${want.status.replaceAll("X", "\\d")})$`).test(String(answer.status));
  if (!isStatus || (want.code !== undefined && code !== want.code)) {
    return [
      `got ${outcomeText(answer.status, code)} instead of ${outcomeText(want.status, want.code)}`,
    ];
  }
  const faults: string[] = [];
  if (want.at !== undefined && errors?.issues !== undefined) {
    const named = pathsOfIssues(at(body, errors.issues), errors.issue_at ?? "");
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
  return [...faults, ...headerFaults(answer.headers, want.headers)];
}

/** The headers that do not have exactly these values. */
export function headerFaults(headers: Headers, wanted: Want["headers"] = {}): string[] {
  return Object.entries(wanted).flatMap(([name, value]) => {
    const given = headers.get(name);
    return given === value ? [] : [`${name} is ${given ?? "missing"} instead of ${value}`];
  });
}

function outcomeText(...words: readonly unknown[]): string {
  return words.filter((word) => word !== undefined).join(" ");
}

export function varyOf(headers: Headers): string[] {
  return listOf(headers.get("vary")).map((field) => field.toLowerCase());
}

function pathsOfIssues(issues: unknown, pointer: string): string[] {
  if (!Array.isArray(issues)) return [];
  const places = issues.map((issue) => quoted(String(at(issue, pointer))));
  return [...new Set(places)].sort();
}

/** Writes the empty pointer as `""`. */
export function quoted(pointer: string): string {
  return pointer === "" ? '""' : pointer;
}
