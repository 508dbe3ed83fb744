/** @module The report of a soak for a terminal. */

import type { SoakReport } from "./report.ts";

type Row = readonly [label: string, value: string | number];

/** So many ways in which a promise was broken are told. */
const MOST_TOLD = 10;

/** Figures in tables, and every promise. */
export function tablesOf(report: SoakReport): string {
  const { minutes, rounds, promises } = report;
  return [
    `${minutes.toFixed(1)} minutes of traffic, ${rounds} rounds of faults`,
    "",
    ...aligned(answerRows(report)),
    "",
    ...aligned(figureRows(report)),
    "",
    ...growthLines(report),
    "",
    ...promises.flatMap(({ promise, broken }) => [
      `${broken.length === 0 ? "✓" : "✗"} ${promise}`,
      ...broken.slice(0, MOST_TOLD).map((how) => `    ${how}`),
      ...(broken.length > MOST_TOLD ? [`    and ${broken.length - MOST_TOLD} more`] : []),
    ]),
  ].map((line) => `${line}\n`).join("");
}

function answerRows({ answers }: SoakReport): Row[] {
  const kinds = Object.entries(answers).sort(([one], [other]) => one < other ? -1 : 1);
  const total = kinds.flatMap(([, told]) => Object.values(told)).reduce((sum, n) => sum + n, 0);
  return [...kinds.map(([kind, told]): Row => [kind, byStatus(told)]), ["requests in all", total]];
}

function byStatus(answers: Readonly<Record<number, number>>): string {
  return Object.entries(answers)
    .map(([status, times]) => `${status === "0" ? "none" : status}: ${times}`)
    .join(", ");
}

function figureRows(
  { leads, standing, drainSeconds, inTheGap, target, restarts, harness }: SoakReport,
): Row[] {
  return [
    ["leads sent", leads.sent],
    ["  accepted", leads.accepted],
    ["  told lost (502)", leads.lost],
    ["  over the limit (429)", leads.limited],
    ["  never answered", leads.unanswered],
    ["delivered when the traffic had ended", standing.delivered],
    ["  waiting for the next try", standing.waiting],
    ["  dead letters", standing.dead],
    ["seconds to deliver these on demand", drainSeconds],
    ["told lost, delivered after all (the gap of the README)", inTheGap],
    ["answers of the target", byStatus(target.answers)],
    ["  leads that it had already", target.again],
    ["restarts by SIGTERM", restarts["SIGTERM"] ?? 0],
    ["restarts by SIGKILL", restarts["SIGKILL"] ?? 0],
    ["runs of the harness", harness.runs],
    ["  exchanges", harness.exchanges],
  ];
}

function growthLines({ growth }: SoakReport): string[] {
  const fixed = (values: readonly number[]) => values.map((n) => n.toFixed(0)).join(", ");
  return growth.map(({ service, mib, mostMib, files, mostFiles }) =>
    `${service.padEnd(20)}${fixed(mib)} MiB by thirds, ${mostMib.toFixed(0)} at most; ` +
    `${fixed(files)} open files, ${mostFiles} at most`
  );
}

function aligned(rows: readonly Row[]): string[] {
  const width = Math.max(...rows.map(([label]) => label.length)) + 2;
  return rows.map(([label, value]) => `${label.padEnd(width)}${value}`);
}
