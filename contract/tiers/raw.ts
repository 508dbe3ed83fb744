/**
 * @module The raw tier: sends rows over sockets, because `fetch` refuses odd methods and targets, wrong
 * lengths, malformed chunks, stalls, floods and pipelining. The rows of `raw/generic.yaml` fit any
 * service; those of `raw.yaml` in the folder of cases replace rows with their titles.
 */

import type { Answer, Exchange } from "../exchange.ts";
import { messageOf, replayOf } from "../raw/message.ts";
import { parseRawFile, type RawFile, type RawRow } from "../raw/rows.ts";
import { type Place, sendRow } from "../raw/send_row.ts";
import { checkSurvival } from "../raw/survival.ts";
import { isByOther, mayBeSent, type Survey, survey } from "../raw/survey.ts";
import {
  asAnswer,
  finalAnswers,
  isOfPlatform,
  matches,
  rowFaults,
  withNames,
} from "../raw/verdict.ts";
import { platformOf } from "../raw/wire.ts";
import type { Session, Tier } from "../session.ts";
import { exampleBody } from "./example_call.ts";

/** Concurrent rows, in addition to those that wait. */
const WORKERS = 6;

/** No row for any service begins later, because a service may keep each one waiting. */
const LATEST_MS = 12_000;

/** Connections with half a request: to an own instance, and to the service of somebody else. */
const HALF_SENT = { own: 200, other: 20 };

/** The shortest time to wait for a second answer. */
const STILL_MS = 300;

/** The platform of rows with `by: platform`. */
const DENO = "deno";

export const rawTier: Tier = {
  name: "raw",
  tries: "over sockets: Host, lengths, chunks, targets, methods, stalls, floods, pipelining",
  live: false,
  async run(session) {
    const own = await ownRows(session);
    const found = await survey(session, own[0]?.file.probe);
    if (found === undefined) return session.note("no row sent: the service answers no GET");
    const platform = await platformOf(session);
    const able = own.filter(({ row: { by, platform: needed } }) =>
      (by === "service" && needed === undefined) || platform === (needed ?? DENO)
    );
    const left = own.length - able.length;
    if (left > 0) session.note(`${left} rows not sent: they need another platform`);
    const titles = new Set(able.map(({ row }) => row.title));
    const general = (await rowsIn(new URL("../raw/generic.yaml", import.meta.url)))
      .filter(({ row }) => !titles.has(row.title));
    if (found.proxy === undefined) able.push(...general);
    else {
      const count = `${general.length} rows for any service`;
      session.note(`${count} not sent: a proxy answers, not the service (${found.proxy})`);
    }
    await runRows(session, able, found);
    const byPlatform = able.filter(({ row }) => row.by === "platform").length;
    const by = byPlatform === 0 ? "" : `, ${byPlatform} of them answered by ${platform} itself`;
    session.note(`${able.length} rows${by}`);
    const lenient = able.filter(({ row }) => row.deviates !== undefined).length;
    if (lenient > 0) session.note(`${lenient} rows deviate from a standard`);
  },
};

/** A row and its file. */
interface FiledRow {
  readonly row: RawRow;
  readonly file: RawFile;
}

/** The rows of the folder of cases; their targets begin at the root. */
async function ownRows({ base, cases, note }: Session): Promise<FiledRow[]> {
  if (cases === undefined) return [];
  const rows = await rowsIn(new URL("raw.yaml", cases));
  if (rows.length === 0 || new URL(base).pathname === "/") return rows;
  note("raw.yaml not sent: the base URL has a path");
  return [];
}

async function rowsIn(url: URL): Promise<FiledRow[]> {
  const text = await Deno.readTextFile(url).catch(() => undefined);
  if (text === undefined) return [];
  const file = parseRawFile(text, url.pathname.split("/").at(-1));
  return Object.values(file.cases).flat().map((row) => ({ row, file }));
}

async function runRows(
  session: Session,
  rows: readonly FiledRow[],
  found: Survey,
): Promise<void> {
  const { base, contract, launcher } = session;
  const place: Place = {
    base,
    host: found.words.host,
    probe: found.words.probe,
    stillMs: Math.max(STILL_MS, 3 * found.ms),
    matches: (outcome, answers) => matches(outcome, answers, contract.profile.errors?.code),
  };
  const latest = performance.now() + LATEST_MS;
  const outcomes = new Map<FiledRow, Outcome>();
  async function runOne(one: FiledRow): Promise<void> {
    const { row, file } = one;
    const isLate = row.rfc !== undefined && performance.now() > latest;
    const outcome = isLate
      ? "not sent, because the service keeps others waiting"
      : await runRow(session, withNames(row, found.names), { file, place, found });
    outcomes.set(one, outcome);
    session.progress(outcomes.size, rows.length);
  }
  const slow = rows.filter(({ row }) => row.seconds !== undefined);
  const queue = rows.filter(({ row }) => row.seconds === undefined);
  async function work(): Promise<void> {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) await runOne(one);
  }
  await Promise.all([...slow.map(runOne), ...Array.from({ length: WORKERS }, work)]);
  const groups = Map.groupBy(rows, (one) => outcomes.get(one) ?? []);
  for (const [outcome, those] of groups) {
    if (typeof outcome !== "string") outcome.forEach((fault) => session.report(fault));
    else session.note(`${outcome}: ${those.map(({ row }) => row.title).join("; ")}`);
  }
  if (found.proxy !== undefined) return;
  const count = launcher === undefined ? HALF_SENT.other : HALF_SENT.own;
  const message = await checkSurvival(place, { usualMs: found.ms, count });
  const where = `GET ${place.probe}`;
  if (message !== undefined) session.report({ check: "raw_survival", where, message });
}

/** The faults of a row, or why it was not judged. */
type Outcome = string | readonly Parameters<Session["report"]>[0][];

/** Sends a row and judges the answers. */
async function runRow(
  session: Session,
  row: RawRow,
  { file, place, found }: {
    readonly file: RawFile;
    readonly place: Place;
    readonly found: Survey;
  },
): Promise<Outcome> {
  const { document, profile } = session.contract;
  const operation = document.operations.find(({ id }) => id === file.operation);
  const valid = operation === undefined ? undefined : exampleBody(session, operation)?.value;
  const body = valid === undefined ? found.words.body : JSON.stringify(valid);
  const words = { ...found.words, body };
  const { calls, ...message } = messageOf(row, { requests: file.requests, words });
  const isForAny = row.rfc !== undefined;
  if (isForAny && !mayBeSent(session, { calls, base: found.words.base })) {
    return "not sent, because not permitted";
  }
  const received = await sendRow(row, { message, place });
  const { tier, base, launcher } = session;
  const { title } = row;
  const line = replayOf(row, { base, script: message.script });
  const exchangeOf = (index: number, answer: Answer): Exchange => {
    const call = calls[index] ?? { method: message.methods[index] ?? "", path: "/" };
    return { tier, base, call, answer, title, line };
  };
  const finals = finalAnswers(received);
  const exchanges = finals.map((one, index) => exchangeOf(index, asAnswer(one, received.ms)));
  for (const [index, one] of finals.entries()) {
    const isJudged = !isForAny && calls[index] !== undefined && !isOfPlatform(one);
    if (isJudged) session.record(exchanges[index]!);
  }
  const faults = rowFaults(row, received, profile.errors?.code);
  if (isForAny && faults.length === 0) return [];
  // A refusal over a limit proves nothing about the row; some servers refuse load with 503.
  const limited = isForAny ? [429, 503] : [429];
  const isLimited = launcher === undefined && finals.some(({ status }) => limited.includes(status));
  if (isLimited) return "not judged, because refused over a limit";
  if (isForAny && finals[0] !== undefined && isByOther(finals[0], found)) {
    return "not held against the service, because another server answered";
  }
  const exchange = exchanges.at(-1) ?? exchangeOf(0, { ...SILENCE, ms: received.ms });
  return faults.map((fault) => ({ ...fault, where: title, exchange }));
}

/** Shown where no answer came. */
const SILENCE = { status: 0, headers: new Headers(), body: new Uint8Array(), text: "(no answer)" };
