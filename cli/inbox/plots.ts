/**
 * @module Plots as SVG, without text, so that they stretch; names, bounds and days are HTML around them, and
 * each has its numbers in a table.
 */

import { html } from "@hono/hono/html";
import type { Markup } from "./layout.ts";

/** The height of a plot, in its own units; a day is ten wide. */
const HEIGHT = 100;

export interface Series {
  /** Also its class in the style sheet. */
  readonly name: string;
  /** For each day. */
  readonly values: readonly number[];
}

interface Plot {
  readonly title: string;
  /** For each column, such as `2026-11-23`. */
  readonly days: readonly string[];
}

/** Stacked bars, the first series at the bottom. */
export function stackedBars({ title, days, series }: Plot & { series: readonly Series[] }): Markup {
  const totals = days.map((_, n) => series.reduce((sum, { values }) => sum + values[n]!, 0));
  const most = Math.max(1, ...totals);
  const bars = days.map((day, n) => {
    let top = HEIGHT;
    const parts = series.map(({ name, values }) => {
      // One of many is still to be seen.
      const height = values[n] === 0 ? 0 : Math.max(1.5, values[n]! / most * HEIGHT);
      top -= height;
      return rect({ n, y: top, height, name });
    });
    const told = series.map(({ name, values }) => `${values[n]!.toLocaleString("en")} ${name}`);
    return column({ n, told: `${day}: ${told.join(", ")}` }, parts);
  });
  const rows = days.map((day, n) => [day, ...series.map(({ values }) => values[n]!)]);
  const names = series.map(({ name }) => name);
  return figure({ title, days, top: most.toLocaleString("en"), bottom: "0" }, {
    legend: names,
    bars,
    table: tableOf(["Day", ...names], rows.toReversed()),
  });
}

export interface Range {
  readonly low: number;
  readonly high: number;
}

/** A bar from a lower to a higher value of each day, with a mark at the lower; on a logarithmic scale. */
export function ranges(
  { title, days, values, names, text }: Plot & {
    readonly values: readonly (Range | undefined)[];
    readonly names: readonly [low: string, high: string];
    readonly text: (value: number) => string;
  },
): Markup {
  const all = values.flatMap((one) => one === undefined ? [] : [one.low, one.high]);
  const [least, most] = [Math.min(...all) / 1.5, Math.max(...all)];
  const yOf = (value: number) => HEIGHT - HEIGHT * Math.log(value / least) / Math.log(most / least);
  const bars = days.map((day, n) => {
    const value = values[n];
    if (value === undefined) return column({ n, told: `${day}: no delivery` }, []);
    const [low, high] = [yOf(value.low), yOf(value.high)];
    const told = `${day}: ${names[0]} ${text(value.low)}, ${names[1]} ${text(value.high)}`;
    return column({ n, told }, [
      rect({ n, y: high, height: low - high, name: "range" }),
      rect({ n, y: low - 2, height: 4, name: "mark" }),
    ]);
  });
  const cell = (n: number, key: keyof Range) =>
    values[n] === undefined ? "–" : text(values[n][key]);
  const rows = days.map((day, n) => [day, cell(n, "low"), cell(n, "high")]);
  return figure({ title, days, top: text(most), bottom: text(least) }, {
    legend: [],
    bars,
    table: tableOf(["Day", ...names], rows.toReversed()),
  });
}

function rect(
  { n, y, height, name }: { n: number; y: number; height: number; name: string },
): Markup {
  if (height === 0) return html``;
  const [top, tall] = [y, height].map((value) => value.toFixed(1));
  return html`
    <rect class="${name}" x="${n * 10 + 1.5}" y="${top}" width="7" height="${tall}" />
  `;
}

function column({ n, told }: { n: number; told: string }, parts: readonly Markup[]): Markup {
  return html`<g><title>${told}</title><rect class="day" x="${n * 10}" y="0" width="10"
height="${HEIGHT}"/>${parts}</g>`;
}

function figure(
  { title, days, top, bottom }: Plot & Record<"top" | "bottom", string>,
  { legend, bars, table }: {
    readonly legend: readonly string[];
    readonly bars: readonly Markup[];
    readonly table: Markup;
  },
): Markup {
  const keys = legend.map((name) => html`<li class="${name}">${name}</li>`);
  return html`<figure class="plot">
<figcaption>${title}</figcaption>
${legend.length > 0 ? html`<ul class="legend">${keys}</ul>` : ""}
<div class="frame"><span>${top}</span><span>${bottom}</span>
<svg viewBox="0 0 ${days.length * 10} ${HEIGHT}" preserveAspectRatio="none" role="img"
aria-label="${title}, ${days[0]} to ${days.at(-1)}; the table has the numbers">${bars}</svg>
<span>${days[0]}</span><span>${days.at(-1)}</span></div>
<details><summary>Numbers<span class="said"> of ${title}</span></summary>${table}</details>
</figure>`;
}

/** A table that scrolls where it is too wide; numbers to the right. */
export function tableOf(
  titles: readonly string[],
  rows: readonly (readonly (string | number | Markup)[])[],
): Markup {
  const cell = (value: string | number | Markup) =>
    typeof value === "number"
      ? html`<td class="number">${value.toLocaleString("en")}</td>`
      : html`<td>${value}</td>`;
  const heads = titles.map((title, n) =>
    html`
      <th scope="col" ${typeof rows[0]?.[n] === "number"
        ? html`
          class="number"
        `
        : ""}>${title}</th>
    `
  );
  return html`
    <div class="table" tabindex="0" role="group" aria-label="${titles.join(", ")}">
      <table>
        <thead>
          <tr>${heads}</tr>
        </thead>
        <tbody>${rows.map((row) => html`<tr>${row.map(cell)}</tr>\n`)}</tbody>
      </table>
    </div>
  `;
}
