/** @module The report of a run, for people. */

import type { KillReport } from "./kills.ts";

/** Lines of a label and its value, and each broken promise. */
export function describe(report: KillReport): string {
  const { kills, seed, accepted, delivered, duplicates, drainMs } = report;
  const ratio = delivered === 0 ? 0 : 100 * duplicates / delivered;
  const rows: readonly (readonly [string, string | number])[] = [
    ["kills", `${kills} (seed ${seed})`],
    ["leads sent", report.leads],
    ["answered 200", accepted],
    ["answered 502", report.refused],
    ["never answered", report.unanswered],
    ["stored", report.stored],
    ["delivered", delivered],
    ["delivered again", `${duplicates} (${ratio.toFixed(2)} %)`],
    ["tries refused", report.triesRefused],
    ["tries ignored", report.triesIgnored],
    ["queue empty after", `${(drainMs / 1_000).toFixed(1)} s`],
    ["violations", report.violations.length + report.inconsistent.length],
  ];
  return [
    ...rows.map(([label, value]) => `${label.padEnd(18)}${value}`),
    ...report.violations.map(({ lead, ids, what }) => `! ${lead} (${ids.join(", ")}): ${what}`),
    ...report.inconsistent.map((entry) => `! ${entry}`),
  ].map((line) => `${line}\n`).join("");
}
