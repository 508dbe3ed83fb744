/**
 * @module The chart of the benchmark as SVG: a bar a row, the bar that has to be reached as a mark
 * across it, the usual stack below it. Pure. Legible on light and dark ground, because it brings its
 * own; what colour tells is said in words as well.
 */

import { type Row, SAME_ANSWER, verdictOf } from "./rows.ts";

const WIDTH = 860;
const LABELS = 350;
const PLOT = 360;
const LINE = 26;
const HEAD = 46;
const MARGIN = 16;

const STYLE = `
    text { font: 13px system-ui, sans-serif; fill: var(--text) }
    .head { font-weight: 600 } .note { fill: var(--dim) } .end { text-anchor: end }
    svg { --ground: #fff; --text: #1f2328; --dim: #59636e; --held: #1a7f64; --short: #bc4c00;
      --usual: #8c959f; --line: #d1d9e0 }
    @media (prefers-color-scheme: dark) { svg { --ground: #0d1117; --text: #e6edf3; --dim: #9198a1;
      --held: #2ea584; --short: #e0823d; --usual: #6e7681; --line: #3d444d } }
    .ground { fill: var(--ground) } .held { fill: var(--held) } .short { fill: var(--short) }
    .usual { fill: var(--usual) } .no-bar { fill: var(--dim) } .grid { stroke: var(--line) }
    .mark { stroke: var(--text); stroke-width: 2 }`;

/** One part of the chart, with a scale of its own. */
interface Panel {
  readonly title: string;
  readonly note: string;
  readonly rows: readonly Row[];
}

/** The chart of all answers, and of what else has a bar. */
export function chart(all: readonly Row[]): string {
  const rows = all.filter(({ group, bar }) => group === "answers" || bar !== undefined);
  const panels: Panel[] = [
    {
      title: "Requests a second",
      note: "1 is a bare Deno.serve that makes the same answer; longer is better",
      rows: rows.filter(({ group, to }) => group === "answers" && to === SAME_ANSWER),
    },
    {
      title: "Leads a second",
      note: "1 is a bare Deno.serve with one KV commit a lead; longer is better",
      rows: rows.filter(({ group, to }) => group === "answers" && to !== SAME_ANSWER),
    },
    {
      title: "Cost",
      note: "1 is the bare server, or itself at rest; shorter is better",
      rows: rows.filter(({ group }) => group !== "answers"),
    },
  ].filter((panel) => panel.rows.length > 0);
  let top = MARGIN;
  const parts: string[] = [];
  for (const panel of panels) {
    parts.push(panelOf(panel, top));
    top += HEAD + panel.rows.length * LINE + MARGIN;
  }
  const usual = rows.some((row) => row.usual !== undefined)
    ? "; below in grey the usual stack"
    : "";
  const legend = `The stroke across a line is its bar${usual}.`;
  const height = top + LINE;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img">
  <title>The service beside a bare server</title>
  <desc>${escape(rows.map(inWords).join("; "))}</desc>
  <style>${STYLE}
  </style>
  <rect class="ground" width="${WIDTH}" height="${height}" rx="6"/>
${parts.join("\n")}
  <text class="note" x="${MARGIN}" y="${top + 8}">${legend}</text>
</svg>
`;
}

function panelOf({ title, note, rows }: Panel, top: number): string {
  const all = rows.flatMap((
    { service, usual, bar },
  ) => [service.median, usual?.median ?? 0, bar ?? 0]);
  const most = Math.max(1, ...all) * 1.05;
  const x = (value: number) => round(LABELS + value / most * PLOT);
  const first = top + HEAD;
  const bottom = first + rows.length * LINE;
  return [
    `  <text class="head" x="${MARGIN}" y="${top + 14}">${escape(title)}</text>`,
    `  <text class="note" x="${MARGIN}" y="${top + 32}">${escape(note)}</text>`,
    `  <path class="grid" d="M${x(0)} ${first - 4}V${bottom}M${x(1)} ${first - 4}V${bottom}"/>`,
    ...rows.map((row, n) => lineOf(row, { x, y: first + n * LINE })),
  ].join("\n");
}

function lineOf(
  row: Row,
  { x, y }: { readonly x: (value: number) => number; readonly y: number },
): string {
  const verdict = verdictOf(row);
  const width = (value: number) => round(x(value) - LABELS);
  const thick = row.usual === undefined ? 16 : 11;
  const mark = row.bar === undefined ? undefined : x(row.bar);
  return [
    `  <text class="end" x="${LABELS - 10}" y="${y + 14}">${escape(row.label)}</text>`,
    `  <rect class="${verdict.replace(" ", "-")}" x="${LABELS}" y="${y + 2}" width="${
      width(row.service.median)
    }" height="${thick}"/>`,
    ...(row.usual === undefined ? [] : [
      `  <rect class="usual" x="${LABELS}" y="${y + 14}" width="${
        width(row.usual.median)
      }" height="5"/>`,
    ]),
    ...(mark === undefined ? [] : [`  <path class="mark" d="M${mark} ${y}v20"/>`]),
    `  <text x="${LABELS + PLOT + 14}" y="${y + 14}">${
      row.service.median.toFixed(2)
    } ${verdict}</text>`,
  ].join("\n");
}

function inWords(row: Row): string {
  const { label, service, better, bar } = row;
  const sign = better === "higher" ? "at least" : "at most";
  const least = bar === undefined ? "" : `${sign} ${bar.toFixed(2)}, `;
  return `${label}: ${service.median.toFixed(2)} (${least}${verdictOf(row)})`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
