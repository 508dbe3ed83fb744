/** @module Rounds, medians, verdicts, and the figures as table and chart. */

import { table } from "../../../cli/leads/table.ts";

export interface Row {
  readonly name: string;
  /** Whether more is better (requests a second) or less (time, memory). */
  readonly better: "higher" | "lower";
  readonly rounds: readonly number[];
  readonly usual?: readonly number[] | undefined;
  readonly bar?: number | undefined;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The q-quantile (0 to 1), interpolated between neighbours; NaN without values. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = q * (sorted.length - 1);
  const [below = NaN, above = NaN] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return below + (above - below) * (place - Math.floor(place));
}

export async function inTurn<Name extends string, T>(
  measures: Readonly<Record<Name, () => Promise<T>>>,
  rounds: number,
): Promise<Record<Name, T>[]> {
  const names = Object.keys(measures) as Name[];
  const all: Record<Name, T>[] = [];
  for (let round = 0; round < rounds; round++) {
    const found = {} as Record<Name, T>;
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length]!;
      found[name] = await measures[name]();
    }
    all.push(found);
  }
  return all;
}

/** The median counts. */
export function verdictOf({ better, rounds, bar }: Row): string {
  if (bar === undefined) return "no bar";
  const figure = median(rounds);
  return (better === "higher" ? figure >= bar : figure <= bar) ? "met" : "missed";
}

const HEAD = ["ratio to the bare server", "service", "half of the rounds", "usual", "bar", ""];

export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const { name, better, rounds, usual, bar } = row;
    const range = [0.25, 0.75].map((q) => quantile(rounds, q).toFixed(2)).join(" to ");
    const least = bar === undefined ? "" : `${better === "higher" ? "≥" : "≤"} ${bar.toFixed(2)}`;
    const other = usual === undefined ? "" : median(usual).toFixed(2);
    const figure = median(rounds).toFixed(2);
    return [name, figure, range, other, least, verdictOf(row)];
  });
  return table(HEAD, lines).join("\n");
}

const [LABELS, PLOT, LINE] = [120, 460, 26];

/** For light and dark; the text repeats what colours show. */
const STYLE = `
    text { font: 13px system-ui, sans-serif; fill: var(--text) } .end { text-anchor: end }
    svg { --ground: #fff; --text: #1f2328; --met: #1a7f64; --missed: #bc4c00; --usual: #8c959f }
    @media (prefers-color-scheme: dark) { svg { --ground: #0d1117; --text: #e6edf3; --met: #2ea584;
      --missed: #e0823d; --usual: #6e7681 } }
    .ground { fill: var(--ground) } .met { fill: var(--met) } .missed { fill: var(--missed) }
    .usual, .no { fill: var(--usual) } .mark { stroke: var(--text); stroke-width: 2 }`;

/** A row a line: the figure, its bar as a stroke, and the usual stack in grey below. */
export function chartOf(rows: readonly Row[]): string {
  const height = (rows.length + 2) * LINE;
  const most = Math.max(...rows.flatMap(({ rounds, bar = 0 }) => [median(rounds), bar]));
  const wide = (value: number) => Math.round(value / most * PLOT);
  const lines = rows.map((row, n) => {
    const { name, better, rounds, usual = [0], bar } = row;
    const [y, figure, verdict] = [n * LINE + LINE / 2, median(rounds), verdictOf(row)];
    const said = `${figure.toFixed(2)} ${verdict}${better === "lower" ? " (less is better)" : ""}`;
    const mark = bar === undefined ? "" : `<path class="mark" d="M${LABELS + wide(bar)} ${y}v20"/>`;
    return `  <text class="end" x="${LABELS - 10}" y="${y + 13}">${name}</text>
  <rect class="${verdict}" x="${LABELS}" y="${y + 2}" width="${wide(figure)}" height="11"/>
  <rect class="usual" x="${LABELS}" y="${y + 14}" width="${wide(median(usual))}" height="5"/>
  ${mark}<text x="${LABELS + wide(Math.max(figure, bar ?? 0)) + 8}" y="${y + 13}">${said}</text>`;
  });
  const size = `viewBox="0 0 ${LABELS + PLOT + 220} ${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img">
  <title>The service as a ratio to a bare server</title>
  <style>${STYLE}
  </style>
  <rect class="ground" width="100%" height="100%" rx="6"/>
${lines.join("\n")}
  <text x="${LABELS}" y="${
    height - LINE / 2
  }">1 is a bare server; the stroke is the bar; grey is the usual stack</text>
</svg>
`;
}
