/** @module What the rules for single exchanges are given, checks of the operator, and expectations. */

import type { ApiDocument, Operation } from "../document/document.ts";
import { type Answer, type Exchange, jsonOf } from "../lib/exchange.ts";
import type { Profile } from "./profile.ts";
import type { Schemas } from "../document/schemas.ts";
import { CannotRun } from "../lib/cannot_run.ts";
import { declareRules, type RuleName, type Severity } from "../lib/rules.ts";
import { at } from "../lib/json.ts";

export interface Contract {
  readonly document: ApiDocument;
  readonly schemas: Schemas;
  readonly profile: Profile;
  readonly checks?: OwnChecks | undefined;
}

export interface Case extends Exchange {
  /** The operation of the request, for HEAD that of GET; undefined if it is not documented. */
  readonly operation: Operation | undefined;
  readonly neighbours: readonly Operation[];
}

/** What is wrong in one exchange, by rule: one line for each problem. */
export type Problems<Rules> = {
  readonly [rule in keyof Rules]?: readonly string[] | string | false | undefined;
};

/** The media type without parameters, in lower case; empty if there is none. */
export function mediaTypeOf(headers: Headers): string {
  return headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

export function listOf(field: string | null): string[] {
  return (field ?? "").split(",").map((member) => member.trim()).filter((member) => member !== "");
}

export function isSuccess({ answer: { status } }: Pick<Exchange, "answer">): boolean {
  return status >= 200 && status < 300;
}

/** Whether a status is one that HTTP defines for what is asked, so that documents need not list it. */
export function isGeneric({ call, answer: { status } }: Exchange): boolean {
  const asks = (name: RegExp) => call.headers?.some(([header]) => name.test(header)) ?? false;
  return (asks(/^if-/i) && (status === 304 || status === 412)) ||
    (asks(/^range$/i) && (status === 206 || status === 416)) ||
    (asks(/^accept$/i) && status === 406);
}

/** What a file of `--checks` exports: what is wrong with an answer, in one line, or undefined. */
export interface OwnCheck {
  (exchange: Exchange): string | undefined;
  readonly severity?: Severity;
}

export type OwnChecks = ReadonlyMap<RuleName, OwnCheck>;

/** @throws {CannotRun} if the file cannot be used */
export async function readChecks(file: URL): Promise<OwnChecks> {
  const found = Object.entries(await import(file.href)).filter((one): one is [string, OwnCheck] =>
    typeof one[1] === "function"
  );
  if (found.length === 0) throw new CannotRun("it exports no function");
  return new Map(found.map(([name, check]) => {
    const { severity = "breach" } = check;
    if (!/^(?:breach|advice|coverage)$/.test(severity)) {
      throw new CannotRun(`${name}.severity is ${severity}`);
    }
    return [declareRules({ [name]: `${severity}: a check of the operator` })[name]!, check];
  }));
}

/** The lines of the checks by their names; one that throws says so. */
export function ownProblems(
  exchange: Exchange,
  checks: OwnChecks,
): Record<string, string | undefined> {
  return Object.fromEntries([...checks].map(([name, check]) => {
    try {
      return [name, check(exchange)];
    } catch (error) {
      return [name, `the check itself fails: ${(error as Error).message}`];
    }
  }));
}

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
