/** @module What the rules for single exchanges are given, and what they have in common. */

import type { ApiDocument, Operation } from "../document/document.ts";
import type { Exchange } from "../lib/exchange.ts";
import type { Profile } from "./profile.ts";
import type { Schemas } from "../document/schemas.ts";
import { CannotRun } from "../lib/cannot_run.ts";
import { declareRules, type RuleName, type Severity } from "../lib/rules.ts";

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

/** The members of a list field, such as Allow or Vary. */
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

/**
 * What a file of `--checks` exports: what is wrong with an answer, in one line, or undefined.
 *
 * @example
 * export function no_stack_trace({ answer }) {
 *   if (answer.text.includes("Traceback")) return "the answer has a stack trace";
 * }
 * no_stack_trace.severity = "breach";
 */
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
