/**
 * @module The raw tier: rows over sockets, as `fetch` refuses odd messages. `generic.yaml` fits
 * any service; rows of `raw.yaml` in the folder of cases replace those with their titles.
 */

import pMap from "p-map";
import type { Call, Exchange } from "../../lib/exchange.ts";
import type { Seen, Session, Tier } from "../../run/session.ts";
import type { Problem } from "../../document/document.ts";
import { exampleBody } from "../../request/operation_input.ts";
import { readYaml } from "../../lib/yaml_file.ts";
import { messageOf, RawFile, type RawRow, rowsOf } from "./rows.ts";
import { finalAnswers, isOfPlatform, rowProblems } from "./outcome.ts";
import { isByOther, type Survey, survey, survivalProblem } from "./survey.ts";
import { isOnDeno, sendRow } from "./wire.ts";
import { declareRules } from "../../lib/rules.ts";

const RULES = declareRules({
  raw_survival: "advice: the service answers while many connections have sent half a request",
});

/** Concurrent rows, in addition to those that wait. */
const WORKERS = 6;

/** Connections with half a request: to an own instance, and to the service of somebody else. */
const HALF_SENT = { own: 200, other: 20 };

export const rawTier: Tier = {
  name: "raw",
  tries: "over sockets: Host, lengths, chunks, targets, methods, stalls, floods, pipelining",
  live: false,
  // A service may keep each row waiting.
  share: 0.3,
  async run(session) {
    const { base, cases, note } = session;
    const file = cases && await readYaml(new URL("raw.yaml", cases), RawFile);
    const isAtRoot = new URL(base).pathname === "/";
    if (file !== undefined && !isAtRoot) note("raw.yaml not sent: the base URL has a path");
    const found = await survey(session, isAtRoot ? file?.probe : undefined);
    if (found === undefined) return note("no row sent: the service answers no GET");
    const own = file !== undefined && isAtRoot ? rowsOf(file, found.names) : [];
    const isDeno = await isOnDeno(session);
    const rows = own.filter(({ by, platform }) =>
      isDeno || (by === "service" && platform === undefined)
    );
    const left = own.length - rows.length;
    if (left > 0) note(`${left} rows not sent: they need another platform`);
    const titles = new Set(rows.map(({ title }) => title));
    const generic = (await readYaml(new URL("generic.yaml", import.meta.url), RawFile))!;
    const general = rowsOf(generic, found.names).filter(({ title }) => !titles.has(title));
    if (found.proxy === undefined) rows.push(...general);
    else {
      const count = `${general.length} rows for any service`;
      note(`${count} not sent: a proxy answers, not the service (${found.proxy})`);
    }
    await runRows(session, rows, found);
    const byDeno = rows.filter(({ by }) => by === "platform").length;
    const lenient = rows.filter(({ deviates }) => deviates !== undefined).length;
    const known = `: ${byDeno} answered by Deno itself, ${lenient} deviate from a standard`;
    note(`${rows.length} rows${byDeno + lenient > 0 ? known : ""}`);
    if (found.proxy !== undefined) return;
    const half = session.launcher === undefined ? HALF_SENT.other : HALF_SENT.own;
    const message = await survivalProblem(found, half);
    const where = `GET ${found.words.probe}`;
    if (message !== undefined) session.report(RULES.raw_survival, message, { where });
  },
};

/** The problems of a row, or why it was not judged. */
type Outcome = string | readonly (Pick<Problem, "check" | "message"> & Seen)[];

async function runRows(session: Session, rows: readonly RawRow[], found: Survey): Promise<void> {
  const outcomes = new Map<RawRow, Outcome>();
  const slow = rows.filter(({ seconds }) => seconds !== undefined);
  const queue = [...slow, ...rows.filter((row) => !slow.includes(row))];
  await pMap(queue, async (row) => {
    const late = session.isOver() ? "not sent, because the time for them was over" : undefined;
    outcomes.set(row, late ?? await runRow(session, row, found));
    session.progress(outcomes.size, rows.length);
  }, { concurrency: slow.length + WORKERS });
  for (const [outcome, those] of Map.groupBy(rows, (row) => outcomes.get(row)!)) {
    if (typeof outcome !== "string") {
      outcome.forEach(({ check, message, ...seen }) => session.report(check, message, seen));
    } else session.note(`${outcome}: ${those.map(({ title }) => title).join("; ")}`);
  }
}

/** The milliseconds of a probe with which a row gets the longest time. */
const SLOW_MS = 150;

async function runRow(session: Session, row: RawRow, found: Survey): Promise<Outcome> {
  const { tier, base, launcher, contract } = session;
  const { title } = row;
  const isForAny = row.rfc !== undefined;
  const operation = contract.document.operations.find(({ id }) => id === row.operation);
  const valid = operation && exampleBody(session, operation);
  const body = valid === undefined ? found.words.body : JSON.stringify(valid);
  const message = messageOf(row, { ...found.words, body });
  const calls = message.calls.filter(({ path }) => path.startsWith("/"));
  if (isForAny && !calls.every((call) => mayBeSent(session, call))) {
    return "not sent, because not permitted";
  }
  let received = await sendRow(row, { message, place: found });
  // A slow moment is no silence: it gets the whole time before it counts.
  const isSilent = isForAny && finalAnswers(received).length === 0;
  if (isSilent && rowProblems(row, received).length > 0) {
    received = await sendRow(row, { message, place: { ...found, ms: SLOW_MS } });
  }
  const line = message.text;
  const finals = finalAnswers(received);
  const exchanges = (finals.length === 0 ? [SILENCE] : finals).map((answer, index): Exchange => {
    const call = message.calls[index] ?? { method: "", path: "/" };
    const sent = { tier, base, call, title, line, bytes: message.parts };
    return { ...sent, answer: { ...answer, ms: received.ms } };
  });
  for (const [index, one] of finals.entries()) {
    const exchange = exchanges[index]!;
    const isJudged = !isForAny && calls.includes(exchange.call) && !isOfPlatform(one);
    if (isJudged) session.record(exchange);
  }
  const problems = rowProblems(row, received);
  if (problems.length === 0) return [];
  // A refusal over a limit proves nothing about the row; some servers refuse load with 503.
  const isLimited = finals.some(({ status }) => status === 429 || status === 503);
  if (isLimited && launcher === undefined) return "not judged, because refused over a limit";
  if (isForAny && finals[0] !== undefined && isByOther(finals[0], found)) {
    return "not judged, because another server answered";
  }
  return problems.map((problem) => ({ ...problem, where: title, exchange: exchanges.at(-1) }));
}

const SILENCE = { status: 0, headers: new Headers(), body: new Uint8Array(), text: "(no answer)" };

/** Whether a request may be sent. Odd methods are safe. */
function mayBeSent({ base, permits }: Session, { method, path }: Call): boolean {
  const below = path.slice(new URL(base).pathname.replace(/\/$/, "").length);
  const asked = ["HEAD", "OPTIONS", "POST", "TRACE"].includes(method) ? method : "GET";
  return permits({ method: asked, path: below }) === undefined;
}
