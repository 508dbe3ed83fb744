/**
 * @module The raw tier: sends rows over sockets, because `fetch` refuses odd methods and targets, wrong
 * lengths, malformed chunks, stalls, floods and pipelining. The rows of `raw/generic.yaml` fit any
 * service; those of `raw.yaml` in the folder of cases replace rows with their titles.
 */

import type { Call, Exchange } from "../exchange.ts";
import { messageOf, replayOf } from "../raw/message.ts";
import type { Want } from "../raw/outcome.ts";
import { RawFile, type RawRow } from "../raw/rows.ts";
import { sendRow } from "../raw/send_row.ts";
import { checkSurvival } from "../raw/survival.ts";
import { isByOther, type Survey, survey } from "../raw/survey.ts";
import { finalAnswers, isOfPlatform, rowFaults } from "../raw/verdict.ts";
import { platformOf } from "../raw/wire.ts";
import type { Session, Tier } from "../session.ts";
import { readYaml } from "../yaml_file.ts";
import { exampleBody } from "../request/intake.ts";

/** Concurrent rows, in addition to those that wait. */
const WORKERS = 6;

/** The rows for any service begin within this time, because it may keep each one waiting. */
const LATEST_MS = 12_000;

/** Connections with half a request: to an own instance, and to the service of somebody else. */
const HALF_SENT = { own: 200, other: 20 };

/** The platform of rows with `by: platform`. */
const DENO = "deno";

export const rawTier: Tier = {
  name: "raw",
  tries: "over sockets: Host, lengths, chunks, targets, methods, stalls, floods, pipelining",
  live: false,
  async run(session) {
    const own = await ownFile(session);
    const found = await survey(session, own?.probe);
    if (found === undefined) return session.note("no row sent: the service answers no GET");
    const platform = await platformOf(session);
    const rows = (own?.rows ?? []).filter(({ by, platform: needed }) =>
      (by === "service" && needed === undefined) || platform === (needed ?? DENO)
    );
    const left = (own?.rows.length ?? 0) - rows.length;
    if (left > 0) session.note(`${left} rows not sent: they need another platform`);
    const titles = new Set(rows.map(({ title }) => title));
    const file = await readYaml(new URL("../raw/generic.yaml", import.meta.url), RawFile);
    const general = file!.rows.filter(({ title }) => !titles.has(title));
    if (found.proxy === undefined) rows.push(...general);
    else {
      const count = `${general.length} rows for any service`;
      session.note(`${count} not sent: a proxy answers, not the service (${found.proxy})`);
    }
    await runRows(session, rows, found);
    const byPlatform = rows.filter(({ by }) => by === "platform").length;
    const by = byPlatform === 0 ? "" : `, ${byPlatform} of them answered by ${platform} itself`;
    session.note(`${rows.length} rows${by}`);
    const lenient = rows.filter(({ deviates }) => deviates !== undefined).length;
    if (lenient > 0) session.note(`${lenient} rows deviate from a standard`);
    if (found.proxy !== undefined) return;
    const half = session.launcher === undefined ? HALF_SENT.other : HALF_SENT.own;
    const message = await checkSurvival(found, half);
    const where = `GET ${found.probe}`;
    if (message !== undefined) session.report({ check: "raw_survival", where, message });
  },
};

/** The rows of the folder of cases; their targets begin at the root. */
async function ownFile({ base, cases, note }: Session): Promise<RawFile | undefined> {
  const file = cases && await readYaml(new URL("raw.yaml", cases), RawFile);
  if (file === undefined || new URL(base).pathname === "/") return file;
  note("raw.yaml not sent: the base URL has a path");
  return undefined;
}

async function runRows(session: Session, rows: readonly RawRow[], found: Survey): Promise<void> {
  let latest = Infinity;
  const outcomes = new Map<RawRow, Outcome>();
  async function runOne(row: RawRow): Promise<void> {
    const isForAny = row.rfc !== undefined;
    if (isForAny) latest = Math.min(latest, performance.now() + LATEST_MS);
    const outcome = isForAny && performance.now() > latest
      ? "not sent, because the service keeps others waiting"
      : await runRow(session, namedRow(row, found), found);
    outcomes.set(row, outcome);
    session.progress(outcomes.size, rows.length);
  }
  const slow = rows.filter(({ seconds }) => seconds !== undefined);
  const queue = rows.filter(({ seconds }) => seconds === undefined);
  async function work(): Promise<void> {
    for (let row = queue.shift(); row !== undefined; row = queue.shift()) await runOne(row);
  }
  await Promise.all([...slow.map(runOne), ...Array.from({ length: WORKERS }, work)]);
  const groups = Map.groupBy(rows, (row) => outcomes.get(row) ?? []);
  for (const [outcome, those] of groups) {
    if (typeof outcome !== "string") outcome.forEach((fault) => session.report(fault));
    else session.note(`${outcome}: ${those.map(({ title }) => title).join("; ")}`);
  }
}

/** The row with statuses instead of their names; any server may close a connection or keep it. */
function namedRow(row: RawRow, { names }: Survey): RawRow {
  const isForAny = row.rfc !== undefined;
  const named = (wants: readonly Want[]) =>
    wants.map(({ answers, ending }) => ({
      answers: answers.map(({ status, word }) => ({ status: names[status] ?? status, word })),
      ending: isForAny && ending === "good" ? "any" : ending,
    }));
  return { ...row, want: named(row.want), should: named(row.should ?? row.want) };
}

/** The faults of a row, or why it was not judged. */
type Outcome = string | readonly Parameters<Session["report"]>[0][];

/** Sends a row and judges the answers. */
async function runRow(session: Session, row: RawRow, found: Survey): Promise<Outcome> {
  const { tier, base, launcher, contract } = session;
  const { title } = row;
  const operation = contract.document.operations.find(({ id }) => id === row.operation);
  const valid = operation && exampleBody(session, operation);
  const body = valid === undefined ? found.words.body : JSON.stringify(valid);
  const message = messageOf(row, { ...found.words, body });
  const isForAny = row.rfc !== undefined;
  const calls = message.calls.filter(({ path }) => path.startsWith("/"));
  if (isForAny && !calls.every((call) => mayBeSent(session, call))) {
    return "not sent, because not permitted";
  }
  const received = await sendRow(row, { message, place: found });
  const line = replayOf(row, { base, script: message.script });
  const finals = finalAnswers(received);
  const shown = finals.length === 0 ? [SILENCE] : finals;
  const exchanges = shown.map((answer, index): Exchange => {
    const call = message.calls[index] ?? { method: "", path: "/" };
    return { tier, base, call, answer: { ...answer, ms: received.ms }, title, line };
  });
  for (const [index, one] of finals.entries()) {
    const { call } = exchanges[index]!;
    const isJudged = !isForAny && calls.includes(call) && !isOfPlatform(one);
    if (isJudged) session.record(exchanges[index]!);
  }
  const faults = rowFaults(row, received, found.code);
  if (isForAny && faults.length === 0) return [];
  // A refusal over a limit proves nothing about the row; some servers refuse load with 503.
  const limited = isForAny ? [429, 503] : [429];
  const isLimited = launcher === undefined && finals.some(({ status }) => limited.includes(status));
  if (isLimited) return "not judged, because refused over a limit";
  if (isForAny && finals[0] !== undefined && isByOther(finals[0], found)) {
    return "not held against the service, because another server answered";
  }
  return faults.map((fault) => ({ ...fault, where: title, exchange: exchanges.at(-1) }));
}

/** Shown where no answer came. */
const SILENCE = { status: 0, headers: new Headers(), body: new Uint8Array(), text: "(no answer)" };

/** Whether a request may be sent. Odd methods are safe. */
function mayBeSent({ base, permits }: Session, { method, path }: Call): boolean {
  const below = path.slice(new URL(base).pathname.replace(/\/$/, "").length);
  const asked = ["HEAD", "OPTIONS", "POST", "TRACE"].includes(method) ? method : "GET";
  return permits({ method: asked, path: below }) === undefined;
}
