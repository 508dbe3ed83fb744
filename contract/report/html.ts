/**
 * @module Renders the result of a run as one HTML page: what is to be mended first, other findings
 * with request and answer side by side, matrix, timings and mutants.
 */

import type { Exchange } from "../exchange.ts";
import { type FindingGroup, isPassing } from "../finding.ts";
import { RULES } from "../rules.ts";
import type { RunResult } from "../run.ts";
import { masked, variableOf } from "../secrets.ts";
import { bySeverity, count, curlExcerpt, shortened, totals, variablesOf } from "./excerpt.ts";
import type { Verdict } from "../mutants/verdict.ts";

/** The report of `contract:mutants`. */
export interface MutantReport {
  readonly clean: number;
  readonly alarms: number;
  readonly mutants: readonly Verdict[];
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1b211f; --ground: #fdfdfb; --line: #d5dad3;
  --good: #d9efe3; --bad: #f8d9d5; --mild: #f1edd2; --raised: #f2f3ef; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7ebe8; --ground: #121715; --line: #37423d;
  --good: #17402f; --bad: #5a221d; --mild: #47421f; --raised: #1c2320; } }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--ground); }
header, main { max-width: 80rem; margin: auto; padding: 1rem 1.5rem; }
header { margin-block: 1.5rem; border-radius: 10px; }
header h1 { margin: 0; font-size: 2rem; }
header p { margin: .25rem 0 0; }
.held, .seen { background: var(--good); }
.violated, .unseen { background: var(--bad); }
.exempt { background: var(--mild); }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.25rem; }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
th, td { padding: .35rem .75rem; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: top; }
th[scope=row] { font-weight: 600; white-space: nowrap; }
.n { text-align: right; font-variant-numeric: tabular-nums; }
.wide { overflow-x: auto; }
details { border: 1px solid var(--line); border-radius: 8px; margin-block: .75rem; padding: .5rem 1rem; }
summary { cursor: pointer; overflow-wrap: anywhere; }
.fold { border: 0; padding: 0; margin-block: 2.5rem .75rem; }
.fold h2 { display: inline; }
header p { overflow-wrap: anywhere; }
small { opacity: .75; }
.pair { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); }
pre { max-height: 24rem; overflow: auto; margin: .5rem 0; padding: .75rem 1rem; border-radius: 6px; background: var(--raised);
  font: .8125rem/1.45 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
`;

export function htmlReport(result: RunResult, mutants?: MutantReport): string {
  const { held, waived, stale, base, seed, exchanges, ms, title, advice, left } = result;
  const verdict = held ? "Held" : "Violated";
  const groups = bySeverity(result);
  const [first, ...others] = groups.breach;
  const lists = (all: readonly FindingGroup[]) => all.map((one) => finding(one, result)).join("");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${verdict}: ${html(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<header class="${held ? "held" : "violated"}">
<h1>${verdict}</h1>
<p><b>${totals(result)}</b></p>
<p>${html(title)} at ${html(base)}: ${count(exchanges, "exchange")} in ${(ms / 1000).toFixed(1)} s,
seed ${seed}. ${
    html(
      [waived.length > 0 ? `${waived.length} waived.` : "", advice ?? "", variablesOf(result)].join(
        " ",
      ).trim(),
    )
  }</p>
</header>
<main>
${first === undefined ? "" : section("Mend this first", finding(first, result, true))}
${others.length === 0 ? "" : section("Other breaches", lists(others))}
${fold("Advice", groups.advice.length, lists(groups.advice))}
${
    fold(
      "Not covered",
      groups.coverage.length + left.length,
      left.map((line) => `<p>${html(line)}</p>`).join("") + lists(groups.coverage),
    )
  }
${
    listSection(
      "Stale waivers",
      stale.map((one) => `<b>${html(one.where)}</b> ${html(one.message)} (${html(one.check)})`),
    )
  }
${matrix(result)}
${tierTable(result)}
${mutants === undefined ? "" : mutantTable(mutants)}
${
    listSection(
      "Waived",
      waived.map((one) => `<b>${html(one.where)}</b> ${html(one.message)}: ${html(one.reason)}`),
    )
  }
${fold("Rules", Object.keys(RULES).length, ruleTable())}
</main>
</body>
</html>
`;
}

function section(title: string, content: string): string {
  return `<section><h2>${title}</h2>${content}</section>`;
}

/** A section that the reader opens; nothing without findings. */
function fold(title: string, size: number, content: string): string {
  if (size === 0) return "";
  return `<details class="fold"><summary><h2>${title}: ${size}</h2></summary>${content}</details>`;
}

function finding(group: FindingGroup, { command }: RunResult, isOpen = false): string {
  const { check, where, message, tiers, findings } = group;
  const { exchange, replay } = findings.find((one) => one.exchange !== undefined) ?? {};
  const places = [...new Set(findings.map((one) => one.where))];
  return `<details${isOpen ? " open" : ""}>
<summary><b>${html(where)}</b> ${html(message)} <small>${html(check)}, by ${
    html(tiers.join(", "))
  }, ${count(findings.length, "time")}${
    isPassing(group) ? "; it did not come again" : ""
  }</small></summary>
<p>${html(RULES[check]?.rule ?? "")}.</p>
${places.length > 3 ? `<p>In ${places.length} places: ${html(places.join(", "))}</p>` : ""}
${exchange === undefined ? "" : sideBySide(exchange, curlExcerpt(exchange, { command, replay }))}
</details>
`;
}

function sideBySide(exchange: Exchange, line: string): string {
  const { call, answer, title, base } = exchange;
  const request = [
    `${call.method} ${base}${call.path}`,
    ...(call.headers ?? []).map(([name, value]) => `${name}: ${value}`),
    ...(exchange.given ?? []).map((name) => `${name}: $${variableOf(name)}`),
    "",
    call.body === undefined ? "" : bodyText(call.body),
  ];
  const response = [
    `${answer.status} in ${answer.ms.toFixed(0)} ms`,
    ...[...answer.headers].map(([name, value]) => `${name}: ${value}`),
    "",
    answer.text,
  ];
  return `<p>${html(title)}</p>
<div class="pair">
<pre tabindex="0" aria-label="Request">${html(shortened(request.join("\n")))}</pre>
<pre tabindex="0" aria-label="Answer">${html(shortened(response.join("\n")))}</pre>
</div>
<pre tabindex="0" class="curl" aria-label="Command">${html(line)}</pre>`;
}

function bodyText(body: string | Uint8Array): string {
  return typeof body === "string" ? body : new TextDecoder().decode(body);
}

function matrix({ cells, tiers }: RunResult): string {
  const names = tiers.map(({ name }) => name);
  const rows = cells.map(({ operation, status, seen, exempt }) => {
    const total = [...seen.values()].reduce((sum, times) => sum + times, 0);
    const state = total > 0 ? "seen" : exempt === undefined ? "unseen" : "exempt";
    const each = names.map((name) => `<td class="n">${seen.get(name) ?? ""}</td>`);
    return `<tr><th scope="row">${html(operation)}</th><td>${html(status)}</td>` +
      `<td class="n ${state}"${exempt === undefined ? "" : ` title="${html(exempt)}"`}>${
        total > 0 ? total : state
      }</td>${each.join("")}</tr>`;
  });
  const heads = names.map((name) => `<th scope="col">${html(name)}</th>`);
  return `<section><h2>Operations by status</h2>
<div class="wide" tabindex="0" role="region" aria-label="Operations by status"><table>
<thead><tr><th scope="col">operation</th><th scope="col">status</th><th scope="col">seen</th>${
    heads.join("")
  }</tr></thead>
<tbody>${rows.join("\n")}</tbody></table></div></section>`;
}

function tierTable({ tiers }: RunResult): string {
  const longest = Math.max(1, ...tiers.map(({ ms }) => ms));
  const rows = tiers.map(({ name, tries, exchanges, findings, ms, skipped, notes }) =>
    `<tr><th scope="row">${html(name)}</th><td>${[tries, ...notes].map(html).join("<br>")}</td>${
      skipped === undefined
        ? `<td class="n">${exchanges}</td><td class="n">${findings}</td><td>` +
          `<meter min="0" max="${longest.toFixed(0)}" value="${ms.toFixed(0)}"></meter> ` +
          `${(ms / 1000).toFixed(1)} s</td>`
        : `<td colspan="3">not run: ${html(skipped)}</td>`
    }</tr>`
  );
  return `<section><h2>Tiers</h2>
<div class="wide" tabindex="0" role="region" aria-label="Tiers"><table>
<thead><tr><th scope="col">tier</th><th scope="col">tries</th><th scope="col">exchanges</th>
<th scope="col">findings</th><th scope="col">time</th></tr></thead>
<tbody>${rows.join("\n")}</tbody></table></div></section>`;
}

function mutantTable({ mutants, clean, alarms }: MutantReport): string {
  const caught = mutants.filter(({ isCaught }) => isCaught).length;
  const rows = mutants.map(({ name, caughtBy, isCaught }) =>
    `<tr><th scope="row">${html(name)}</th>` +
    `<td class="${isCaught ? "seen" : "unseen"}">${
      html(caughtBy.join(", ") || "not caught")
    }</td></tr>`
  );
  return `<section><h2>Mutants</h2>
<p>${caught} of ${mutants.length} mutants were caught; ${alarms} of ${clean} runs of the clean
service raised an alarm.</p>
<div class="wide" tabindex="0" role="region" aria-label="Mutants"><table>
<thead><tr><th scope="col">mutant</th><th scope="col">caught by</th></tr></thead>
<tbody>${rows.join("\n")}</tbody></table></div></section>`;
}

function ruleTable(): string {
  const rows = Object.entries(RULES).map(([name, { severity, rule }]) =>
    `<tr><th scope="row">${html(name)}</th><td>${severity}</td><td>${html(rule)}</td></tr>`
  );
  return `<div class="wide" tabindex="0" role="region" aria-label="Rules"><table><tbody>${
    rows.join("\n")
  }</tbody></table></div>`;
}

/** A section with a list; nothing without items. */
function listSection(title: string, items: readonly string[]): string {
  const list = items.map((item) => `<li>${item}</li>`).join("\n");
  return items.length === 0 ? "" : `<section><h2>${title}</h2><ul>${list}</ul></section>`;
}

function html(text: string): string {
  return masked(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;").replace(/[^\P{Cc}\n\t]/gu, "�");
}
