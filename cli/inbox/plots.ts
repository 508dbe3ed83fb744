/**
 * @module Tables, and bars as SVG: without text, so that they stretch. Bounds and days are HTML around
 * them, and each has its numbers in a table.
 */

import { html as markup } from "@hono/hono/html";
import type { Markup } from "./layout.ts";

/** In the units of a plot, in which a day is ten wide. */
const HEIGHT = 100;

interface Bars {
  /** The days, such as `2026-11-23`. */
  readonly days: readonly string[];
  /** The numbers of the days, the lowest part first; the names are classes in the style sheet. */
  readonly series: Readonly<Record<string, readonly number[]>>;
  readonly text?: (value: number) => string;
}

export function barsOf(
  title: string,
  { days, series, text = (value) => value.toLocaleString("en") }: Bars,
): Markup {
  const names = Object.keys(series);
  const rows = days.map((_, n) => names.map((name) => series[name]![n]!));
  const most = Math.max(1, ...rows.map(sum));
  const columns = rows.map((values, n) => {
    let y = HEIGHT;
    const parts = values.map((value, at) => {
      if (value === 0) return "";
      const height = Math.max(1.5, value / most * HEIGHT); // one is seen
      y -= height;
      return markup`<rect class="${names[at]}" x="${n * 10 + 1.5}" y="${y.toFixed(1)}" width="7"
height="${height.toFixed(1)}" />`;
    });
    const told = values.map((value, at) => `${names[at]} ${text(value)}`);
    return markup`<g><title>${days[n]}: ${told.join(", ")}</title><rect class="day"
x="${n * 10}" width="10" height="${HEIGHT}"/>${parts}</g>`;
  });
  const table = rows.map((values, n) => [days[n]!, ...values.map(text)]).toReversed();
  return markup`<figure>
<figcaption>${title}</figcaption>
<ul class="scale legend">${names.map((name) => markup`<li class="${name}">${name}</li>`)}</ul>
<p class="scale">${text(most)}</p>
<svg viewBox="0 0 ${days.length * 10} ${HEIGHT}" preserveAspectRatio="none" role="img"
aria-label="${title}; the table has the numbers">${columns}</svg>
<p class="scale"><span>${days[0]}</span><span>from 0</span><span>${days.at(-1)}</span></p>
<details><summary>Numbers<span class="said"> of ${title}</span></summary>${
    tableOf(["Day", ...names], table)
  }</details>
</figure>`;
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, n) => total + n, 0);
}

/** A table that scrolls where it is too wide; numbers to the right. */
export function tableOf(
  titles: readonly string[],
  rows: readonly (readonly (string | number | Markup)[])[],
): Markup {
  const heads = titles.map((title, n) =>
    markup`<th scope="col" class="${
      typeof rows[0]?.[n] === "number" ? "number" : ""
    }">${title}</th>`
  );
  const cell = (value: string | number | Markup) =>
    typeof value === "number"
      ? markup`<td class="number">${value.toLocaleString("en")}</td>`
      : markup`<td>${value}</td>`;
  return markup`<div class="table" tabindex="0" role="group" aria-label="${titles.join(", ")}">
<table><thead><tr>${heads}</tr></thead><tbody>${
    rows.map((row) => markup`<tr>${row.map(cell)}</tr>`)
  }</tbody></table></div>`;
}
