/** @module All rules by name, from `rules.yaml`, and what it means if one is broken. */

import { parse } from "yaml";

/**
 * `breach`: the document or a MUST of an RFC is broken. `advice`: a SHOULD, or something that clients
 * miss. `coverage`: the run could not see or generate something.
 */
export type Severity = "breach" | "advice" | "coverage";

export interface Rule {
  readonly severity: Severity;
  /** One sentence. */
  readonly rule: string;
}

const FILE: Record<Severity, Record<string, string>> = parse(
  Deno.readTextFileSync(new URL("rules.yaml", import.meta.url)),
);

export const RULES: Readonly<Record<string, Rule>> = Object.fromEntries(
  (["breach", "advice", "coverage"] as const).flatMap((severity) =>
    Object.entries(FILE[severity]).map(([name, rule]) => [name, { severity, rule }])
  ),
);

/** The severity of a finding's rule. */
export function severityOf({ check }: { readonly check: string }): Severity {
  const rule = RULES[check];
  if (rule === undefined) throw new Error(`rules.yaml lacks the rule ${check}`);
  return rule.severity;
}
