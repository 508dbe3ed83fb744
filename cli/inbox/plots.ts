/**
 * @module Tables, and plots as SVG: without text, so that they stretch. Bounds and days are HTML around
 * them, and each has its numbers in a table.
 */

import { html as markup } from "@hono/hono/html";
import type { Markup } from "./layout.ts";

/** In the units of a plot, in which a day is ten wide. */
const HEIGHT = 100;

/** The days, such as `2026-11-23`. */
interface Plot {
  readonly title: string;
  readonly days: readonly string[];
}

/** A part of a bar; its name is a class in the style sheet. */
interface Part {
  readonly name: string;
  readonly y: number;
  readonly height: number;
}

/** Stacked bars: for each name, the first at the bottom, the numbers of the days. */
export function stackedBars(
  plot: Plot,
  series: Readonly<Record<string, readonly number[]>>,
): Markup {
  const all = Object.entries(series);
  const totals = plot.days.map((_, n) => all.reduce((sum, [, values]) => sum + values[n]!, 0));
  const most = Math.max(1, ...totals);
  const bars = plot.days.map((_, n) => {
    let y = HEIGHT;
    return all.map(([name, values]) => {
      const height = values[n] === 0 ? 0 : Math.max(1.5, values[n]! / most * HEIGHT); // one is seen
      return { name, height, y: y -= height };
    });
  });
  return figure(plot, {
    bars,
    names: Object.keys(series),
    cells: plot.days.map((_, n) => all.map(([, values]) => values[n]!)),
    scale: [most.toLocaleString("en"), "0"],
    hasKeys: true,
  });
}

/** A bar from a lower to a higher value of each day, with a mark at the lower; on a logarithmic scale. */
export function ranges(
  plot: Plot,
  { values, names, text }: {
    readonly values: readonly (readonly [low: number, high: number] | undefined)[];
    readonly names: readonly [low: string, high: string];
    readonly text: (value: number) => string;
  },
): Markup {
  const all = values.flatMap((range) => range ?? []);
  const [least, most] = [Math.min(...all) / 1.5, Math.max(...all)];
  const yOf = (value: number) => HEIGHT - HEIGHT * Math.log(value / least) / Math.log(most / least);
  const bars = values.map((range) => {
    const [low, high] = (range ?? []).map(yOf);
    if (low === undefined || high === undefined) return [];
    const mark = { name: "delivered", y: low - 2, height: 4 };
    return [{ name: "range", y: high, height: low - high }, mark];
  });
  const cells = values.map((range) => range?.map(text) ?? ["–", "–"]);
  return figure(plot, { bars, names, cells, scale: [text(most), text(least)] });
}

function figure(
  { title, days }: Plot,
  { bars, names, cells, scale: [top, bottom], hasKeys }: {
    readonly bars: readonly (readonly Part[])[];
    readonly names: readonly string[];
    /** For each day those of the names. */
    readonly cells: readonly (readonly (string | number)[])[];
    readonly scale: readonly [top: string, bottom: string];
    /** The names are those of the parts. */
    readonly hasKeys?: true;
  },
): Markup {
  const columns = bars.map((parts, n) => {
    const told = names.map((name, at) => `${name} ${cells[n]![at]!.toLocaleString("en")}`);
    const rects = parts.filter(({ height }) => height > 0).map(({ name, y, height }) =>
      markup`<rect class="${name}" x="${n * 10 + 1.5}" y="${y.toFixed(1)}" width="7"
height="${height.toFixed(1)}" />`
    );
    return markup`<g><title>${days[n]}: ${told.join(", ")}</title><rect class="day"
x="${n * 10}" width="10" height="${HEIGHT}"/>${rects}</g>`;
  });
  const table = tableOf(["Day", ...names], days.map((day, n) => [day, ...cells[n]!]).toReversed());
  const keys = markup`<ul class="scale legend">${
    names.map((name) => markup`<li class="${name}">${name}</li>`)
  }</ul>`;
  const last = days.at(-1);
  return markup`<figure>
<figcaption>${title}</figcaption>
${hasKeys ? keys : ""}
<p class="scale">${top}</p>
<svg viewBox="0 0 ${days.length * 10} ${HEIGHT}" preserveAspectRatio="none" role="img"
aria-label="${title}; the table has the numbers">${columns}</svg>
<p class="scale"><span>${days[0]}</span><span>from ${bottom}</span><span>${last}</span></p>
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
      ? markup`<td class="number">${value.toLocaleString("en")}</td>`
      : markup`<td>${value}</td>`;
  const heads = titles.map((title, n) =>
    markup`<th scope="col" class="${
      typeof rows[0]?.[n] === "number" ? "number" : ""
    }">${title}</th>`
  );
  return markup`<div class="table" tabindex="0" role="group" aria-label="${titles.join(", ")}">
<table><thead><tr>${heads}</tr></thead><tbody>${
    rows.map((row) => markup`<tr>${row.map(cell)}</tr>`)
  }</tbody></table></div>`;
}
