/** @module Rules, declared beside the code that checks them: a finding names a declared one. */

import { CannotRun } from "./cannot_run.ts";

/**
 * `breach`: the document or a MUST of an RFC is broken. `advice`: a SHOULD, or something that clients
 * miss. `coverage`: the run could not see or generate something.
 */
export type Severity = "breach" | "advice" | "coverage";

export interface Rule {
  readonly severity: Severity;
  readonly rule: string;
}

declare const DECLARED: unique symbol;

export type RuleName = string & { readonly [DECLARED]: true };

const declared = new Map<string, Rule>();

/** The rules of all modules that are loaded, by name. */
export const RULES: ReadonlyMap<string, Rule> = declared;

/** Declares rules: severity and sentence by name. @throws if one has been declared elsewhere */
export function declareRules<const Name extends string>(
  rules: Readonly<Record<Name, `${Severity}: ${string}`>>,
): Readonly<Record<Name, RuleName>> {
  for (const [name, text] of Object.entries<string>(rules)) {
    if (declared.has(name)) throw new Error(`the rule ${name} is declared twice`);
    const [, severity, rule] = /^(\w+): (.*)$/.exec(text)!;
    declared.set(name, { severity: severity as Severity, rule: rule! });
  }
  const names = Object.keys(rules).map((name) => [name, name]);
  return Object.fromEntries(names);
}

/** The rule of a stored finding. @throws {CannotRun} if there is none */
export function ruleNamed(name: string): RuleName {
  if (declared.has(name)) return name as RuleName;
  throw new CannotRun(`no rule is called ${name}`);
}

export function severityOf({ check }: { readonly check: string }): Severity {
  return declared.get(ruleNamed(check))!.severity;
}
