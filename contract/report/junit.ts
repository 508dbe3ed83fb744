/**
 * @module Renders the result of a run as JUnit XML: a suite for each tier, a test case for each rule,
 * which fails with every place where the rule is broken. What does not count is output of its case.
 */

import { type FindingGroup, isCounted } from "../finding.ts";
import { CHECKS } from "../oracle/oracle.ts";
import type { RunResult } from "../run.ts";
import { masked } from "../secrets.ts";
import { curlExcerpt } from "./excerpt.ts";

export function junitReport(result: RunResult): string {
  const { tiers, open, stale, ms, title } = result;
  const suites = tiers.map(({ name, skipped, ms }) => {
    const own = open.filter(({ tiers }) => tiers.includes(name));
    const rules = new Set([...Object.keys(CHECKS), ...own.map(({ check }) => check)]);
    const cases = [...rules].map((rule) => {
      const groups = own.filter(({ check }) => check === rule);
      return caseXml(`${name}.${rule}`, { rule, skipped, groups, result });
    });
    return suiteXml(name, { cases, ms });
  });
  const outside = open.filter(({ tiers }) =>
    tiers.some((tier) => ["matrix", "run"].includes(tier))
  );
  const outdated = stale.map((waiver) => ({ ...waiver, tiers: [], findings: [] }));
  const rest = [
    ...[...new Set(["completeness", ...outside.map(({ check }) => check)])].map((rule) =>
      caseXml(`run.${rule}`, {
        rule,
        groups: outside.filter(({ check }) => check === rule),
        result,
      })
    ),
    caseXml("waivers.stale", { rule: "stale", groups: outdated, result }),
  ];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xml(title)}" time="${seconds(ms)}">`,
    ...suites,
    suiteXml("run", { cases: rest, ms: 0 }),
    "</testsuites>",
    "",
  ].join("\n");
}

function suiteXml(
  name: string,
  { cases, ms }: { readonly cases: readonly string[]; readonly ms: number },
): string {
  const of = (element: string) => cases.filter((one) => one.includes(`><${element} `)).length;
  const counts = `tests="${cases.length}" failures="${of("failure")}" skipped="${of("skipped")}"`;
  const head = `<testsuite name="${xml(name)}" ${counts} time="${seconds(ms)}">`;
  return [head, ...cases, "</testsuite>"].join("\n");
}

function caseXml(
  classname: string,
  { rule, skipped, groups, result }: {
    readonly rule: string;
    readonly skipped?: string | undefined;
    readonly groups: readonly FindingGroup[];
    readonly result: RunResult;
  },
): string {
  const open = `<testcase classname="${xml(classname)}" name="${xml(rule)}"`;
  if (skipped !== undefined) return `${open}><skipped message="${xml(skipped)}"/></testcase>`;
  const [first] = groups;
  if (first === undefined) return `${open}/>`;
  const lines = groups.flatMap(({ where, message, findings }) => {
    const { exchange, replay } = findings[0] ?? {};
    const { command } = result;
    const sent = exchange === undefined ? [] : [`  ${curlExcerpt(exchange, { command, replay })}`];
    return [`${where}: ${message}`, ...sent];
  });
  const text = xml(lines.join("\n"));
  // A stale waiver has no findings, and always counts.
  const fails = groups.some((group) => rule === "stale" || isCounted(group, result));
  const what = fails
    ? `<failure message="${xml(`${first.where}: ${first.message}`)}">${text}</failure>`
    : `<system-out>${text}</system-out>`;
  return `${open}>${what}</testcase>`;
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
