/** @module One row's conversation over a connection of its own: what is sent, what comes back. */

import { readAnswers, type Reading, type WireAnswer } from "./answers.ts";
import { getMessage, type Message } from "./message.ts";
import type { Ending, RawRow, Want } from "./rows.ts";
import { openWire, type Wire } from "./wire.ts";

/** What came back. */
export interface Heard {
  readonly answers: readonly WireAnswer[];
  readonly ending: Ending;
  /** What is wrong with the answers' form. */
  readonly fault: string | undefined;
  /** From the last byte sent of the first part to the last answer, in milliseconds. */
  readonly ms: number;
  /** What a request after it got; undefined where none was sent. */
  readonly next: Pick<Heard, "answers" | "ending" | "fault"> | undefined;
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

/** An answer that takes longer is none, unless the row says so. */
const PATIENCE_MS = 5_000;

/** How long a connection is looked at that should stay as it is. */
const STILL_MS = 300;

/** Between the two parts of a message. */
const PAUSE_MS = 100;

/** Has a row's conversation. */
export async function talk(
  row: RawRow,
  { message, place }: { readonly message: Message; readonly place: Place },
): Promise<Heard> {
  const wire = await openWire(place.base);
  const sending: Promise<void>[] = [];
  try {
    const started = performance.now();
    const { methods } = message;
    sending.push(sendAll(wire, { row, message }));
    const patience = row.seconds === undefined ? PATIENCE_MS : row.seconds[1] * 1_000;
    const read = (): Reading => readAnswers(wire.bytes(), { methods, ended: wire.ended() });
    await settle(wire, { wants: row.want, patience, read, place });
    const ms = performance.now() - started;
    const first = standing(wire, { reading: read(), wants: row.want });
    if (first.ending !== "good" || !row.want.some((way) => place.matches(way, first.answers))) {
      return { ...first, ms, next: undefined };
    }
    sending.push(wire.send(getMessage(place.probe, place.host)));
    const before = first.answers.length;
    const wants = row.next.map((way) => ({
      ...way,
      answers: [
        ...first.answers.map(({ status }) => ({ status, word: undefined })),
        ...way.answers,
      ],
    }));
    const readOn = () =>
      readAnswers(wire.bytes(), { methods: [...methods, "GET"], ended: wire.ended() });
    await settle(wire, { wants, patience: PATIENCE_MS, read: readOn, place });
    const { answers, ending, fault } = standing(wire, { reading: readOn(), wants });
    return { ...first, ms, next: { answers: answers.slice(before), ending, fault } };
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

/** Waits until it went one of the ways, or another way, or nothing more can be expected. */
async function settle(wire: Wire, { wants, patience, read, place }: {
  readonly wants: readonly Want[];
  readonly patience: number;
  readonly read: () => Reading;
  readonly place: Place;
}): Promise<void> {
  const isOpen = wants.some(({ ending }) => ending === "open");
  const canStill = (answers: readonly WireAnswer[]) =>
    wants.some((way) =>
      way.answers.length >= answers.length &&
      place.matches({ ...way, answers: way.answers.slice(0, answers.length) }, answers)
    );
  function isDecided(): boolean {
    const { answers, fault, isHttp2 } = read();
    if (fault !== undefined || isHttp2 || wire.ended() || !canStill(answers)) return true;
    return wants.some((way) => way.ending === "good" && place.matches(way, answers));
  }
  if (!isOpen) {
    await wire.until(isDecided, patience);
    return;
  }
  // What stays open answers first, if it answers at all; then it is to stay as it is.
  const areThere = () =>
    wire.ended() ||
    wants.some((way) => way.ending === "open" && place.matches(way, read().answers));
  await wire.until(() => areThere() || isDecided(), patience);
  await wire.until(() => wire.ended(), STILL_MS);
}

/** How things stand. A connection on which nothing is pending counts as good where that is wanted. */
function standing(
  wire: Wire,
  { reading, wants }: { readonly reading: Reading; readonly wants: readonly Want[] },
): Pick<Heard, "answers" | "ending" | "fault"> {
  const { answers, fault, isHttp2 } = reading;
  const stays = wants.some(({ ending }) => ending === "good") ? "good" : "open";
  const ending = isHttp2 ? "http2" : wire.ended() ? "closed" : stays;
  return { answers, ending, fault };
}
