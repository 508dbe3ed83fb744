/** @module Renders findings as annotations of GitHub Actions, which shows ten of each level. */

import type { FindingGroup } from "../finding.ts";
import type { Severity } from "../rules.ts";
import type { RunResult } from "../run.ts";
import { bySeverity, curlExcerpt } from "./excerpt.ts";

const MOST = 10;

const LEVELS: readonly (readonly [severity: Severity, level: string])[] = [
  ["breach", "error"],
  ["advice", "warning"],
  ["coverage", "notice"],
];

export function annotations(result: RunResult): string {
  const groups = bySeverity(result);
  return LEVELS.flatMap(([severity, level]) =>
    groups[severity].slice(0, MOST).map((group) => annotation(level, group, result))
  ).join("\n");
}

function annotation(
  level: string,
  { check, where, message, findings }: FindingGroup,
  { command }: RunResult,
): string {
  const { exchange, replay } = findings[0] ?? {};
  const line = exchange === undefined ? "" : `\n${curlExcerpt(exchange, { command, replay })}`;
  const title = escaped(`${where} (${check})`).replaceAll(":", "%3A").replaceAll(",", "%2C");
  return `::${level} title=${title}::${escaped(message + line)}`;
}

function escaped(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
