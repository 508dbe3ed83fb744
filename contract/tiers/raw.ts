/**
 * @module The raw tier: sends the rows of `raw.yaml` over sockets, because `fetch` refuses odd methods
 * and targets, wrong lengths, malformed chunks, stalls, floods and pipelining.
 */

import type { Exchange } from "../exchange.ts";
import { getMessage, messageOf } from "../raw/message.ts";
import { openWire, platformOf, type Wire } from "../raw/wire.ts";
import { parseRawFile, type RawFile, type RawRow } from "../raw/rows.ts";
import { type Place, sendRow } from "../raw/send_row.ts";
import { asAnswer, finalAnswers, isOfPlatform, matches, rowFaults } from "../raw/verdict.ts";
import type { Session, Tier } from "../session.ts";
import { exampleBody } from "./example_call.ts";

/** Concurrent rows, in addition to those that wait. */
const WORKERS = 6;

export const rawTier: Tier = {
  name: "raw",
  tries: "over sockets: methods, targets, lengths, chunks, stalls, floods, pipelining",
  live: false,
  unable({ base, cases }) {
    if (cases === undefined) return "there are no cases";
    return new URL(base).pathname === "/" ? undefined : "the base URL has a path";
  },
  async run(session) {
    const text = await Deno.readTextFile(new URL("raw.yaml", session.cases)).catch(() => undefined);
    if (text === undefined) return session.note("there is no raw.yaml");
    await runFile(session, parseRawFile(text));
  },
};

/** Sends every row that the service's platform supports. */
async function runFile(session: Session, file: RawFile): Promise<void> {
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
    matches: (outcome, answers) => matches(outcome, answers, contract.profile.errors?.code),
  };
  const probe: Probe = async () => {
    const call = { method: "GET", path: file.probe };
    return (await session.send(call, { title: "the probe" })).answer.ms;
  };
  const usual = await medianTime(probe);
  let done = 0;
  let limited = 0;
  async function runOne(one: Categorised): Promise<void> {
    if (await runRow(session, { ...one, file, place }) === "limited") limited++;
    session.progress(++done, able.length);
  }
  const slow = able.filter(({ row }) => row.seconds !== undefined);
  const queue = able.filter(({ row }) => row.seconds === undefined);
  async function work(): Promise<void> {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) await runOne(one);
  }
  await Promise.all([...slow.map(runOne), ...Array.from({ length: WORKERS }, work)]);
  for (const message of await checkSurvival(place, { probe, usual })) {
    session.report({ check: "raw_survival", where: `GET ${file.probe}`, message });
  }
  const left = all.length - able.length;
  note(session, { platform, able: able.map(({ row }) => row), left, limited });
}

/** The platform of rows with `by: platform`. */
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
    return [session.record({ call, answer: asAnswer(answer, received.ms), title: row.title })];
  });
  // A refusal over a limit proves nothing about the row.
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
  const byPlatform = able.filter(({ by }) => by === "platform").length;
  const lenient = able.filter(({ deviates }) => deviates !== undefined).length;
  const what = platform === undefined
    ? ""
    : `, ${byPlatform} of them answered by ${platform} itself`;
  session.note(`${able.length} rows${what}`);
  if (lenient > 0) session.note(`${lenient} rows deviate from a standard`);
  if (limited > 0) {
    session.note(`${limited} rows not judged: the service refused them over its limit`);
  }
  if (left > 0) session.note(`${left} rows not sent: they need another platform`);
}

/** Sends the probe by fetch; returns its duration in milliseconds. */
type Probe = () => Promise<number>;

/** Connections with half a request. */
const HALF_SENT = 200;

/** The probe may be this many times slower, plus `AND_MS`: the machine is busy. */
const SLOWER = 20;
const AND_MS = 500;

const TRIES = 15;

/** The median duration of the probe, in milliseconds. */
async function medianTime(probe: Probe): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < TRIES; n++) times.push(await probe());
  return times.toSorted((a, b) => a - b)[Math.floor(TRIES / 2)]!;
}

/** Faults of the service while many connections have sent half a request, one line each. */
async function checkSurvival(
  place: Place,
  { probe, usual }: { readonly probe: Probe; readonly usual: number },
): Promise<string[]> {
  const wires: Wire[] = [];
  try {
    const half = getMessage(place.probe, place.host).slice(0, -2);
    for (let n = 0; n < HALF_SENT; n++) {
      const wire = await openWire(place.base);
      wires.push(wire);
      await wire.send(half);
    }
    const now = await medianTime(probe);
    return now > SLOWER * usual + AND_MS ? ["it answers far more slowly than before"] : [];
  } catch {
    return ["it no longer answers"];
  } finally {
    await Promise.all(wires.map((wire) => wire.close()));
  }
}
