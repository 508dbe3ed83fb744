/** @module Sends a row over its own connection and collects the answers. */

import { getMessage, type Message } from "./message.ts";
import { type CodePointer, isWanted, outcomesOf, type Turn, type Want } from "./outcome.ts";
import type { RawRow } from "./rows.ts";
import { openWire, type Wire } from "./wire.ts";

/** The outcome of a row. */
export interface Received extends Turn {
  /** From the first byte sent to the last answer, in milliseconds. */
  readonly ms: number;
  /** The outcome of another request; undefined if none was sent. */
  readonly next: Turn | undefined;
}

/** The service that rows are sent to. */
export interface Place {
  readonly base: string;
  readonly host: string;
  /** The path of the request after the row. */
  readonly probe: string;
  /** How long to watch a connection that should stay open or silent, in milliseconds. */
  readonly stillMs: number;
  readonly code: CodePointer;
}

/** The default deadline for answers, and that of rows for any service. */
const TIMEOUT_MS = 5_000;
const ANY_TIMEOUT_MS = 3_000;

/** Between the two parts of a message. */
const PAUSE_MS = 100;

/** Sends a row, then another request on the same connection if it should still be good. */
export async function sendRow(
  row: RawRow,
  { message, place }: { readonly message: Message; readonly place: Place },
): Promise<Received> {
  const wire = await openWire(place.base);
  const sending: Promise<unknown>[] = [];
  try {
    const methods = message.calls.map(({ method }) => method);
    const { want, next, rfc, seconds } = row;
    const started = performance.now();
    sending.push(sendAll(wire, { row, message }));
    const usual = rfc === undefined ? TIMEOUT_MS : ANY_TIMEOUT_MS;
    const timeout = seconds === undefined ? usual : seconds[1] * 1_000;
    const first = await receive(wire, { wants: want, methods, timeout, place });
    const ms = performance.now() - started;
    const good = want.filter(({ ending }) => ending === "good");
    if (!isWanted(good, first, place.code)) return { ...first, ms, next: undefined };
    sending.push(wire.send(getMessage(place.probe, place.host)));
    const second = await receive(wire, {
      wants: next,
      methods: [...methods, "GET"],
      after: first.answers.length,
      timeout: TIMEOUT_MS,
      place,
    });
    return { ...first, ms, next: second };
  } finally {
    await wire.close();
    await Promise.all(sending);
  }
}

async function sendAll(
  wire: Wire,
  { row, message }: { readonly row: RawRow; readonly message: Message },
): Promise<void> {
  await wire.send(message.bytes);
  if (message.then !== undefined) {
    const waitsFor100 = row.want.every(({ answers }) => answers[0]?.status === "100");
    const hasAnswer = () => wire.bytes().length > 0;
    if (waitsFor100) await wire.until(hasAnswer, TIMEOUT_MS);
    else await new Promise((done) => setTimeout(done, PAUSE_MS));
    await wire.send(message.then);
  }
  if (row.half_close) await wire.halfClose();
}

/** Reads until the outcome is one of `wants`, or no longer can be. */
async function receive(wire: Wire, { wants, methods, timeout, place, after = 0 }: {
  readonly wants: readonly Want[];
  readonly methods: readonly string[];
  readonly timeout: number;
  readonly place: Place;
  /** How many answers were to earlier requests. */
  readonly after?: number;
}): Promise<Turn> {
  function read() {
    const { answers, fault, isHttp2 } = wire.read(methods);
    const own = answers.slice(after);
    return { answers: own, fault, isHttp2, ...outcomesOf(wants, own, place.code) };
  }
  function isDecided(): boolean {
    const { fault, isHttp2, possible, whole } = read();
    return fault !== undefined || isHttp2 || possible.length === 0 ||
      whole.some(({ ending }) => ending !== "closed" && ending !== "http2");
  }
  await wire.until(isDecided, timeout);
  // Check that the connection stays open, or that no further answer follows.
  const isWatched = wants.some(({ ending }) => ending !== "good");
  if (isWatched) await wire.until(() => wire.ended(), place.stillMs);
  const { answers, fault, isHttp2, whole } = read();
  // An open connection counts as good; the next request proves it.
  const stays = whole.some(({ ending }) => ending === "open") ? "open" : "good";
  return { answers, fault, ending: isHttp2 ? "http2" : wire.ended() ? "closed" : stays };
}
