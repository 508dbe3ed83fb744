/**
 * @module Renders the result of a run as JUnit XML: a suite for each tier, a test case for each rule,
 * which fails with every place where the rule is broken.
 */

import type { FindingGroup } from "../finding.ts";
import { CHECKS } from "../oracle/oracle.ts";
import type { RunResult } from "../run.ts";
import { masked } from "../secrets.ts";
import { curlExcerpt } from "./excerpt.ts";

export function junitReport({ tiers, open, stale, ms, title }: RunResult): string {
  const suites = tiers.map(({ name, skipped, ms }) => {
    const own = open.filter(({ tiers }) => tiers.includes(name));
    const rules = new Set([...CHECKS.map((check) => check.name), ...own.map(({ check }) => check)]);
    const cases = [...rules].map((rule) => {
      const failures = own.filter(({ check }) => check === rule);
      return caseXml(`${name}.${rule}`, { rule, skipped, failures });
    });
    return suiteXml(name, { cases, failures: new Set(own.map(({ check }) => check)).size, ms });
  });
  const gaps = open.filter(({ tiers }) => tiers.includes("matrix"));
  const outdated = stale.map((waiver) => ({ ...waiver, tiers: [], findings: [] }));
  const rest = [
    caseXml("matrix.completeness", { rule: "completeness", failures: gaps }),
    caseXml("waivers.stale", { rule: "stale", failures: outdated }),
  ];
  const failures = Number(gaps.length > 0) + Number(stale.length > 0);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xml(title)}" time="${seconds(ms)}">`,
    ...suites,
    suiteXml("run", { cases: rest, failures, ms: 0 }),
    "</testsuites>",
    "",
  ].join("\n");
}

function suiteXml(
  name: string,
  { cases, failures, ms }: { cases: readonly string[]; failures: number; ms: number },
): string {
  const counts = `tests="${cases.length}" failures="${failures}" time="${seconds(ms)}"`;
  return [`<testsuite name="${xml(name)}" ${counts}>`, ...cases, "</testsuite>"].join("\n");
}

function caseXml(
  classname: string,
  { rule, skipped, failures }: {
    readonly rule: string;
    readonly skipped?: string | undefined;
    readonly failures: readonly FindingGroup[];
  },
): string {
  const open = `<testcase classname="${xml(classname)}" name="${xml(rule)}"`;
  if (skipped !== undefined) return `${open}><skipped message="${xml(skipped)}"/></testcase>`;
  if (failures.length === 0) return `${open}/>`;
  const lines = failures.flatMap(({ where, message, findings }) => {
    const { exchange, replay } = findings[0] ?? {};
    const sent = exchange === undefined ? [] : [`  ${curlExcerpt(exchange, replay)}`];
    return [`${where}: ${message}`, ...sent];
  });
  const first = `${failures[0]!.where}: ${failures[0]!.message}`;
  return `${open}><failure message="${xml(first)}">${xml(lines.join("\n"))}</failure></testcase>`;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

/** Escapes text for XML 1.0, which cannot represent most control characters. */
function xml(text: string): string {
  return masked(text).replace(
    /[\p{Cc}\ufffe\uffff]/gu,
    (character) => character === "\n" ? "\n" : "�",
  )
    .replace(
      /[\ud800-\udfff]/g,
      (unit, at: number, all: string) =>
        all.codePointAt(at)! > 0xffff || all.codePointAt(at - 1)! > 0xffff ? unit : "�",
    )
    .replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;").replaceAll("\n", "&#10;");
}
