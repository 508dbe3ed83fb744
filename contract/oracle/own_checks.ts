/** @module Checks of the operator, which judge every answer like the rules of the harness. */

import { CannotRun } from "../lib/cannot_run.ts";
import type { Exchange } from "../lib/exchange.ts";
import { declareRules, type RuleName, type Severity } from "../lib/rules.ts";

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
