/** @module Sends a row over its own connection and collects the answers. */

import { readAnswers, type Reading, type WireAnswer } from "./answers.ts";
import { getMessage, type Message } from "./message.ts";
import type { Ending, RawRow, Want } from "./rows.ts";
import { openWire, type Wire } from "./wire.ts";

/** The answers to one part of a row. */
interface Turn {
  readonly answers: readonly WireAnswer[];
  readonly ending: Ending;
  /** The first syntax error in the answers. */
  readonly fault: string | undefined;
}

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
  /** Whether answers are as wanted. */
  matches(outcome: Want, answers: readonly WireAnswer[]): boolean;
}

/** The default deadline for answers, and that of rows for any service. */
const TIMEOUT_MS = 5_000;
const ANY_TIMEOUT_MS = 3_000;

/** Between the two parts of a message. */
const PAUSE_MS = 100;

/** Sends a row, then another request on the same connection if it should still be good. */
export async function sendRow(
  row: RawRow,
  { message, place }: { readonly message: Omit<Message, "calls">; readonly place: Place },
): Promise<Received> {
  const wire = await openWire(place.base);
  const sending: Promise<unknown>[] = [];
  try {
    const { methods } = message;
    const { want, next, rfc, seconds } = row;
    const isForAny = rfc !== undefined;
    const started = performance.now();
    sending.push(sendAll(wire, { row, message }));
    const timeout = isForAny
      ? ANY_TIMEOUT_MS
      : seconds === undefined
      ? TIMEOUT_MS
      : seconds[1] * 1_000;
    const first = await receive(wire, { wants: want, methods, timeout, place, isForAny });
    const ms = performance.now() - started;
    const isWanted = want.some((outcome) => place.matches(outcome, first.answers));
    if (first.ending !== "good" || !isWanted) return { ...first, ms, next: undefined };
    sending.push(wire.send(getMessage(place.probe, place.host)));
    const before = first.answers.map(({ status }) => ({ status: `${status}`, word: undefined }));
    const { answers, ...rest } = await receive(wire, {
      wants: next.map((outcome) => ({ ...outcome, answers: [...before, ...outcome.answers] })),
      methods: [...methods, "GET"],
      timeout: TIMEOUT_MS,
      place,
      isForAny,
    });
    return { ...first, ms, next: { ...rest, answers: answers.slice(before.length) } };
  } finally {
    await wire.close();
    await Promise.all(sending);
  }
}

async function sendAll(
  wire: Wire,
  { row, message }: { readonly row: RawRow; readonly message: Omit<Message, "calls"> },
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

/** Reads until the outcome matches one of `wants`, or no longer can. */
async function receive(wire: Wire, { wants, methods, timeout, place, isForAny }: {
  readonly wants: readonly Want[];
  readonly methods: readonly string[];
  readonly timeout: number;
  readonly place: Place;
  /** Whether the row is for any service: its connection is watched, but not used again. */
  readonly isForAny: boolean;
}): Promise<Turn> {
  const read = (): Reading => readAnswers(wire.bytes(), { methods, ended: wire.ended() });
  const canMatch = (answers: readonly WireAnswer[]) =>
    wants.some((outcome) =>
      outcome.answers.length >= answers.length &&
      place.matches({ ...outcome, answers: outcome.answers.slice(0, answers.length) }, answers)
    );
  const matchesEnding = (ending: Ending, answers: readonly WireAnswer[]) =>
    wants.some((outcome) => outcome.ending === ending && place.matches(outcome, answers));
  function isDecided(): boolean {
    const { answers, fault, isHttp2 } = read();
    const isFailed = fault !== undefined || isHttp2 || wire.ended() || !canMatch(answers);
    return isFailed || matchesEnding("good", answers);
  }
  await wire.until(() => isDecided() || matchesEnding("open", read().answers), timeout);
  // Check that the connection stays open, or that no further answer follows.
  const isWatched = isForAny || wants.some(({ ending }) => ending === "open");
  if (isWatched) await wire.until(() => wire.ended(), place.stillMs);
  const { answers, fault, isHttp2 } = read();
  // An open connection counts as good if that is wanted; the next request proves it.
  const stays = !isForAny && wants.some(({ ending }) => ending === "good") ? "good" : "open";
  return { answers, fault, ending: isHttp2 ? "http2" : wire.ended() ? "closed" : stays };
}
