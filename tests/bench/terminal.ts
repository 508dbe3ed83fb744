/** @module The table that the benchmark prints. Pure. */

import { type Row, verdictOf } from "./rows.ts";
import type { Spread } from "./stats.ts";

const HEAD = ["", "service", "half of the rounds", "by CPU time", "usual", "bar", ""];

/** All rows, under a heading for each thing that they are compared with, then the sum of the bars. */
export function table(rows: readonly Row[]): string {
  const sections = Map.groupBy(rows, headingOf);
  const cells = new Map(
    [...sections].map(([heading, section]) => [heading, [HEAD, ...section.map(cellsOf)]]),
  );
  const all = [...cells.values()].flat();
  const widths = HEAD.map((_, n) => Math.max(...all.map((line) => line[n]!.length)));
  const lines = [...cells].flatMap(([heading, section]) => [
    "",
    heading,
    ...section.map((line) =>
      `  ${
        line.map((cell, n) => n === 0 ? cell.padEnd(widths[n]!) : cell.padStart(widths[n]!)).join(
          "  ",
        )
      }`
        .trimEnd()
    ),
  ]);
  return [...lines, "", sumOf(rows)].join("\n");
}

function headingOf({ group, better, to }: Row): string {
  const what = group === "answers" ? "Requests a second" : "Cost";
  return `${what}, to ${to} (${better} is better)`;
}

function cellsOf(row: Row): string[] {
  const { label, service, work, usual, timesUsual, bar, better } = row;
  const verdict = verdictOf(row);
  return [
    label,
    ratio(service.median),
    range(service),
    work === undefined || Number.isNaN(work.median) ? "" : ratio(work.median),
    usual === undefined ? "" : ratio(usual.median),
    bar === undefined
      ? ""
      : `${better === "higher" ? "≥" : "≤"} ${ratio(bar)}${
        timesUsual === undefined ? "" : `, ${timesUsual} × usual`
      }`,
    verdict === "no bar" ? "" : verdict,
  ];
}

function range({ low, high }: Spread): string {
  return low === high ? "" : `${ratio(low)} to ${ratio(high)}`;
}

function ratio(value: number): string {
  return value.toFixed(2);
}

function sumOf(rows: readonly Row[]): string {
  const barred = rows.filter(({ bar }) => bar !== undefined);
  const short = barred.filter((row) => verdictOf(row) === "short").map(({ label }) => label);
  const sum = `${barred.length - short.length} of ${barred.length} bars held`;
  return short.length === 0 ? sum : `${sum}; short: ${short.join("; ")}`;
}
