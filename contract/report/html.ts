/** @module The result of a run as one HTML page. */

import CSS from "./report.css" with { type: "text" };
import type { Exchange } from "../lib/exchange.ts";
import { type Rule, RULES } from "../lib/rules.ts";
import type { RunResult } from "../run/run.ts";
import { variableOf } from "../lib/secrets.ts";
import { count, escaped, type Item, seconds, shortened, viewOf } from "./view.ts";

/** Text, a number, or text in a cell that shows a state. */
type Cell = string | number | { readonly text: string; readonly state: string };

export function htmlReport(result: RunResult): string {
  const { waived, stale, base, title, left } = result;
  const { breach, advice, coverage, verdict, totals, extent, hints } = viewOf(result);
  const [first, ...others] = breach;
  const accepted = waived.length > 0 ? [`${waived.length} waived.`] : [];
  const outdated = stale.map(({ where, message, check }) => `${where}: ${message} (${check})`);
  const reasons = waived.map(({ where, message, reason }) => `${where}: ${message}: ${reason}`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${verdict}: ${escaped(title)}</title>
<style>
${CSS}</style>
</head>
<body>
<header class="${verdict === "Passed" ? "passed" : "violated"}">
<h1>${verdict}</h1>
<p><b>${totals}</b></p>
${paragraph([`${title} at ${base}: ${extent}.`, ...accepted, ...hints].join(" "))}
</header>
<main>
${section("Fix this first", first === undefined ? "" : finding(first, true))}
${section("Other breaches", others.map((item) => finding(item)).join(""))}
${fold("Advice", advice.map((item) => finding(item)))}
${fold("Not covered", [...left.map(paragraph), ...coverage.map((item) => finding(item))])}
${section("Stale waivers", outdated.map(paragraph).join(""))}
${section("Operations by status", coverageTable(result))}
${section("Tiers", tierTable(result))}
${section("Waived", reasons.map(paragraph).join(""))}
${fold("Rules", [...RULES].map(ruleLine))}
</main>
</body>
</html>
`;
}

function section(title: string, content: string): string {
  return content === "" ? "" : `<section><h2>${title}</h2>${content}</section>`;
}

function fold(title: string, parts: readonly string[]): string {
  if (parts.length === 0) return "";
  const heading = `<summary><h2>${title}: ${parts.length}</h2></summary>`;
  return `<details class="fold">${heading}${parts.join("")}</details>`;
}

function paragraph(text: string): string {
  return `<p>${escaped(text)}</p>`;
}

function finding(item: Item, isOpen = false): string {
  const { check, rule, where, places, message, tiers, times, once, exchange, line = "" } = item;
  const seen = `${check}, by ${tiers.join(", ")}, ${count(times, "time")}`;
  return `<details${isOpen ? " open" : ""}>
<summary><b>${escaped(where)}</b> ${escaped(message)} <small>${escaped(seen)}${
    once ? "; it did not come again" : ""
  }</small></summary>
<p>${escaped(rule)}.</p>
${places.length > 3 ? paragraph(`In ${places.length} places: ${places.join(", ")}`) : ""}
${exchange === undefined ? "" : sideBySide(exchange) + preformatted("Command", line)}
</details>
`;
}

function sideBySide({ call, answer, title, base, given = [] }: Exchange): string {
  const { method, path, headers = [], body = "" } = call;
  const request = [
    `${method} ${base}${path}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...given.map((name) => `${name}: $${variableOf(name)}`),
    "",
    typeof body === "string" ? body : new TextDecoder().decode(body),
  ];
  const response = [
    `${answer.status} in ${answer.ms.toFixed(0)} ms`,
    ...[...answer.headers].map(([name, value]) => `${name}: ${value}`),
    "",
    answer.text,
  ];
  return `${paragraph(title)}
<div class="pair">
${preformatted("Request", shortened(request.join("\n")))}
${preformatted("Answer", shortened(response.join("\n")))}
</div>
`;
}

function preformatted(label: string, text: string): string {
  return `<pre tabindex="0" aria-label="${label}">${escaped(text)}</pre>`;
}

/** A table that scrolls on a narrow screen; the first cell of a row is its heading. */
function table(label: string, [heads, ...rows]: readonly (readonly Cell[])[]): string {
  const head = heads!.map((cell) => `<th scope="col">${cell}</th>`).join("");
  const body = rows.map(([name, ...cells]) =>
    `<tr><th scope="row">${escaped(String(name))}</th>${cells.map(cellOf).join("")}</tr>`
  );
  return `<div class="wide" tabindex="0" role="region" aria-label="${label}"><table>
<thead><tr>${head}</tr></thead>
<tbody>${body.join("\n")}</tbody></table></div>`;
}

function cellOf(cell: Cell): string {
  if (typeof cell === "number") return `<td class="n">${cell}</td>`;
  if (typeof cell === "string") return `<td>${escaped(cell)}</td>`;
  return `<td class="${cell.state}">${escaped(cell.text)}</td>`;
}

function coverageTable({ cells, tiers }: RunResult): string {
  const names = tiers.map(({ name }) => name);
  const rows = cells.map(({ operation, status, seen, exempt }) => {
    const total = [...seen.values()].reduce((sum, times) => sum + times, 0);
    const state = total > 0 ? "seen" : exempt === undefined ? "unseen" : "exempt";
    const text = total > 0 ? String(total) : exempt ?? state;
    return [operation, status, { text, state }, ...names.map((name) => seen.get(name) ?? "")];
  });
  return table("Operations by status", [["operation", "status", "seen", ...names], ...rows]);
}

function tierTable({ tiers }: RunResult): string {
  const rows = tiers.map(({ name, tries, exchanges, findings, ms, skipped, notes }) => {
    const lines = [tries, ...notes, skipped === undefined ? [] : `not run: ${skipped}`].flat();
    return [name, lines.join("\n"), exchanges, findings, `${seconds(ms)} s`];
  });
  return table("Tiers", [["tier", "tries", "exchanges", "findings", "time"], ...rows]);
}

function ruleLine([name, { severity, rule }]: readonly [string, Rule]): string {
  return paragraph(`${name} (${severity}): ${rule}`);
}
