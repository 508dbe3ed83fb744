/** @module Sends one row over a connection of its own and collects what comes back. */

import { readAnswers, type Reading, type WireAnswer } from "./answers.ts";
import { getMessage, type Message } from "./message.ts";
import type { Ending, RawRow, Want } from "./rows.ts";
import { openWire, type Wire } from "./wire.ts";

/** What came back of one turn. */
interface Turn {
  readonly answers: readonly WireAnswer[];
  readonly ending: Ending;
  /** What is wrong with the answers' form. */
  readonly fault: string | undefined;
}

/** What came back. */
export interface Received extends Turn {
  /** From the first byte sent to the last answer, in milliseconds. */
  readonly ms: number;
  /** What a request after it got; undefined where none was sent. */
  readonly next: Turn | undefined;
}

/** Where and how long to talk. */
export interface Place {
  readonly base: string;
  readonly host: string;
  /** The path of the request that is sent next. */
  readonly probe: string;
  /** Whether an answer is one that is wanted. */
  matches(way: Want, answers: readonly WireAnswer[]): boolean;
}

/** The deadline of a response, unless the row has one. */
const PATIENCE_MS = 5_000;

/** How long a connection that should stay open is watched. */
const STILL_MS = 300;

/** Between the two parts of a message. */
const PAUSE_MS = 100;

/** Sends a row; on a connection that should be good afterwards, another request follows. */
export async function sendRow(
  row: RawRow,
  { message, place }: { readonly message: Message; readonly place: Place },
): Promise<Received> {
  const wire = await openWire(place.base);
  const sending: Promise<unknown>[] = [];
  try {
    const { methods } = message;
    const { want } = row;
    const started = performance.now();
    sending.push(sendAll(wire, { row, message }));
    const patience = row.seconds === undefined ? PATIENCE_MS : row.seconds[1] * 1_000;
    const first = await hear(wire, { wants: want, methods, patience, place });
    const ms = performance.now() - started;
    if (first.ending !== "good" || !want.some((way) => place.matches(way, first.answers))) {
      return { ...first, ms, next: undefined };
    }
    sending.push(wire.send(getMessage(place.probe, place.host)));
    const before = first.answers.map(({ status }) => ({ status, word: undefined }));
    const { answers, ...rest } = await hear(wire, {
      wants: row.next.map((way) => ({ ...way, answers: [...before, ...way.answers] })),
      methods: [...methods, "GET"],
      patience: PATIENCE_MS,
      place,
    });
    return { ...first, ms, next: { ...rest, answers: answers.slice(before.length) } };
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
    const isAsked = row.want.every(({ answers }) => answers[0]?.status === 100);
    const heardOf = () => wire.bytes().length > 0;
    if (isAsked) await wire.until(heardOf, PATIENCE_MS);
    else await new Promise((done) => setTimeout(done, PAUSE_MS));
    await wire.send(message.then);
  }
  if (row.half_close) await wire.halfClose();
}

/** Reads until the outcome is one of `wants`, or can no longer become one. */
async function hear(wire: Wire, { wants, methods, patience, place }: {
  readonly wants: readonly Want[];
  readonly methods: readonly string[];
  readonly patience: number;
  readonly place: Place;
}): Promise<Turn> {
  const read = (): Reading => readAnswers(wire.bytes(), { methods, ended: wire.ended() });
  const canStill = (answers: readonly WireAnswer[]) =>
    wants.some((way) =>
      way.answers.length >= answers.length &&
      place.matches({ ...way, answers: way.answers.slice(0, answers.length) }, answers)
    );
  const went = (ending: Ending, answers: readonly WireAnswer[]) =>
    wants.some((way) => way.ending === ending && place.matches(way, answers));
  function isDecided(): boolean {
    const { answers, fault, isHttp2 } = read();
    const isElsewhere = fault !== undefined || isHttp2 || wire.ended() || !canStill(answers);
    return isElsewhere || went("good", answers);
  }
  if (wants.some(({ ending }) => ending === "open")) {
    // What stays open answers first, if it answers at all; then it is to stay as it is.
    await wire.until(() => isDecided() || went("open", read().answers), patience);
    await wire.until(() => wire.ended(), STILL_MS);
  } else {
    await wire.until(isDecided, patience);
  }
  const { answers, fault, isHttp2 } = read();
  // A connection on which nothing is pending counts as good where that is wanted.
  const stays = wants.some(({ ending }) => ending === "good") ? "good" : "open";
  return { answers, fault, ending: isHttp2 ? "http2" : wire.ended() ? "closed" : stays };
}
