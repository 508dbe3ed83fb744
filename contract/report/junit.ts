/**
 * @module Renders the result of a run as JUnit XML: a suite for each tier, a test case for each broken
 * rule, which fails with every place. What does not count is output of its case.
 */

import type { RunResult } from "../run/run.ts";
import { escaped, type Item, viewOf } from "./view.ts";

type Broken = Pick<Item, "check" | "where" | "message" | "counts"> & Partial<Pick<Item, "line">>;

interface Suite {
  readonly name: string;
  readonly ms: number;
  /** Cases that are there if nothing is broken. */
  readonly rules: readonly string[];
  readonly broken: readonly Broken[];
  readonly skipped?: string | undefined;
}

export function junitReport(result: RunResult): string {
  const { tiers, title, ms, stale } = result;
  const { items } = viewOf(result);
  const suites = tiers.map((tier): Suite => {
    const broken = items.filter((item) => item.tiers.includes(tier.name));
    return { ...tier, rules: broken.length === 0 ? [tier.tries] : [], broken };
  });
  const names = tiers.map(({ name }) => name);
  const others = items.filter((item) => item.tiers.some((tier) => !names.includes(tier)));
  const waivers = stale.map((one): Broken => ({ ...one, check: "stale_waivers", counts: true }));
  const rules = ["completeness", "stale_waivers"];
  suites.push({ name: "run", ms: 0, rules, broken: [...others, ...waivers] });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xml(title)}" time="${seconds(ms)}">`,
    ...suites.map(suiteXml),
    "</testsuites>\n",
  ].join("\n");
}

function suiteXml(suite: Suite): string {
  const { name, ms, rules, broken } = suite;
  const all = new Set([...rules, ...broken.map(({ check }) => check)]);
  const cases = [...all].map((rule) => caseXml(suite, rule));
  const of = (element: string) => cases.filter((one) => one.includes(`><${element} `)).length;
  const counts = `tests="${cases.length}" failures="${of("failure")}" skipped="${of("skipped")}"`;
  const head = `<testsuite name="${xml(name)}" ${counts} time="${seconds(ms)}">`;
  return [head, ...cases, "</testsuite>"].join("\n");
}

function caseXml({ name, broken, skipped }: Suite, rule: string): string {
  const open = `<testcase classname="${xml(`${name}.${rule}`)}" name="${xml(rule)}"`;
  const close = "</testcase>";
  if (skipped !== undefined) return `${open}><skipped message="${xml(skipped)}"/>${close}`;
  const own = broken.filter(({ check }) => check === rule);
  const [first] = own;
  if (first === undefined) return `${open}/>`;
  const text = own.flatMap(({ where, message, line }) =>
    [`${where}: ${message}`, line === undefined ? [] : `  ${line}`].flat()
  );
  const body = xml(text.join("\n"));
  if (!own.some(({ counts }) => counts)) return `${open}><system-out>${body}</system-out>${close}`;
  const failure = `failure message="${xml(`${first.where}: ${first.message}`)}"`;
  return `${open}><${failure}>${body}</failure>${close}`;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

/** A line break in an attribute would be read as a space. */
function xml(text: string): string {
  return escaped(text).replaceAll("\n", "&#10;");
}
