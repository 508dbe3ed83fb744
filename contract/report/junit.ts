/** @module The result as JUnit XML: a case for each operation, rule and tier, passed ones too. */

import type { RunResult } from "../run/run.ts";
import { RULES } from "../lib/rules.ts";
import { escaped, type Item, seconds, viewOf } from "./view.ts";

type Broken = Pick<Item, "check" | "where" | "message" | "counts"> & Partial<Pick<Item, "line">>;

interface Case {
  readonly name: string;
  readonly broken?: readonly Broken[];
  readonly skipped?: string | undefined;
  readonly ms?: number;
}

export function junitReport(result: RunResult): string {
  const { tiers, title, ms, stale, cells } = result;
  const { items } = viewOf(result);
  const waivers = stale.map((one): Broken => ({ ...one, check: "stale_waivers", counts: true }));
  const operations = [...new Set(cells.map(({ operation }) => operation))];
  const suites: Readonly<Record<string, readonly Case[]>> = {
    operations: operations.map((name) => {
      return { name, broken: items.filter(({ places }) => places.includes(name)) };
    }),
    rules: [...RULES.keys(), "stale_waivers"].map((name) => {
      return { name, broken: [...items, ...waivers].filter(({ check }) => check === name) };
    }),
    tiers,
  };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xml(title)}" time="${seconds(ms, 3)}">`,
    ...Object.entries(suites).map(suiteXml),
    "</testsuites>\n",
  ].join("\n");
}

function suiteXml([name, all]: readonly [string, readonly Case[]]): string {
  const cases = all.map((one) => caseXml(name, one));
  const of = (element: string) => cases.filter((one) => one.includes(`><${element} `)).length;
  const counts = `tests="${cases.length}" failures="${of("failure")}" skipped="${of("skipped")}"`;
  return [`<testsuite name="${name}" ${counts}>`, ...cases, "</testsuite>"].join("\n");
}

function caseXml(suite: string, { name, broken = [], skipped, ms = 0 }: Case): string {
  const open = `<testcase classname="${suite}" name="${xml(name)}" time="${seconds(ms, 3)}"`;
  const close = "</testcase>";
  if (skipped !== undefined) return `${open}><skipped message="${xml(skipped)}"/>${close}`;
  const [first] = broken;
  if (first === undefined) return `${open}/>`;
  const text = broken.flatMap(({ where, message, line = [] }) =>
    [`${where}: ${message}`, line].flat()
  );
  const body = xml(text.join("\n"));
  if (!broken.some(({ counts }) => counts)) {
    return `${open}><system-out>${body}</system-out>${close}`;
  }
  const failure = `failure message="${xml(`${first.where}: ${first.message}`)}"`;
  return `${open}><${failure}>${body}</failure>${close}`;
}

/** A line break in an attribute would be read as a space. */
function xml(text: string): string {
  return escaped(text).replaceAll("\n", "&#10;");
}
