/**
 * @module Requests that `fetch` does not send, over sockets: odd methods and targets, wrong lengths,
 * malformed chunks, stalls, floods, pipelining. The rows are in `raw.yaml`.
 */

import type { Exchange } from "../exchange.ts";
import { getMessage, messageOf } from "../raw/message.ts";
import { openWire, platformOf, type Wire } from "../raw/wire.ts";
import { parseRawFile, type RawFile, type RawRow } from "../raw/rows.ts";
import { type Place, sendRow } from "../raw/send_row.ts";
import { asAnswer, finalAnswers, isOfPlatform, matches, rowFaults } from "../raw/verdict.ts";
import type { Session, Tier } from "../session.ts";
import { exampleBody } from "./example_call.ts";

/** Rows that are under way at a time, beside those that are about waiting. */
const LANES = 6;

export const rawTier: Tier = {
  name: "raw",
  tries: "over sockets: methods, targets, lengths, chunks, stalls, floods, pipelining",
  live: false,
  unable({ base }) {
    return new URL(base).pathname === "/" ? undefined : "the service is below a path";
  },
  async run(session) {
    const text = await Deno.readTextFile(new URL("raw.yaml", session.cases)).catch(() => undefined);
    if (text === undefined) return session.note("there is no raw.yaml");
    await runFile(session, parseRawFile(text));
  },
};

/** Sends every row that the platform behind the session allows. */
export async function runFile(session: Session, file: RawFile): Promise<void> {
  const { base, contract } = session;
  const platform = await platformOf(session);
  const all = Object.entries(file.cases).flatMap(([category, rows]) =>
    rows.map((row) => ({ category, row }))
  );
  const able = all.filter(({ row: { by, platform: needed } }) =>
    (by === "service" && needed === undefined) || platform === (needed ?? DENO)
  );
  const place: Place = {
    base,
    host: new URL(base).host,
    probe: file.probe,
    matches: (way, answers) => matches(way, answers, contract.profile.errors?.code),
  };
  const ask: Ask = async () => {
    const call = { method: "GET", path: file.probe };
    return (await session.send(call, { title: "the probe" })).answer.ms;
  };
  const usual = await medianTime(ask);
  let done = 0;
  let limited = 0;
  async function runOne(one: Categorised): Promise<void> {
    if (await runRow(session, { ...one, file, place }) === "limited") limited++;
    session.progress(++done, able.length);
  }
  // Rows that wait run beside the others.
  const slow = able.filter(({ row }) => row.seconds !== undefined);
  const queue = able.filter(({ row }) => row.seconds === undefined);
  async function lane(): Promise<void> {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) await runOne(one);
  }
  await Promise.all([...slow.map(runOne), ...Array.from({ length: LANES }, lane)]);
  for (const message of await checkSurvival(place, { ask, usual })) {
    session.report({ check: "raw_survival", where: `GET ${file.probe}`, message });
  }
  const left = all.length - able.length;
  note(session, { platform, able: able.map(({ row }) => row), left, limited });
}

/** The platform of rows that `by: platform` alone binds to one. */
const DENO = "deno";

interface Categorised {
  readonly category: string;
  readonly row: RawRow;
}

async function runRow(
  session: Session,
  { category, row, file, place }: Categorised & {
    readonly file: RawFile;
    readonly place: Place;
  },
): Promise<"judged" | "limited"> {
  const { document, profile } = session.contract;
  const operation = document.operations.find(({ id }) => id === file.operation);
  const body = operation === undefined ? undefined : exampleBody(session, operation)?.value;
  const filling = { host: place.host, lead: JSON.stringify(body ?? {}) };
  const message = messageOf(row, { requests: file.requests, filling });
  const received = await sendRow(row, { message, place });
  const exchanges = finalAnswers(received).flatMap((answer, index): Exchange[] => {
    const call = message.calls[index];
    if (call === undefined || isOfPlatform(answer)) return [];
    return [session.take({ call, answer: asAnswer(answer, received.ms), title: row.title })];
  });
  // A limit that a foreign service has met proves nothing about the row.
  const isLimited = exchanges.some(({ answer }) => answer.status === 429);
  if (isLimited && session.launcher === undefined) return "limited";
  for (const fault of rowFaults(row, received, profile.errors?.code)) {
    const text = `${row.title}: ${fault}`;
    const exchange = exchanges.at(-1);
    session.report({ check: "raw", where: category, message: text, exchange });
  }
  return "judged";
}

function note(session: Session, { platform, able, left, limited }: {
  readonly platform: string | undefined;
  readonly able: readonly RawRow[];
  readonly left: number;
  readonly limited: number;
}): void {
  const own = able.filter(({ by }) => by === "platform").length;
  const lenient = able.filter(({ deviates }) => deviates !== undefined).length;
  const what = platform === undefined ? "" : `, ${own} of them answered by ${platform} itself`;
  session.note(`${able.length} rows${what}`);
  if (lenient > 0) session.note(`${lenient} rows deviate from a standard`);
  if (limited > 0) session.note(`${limited} rows not judged: they met the service's limit`);
  if (left > 0) session.note(`${left} rows not sent: another server answers the sockets`);
}

/** Asks the probe in the usual way, and says how long it took in milliseconds. */
type Ask = () => Promise<number>;

/** Connections that say half a request and no more. */
const HALF_SAID = 200;

/** Other things take time as well: only what is out of all proportion counts. */
const SLOWER = 20;
const AND_MS = 500;

const TRIES = 15;

/** How long the probe usually takes, in milliseconds. */
async function medianTime(ask: Ask): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < TRIES; n++) times.push(await ask());
  return times.toSorted((a, b) => a - b)[Math.floor(TRIES / 2)]!;
}

/** What is wrong with the service while many connections have said half a request, a line each. */
async function checkSurvival(
  place: Place,
  { ask, usual }: { readonly ask: Ask; readonly usual: number },
): Promise<string[]> {
  const wires: Wire[] = [];
  try {
    const half = getMessage(place.probe, place.host).slice(0, -2);
    for (let n = 0; n < HALF_SAID; n++) {
      const wire = await openWire(place.base);
      wires.push(wire);
      await wire.send(half);
    }
    const now = await medianTime(ask);
    return now > SLOWER * usual + AND_MS ? ["it answers far more slowly than before"] : [];
  } catch {
    return ["it does not answer any more"];
  } finally {
    await Promise.all(wires.map((wire) => wire.close()));
  }
}
