/** @module Expectations of one answer as data, for cases, properties and counterexamples. */

import { type Answer, jsonOf } from "../lib/exchange.ts";
import { listOf, mediaTypeOf } from "./check.ts";
import { at } from "../lib/json.ts";
import type { Profile } from "./profile.ts";

/** What is expected. Omitted members are not checked. */
export interface Want {
  /** `400`, a class of statuses such as `4XX`, or several: `2XX|404`. */
  readonly status?: string | undefined;
  readonly code?: string | undefined;
  /** JSON Pointers that the error's details must name, exactly these, in any order. */
  readonly at?: readonly string[] | undefined;
  readonly type?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** One line for each deviation. A wrong status or code ends the check. */
export function mismatchesOf(answer: Answer, { want, profile }: {
  readonly want: Want;
  readonly profile: Profile;
}): string[] {
  const { errors } = profile;
  const body = jsonOf(answer);
  const code = errors === undefined ? undefined : at(body, errors.code);
  const isStatus = want.status === undefined ||
    new RegExp(`^(?:${want.status.replaceAll("X", "\\d")})$`).test(String(answer.status));
  if (!isStatus || (want.code !== undefined && code !== want.code)) {
    const [got, wanted] = [[answer.status, code], [want.status, want.code]]
      .map((words) => words.filter((word) => word !== undefined).join(" "));
    return [`got ${got} instead of ${wanted}`];
  }
  const problems: string[] = [];
  if (want.at !== undefined && errors?.issues !== undefined) {
    const issues = [at(body, errors.issues) ?? []].flat();
    const places = issues.map((issue) => String(at(issue, errors.issue_at ?? "")));
    const [named, wanted] = [places, want.at]
      .map((pointers) => [...new Set(pointers.map(quoted))].sort().join(", "));
    const message = `the details name ${named || "nothing"} instead of ${wanted}`;
    if (named !== wanted) problems.push(message);
  }
  const type = mediaTypeOf(answer.headers);
  if (want.type !== undefined && want.type !== type) {
    problems.push(`got ${type || "no media type"} instead of ${want.type}`);
  }
  return [...problems, ...headerMismatches(answer.headers, want.headers)];
}

export function headerMismatches(headers: Headers, wanted: Want["headers"] = {}): string[] {
  return Object.entries(wanted).flatMap(([name, value]) => {
    const given = headers.get(name);
    return given === value ? [] : [`${name} is ${given ?? "missing"} instead of ${value}`];
  });
}

export function varyOf(headers: Headers): string[] {
  return listOf(headers.get("vary")).map((field) => field.toLowerCase());
}

export function quoted(pointer: string): string {
  return pointer === "" ? '""' : pointer;
}
