/**
 * @module Renders the result of a run as JUnit XML: a suite for each tier, a test case for each rule,
 * which fails with every place where the rule is broken. What does not count is output of its case.
 */

import { RULES } from "../rules.ts";
import type { RunResult } from "../run.ts";
import { escaped, type Item, viewOf } from "./view.ts";

/** A test case: nothing, a failure, output, or why it is skipped. */
interface Case {
  readonly rule: string;
  readonly element?: "failure" | "system-out" | "skipped";
  readonly message?: string;
  readonly lines?: readonly string[];
}

export function junitReport(result: RunResult): string {
  const { items } = viewOf(result);
  const { tiers, title, ms, stale } = result;
  const names = tiers.map(({ name }) => name);
  const suites = tiers.map(({ name, skipped, ms }) => {
    const own = items.filter(({ tiers }) => tiers.includes(name));
    const rules = Object.keys(RULES);
    const cases = casesOf(own, rules).map((one): Case =>
      skipped === undefined ? one : { rule: one.rule, element: "skipped", message: skipped }
    );
    return suiteXml(name, { cases, ms });
  });
  const others = items.filter(({ tiers }) => tiers.some((tier) => !names.includes(tier)));
  const outdated = stale.map(({ where, message }) => `${where}: ${message}`);
  const waivers: Case = outdated.length === 0
    ? { rule: "stale_waivers" }
    : { rule: "stale_waivers", element: "failure", message: outdated[0]!, lines: outdated };
  const run = [...casesOf(others, ["completeness"]), waivers];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xml(title)}" time="${seconds(ms)}">`,
    ...suites,
    suiteXml("run", { cases: run, ms: 0 }),
    "</testsuites>\n",
  ].join("\n");
}

/** A case for each rule, and for each other rule that is broken. */
function casesOf(items: readonly Item[], rules: readonly string[]): Case[] {
  const all = new Set([...rules, ...items.map(({ check }) => check)]);
  return [...all].map((rule): Case => {
    const broken = items.filter(({ check }) => check === rule);
    const [first] = broken;
    if (first === undefined) return { rule };
    const lines = broken.flatMap(({ where, message, line }) => [
      `${where}: ${message}`,
      ...(line === undefined ? [] : [`  ${line}`]),
    ]);
    const message = `${first.where}: ${first.message}`;
    const element = broken.some(({ counts }) => counts) ? "failure" : "system-out";
    return { rule, element, message, lines };
  });
}

function suiteXml(
  name: string,
  { cases, ms }: { readonly cases: readonly Case[]; readonly ms: number },
): string {
  const of = (wanted: string) => cases.filter(({ element }) => element === wanted).length;
  const counts = `tests="${cases.length}" failures="${of("failure")}" skipped="${of("skipped")}"`;
  const head = `<testsuite name="${xml(name)}" ${counts} time="${seconds(ms)}">`;
  return [head, ...cases.map((one) => caseXml(name, one)), "</testsuite>"].join("\n");
}

function caseXml(suite: string, { rule, element, message = "", lines = [] }: Case): string {
  const open = `<testcase classname="${xml(`${suite}.${rule}`)}" name="${xml(rule)}"`;
  if (element === undefined) return `${open}/>`;
  const head = element === "system-out" ? element : `${element} message="${xml(message)}"`;
  return `${open}><${head}>${xml(lines.join("\n"))}</${element}></testcase>`;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

/** A line break in an attribute would be read as a space. */
function xml(text: string): string {
  return escaped(text).replaceAll("\n", "&#10;");
}
