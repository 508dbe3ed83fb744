/**
 * @module A receiver as receivers are: slow at times, refusing at times, silent at times. It fails a
 * lead's first try at most, so that no retry has to wait longer than the first pause.
 */

import { pause } from "../support/until.ts";

/** A lead that the receiver has acknowledged; whether the sender heard of it is another matter. */
export interface Taken {
  /** The `webhook-id`. */
  readonly id: string;
  /** What the body holds: the id and what was sent. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** What the receiver does at the moment. */
export type Mood = "flaky" | "refusing" | "prompt";

/** A running receiver. */
export interface FlakyReceiver {
  readonly url: string;
  readonly taken: readonly Taken[];
  /** Tries that were answered 503. */
  readonly refused: number;
  /** Tries that got no answer. */
  readonly ignored: number;
  /** `refusing`: every first try; `prompt`: no try goes unanswered any more. */
  mood: Mood;
  /** Called with each request as it arrives. */
  onArrival: () => void;
}

const REFUSED = 0.08;
const IGNORED = 0.02;
const SLOWEST_MS = 150;

/** Runs `work` with a receiver of its own. */
export async function withFlakyReceiver(
  work: (receiver: FlakyReceiver) => Promise<void>,
  random: () => number,
): Promise<void> {
  const taken: Taken[] = [];
  const seen = new Set<string>();
  const underWay = new Set<Promise<Response>>();
  const closing = Promise.withResolvers<void>();
  const counts = { refused: 0, ignored: 0 };

  async function answer(request: Request): Promise<Response> {
    receiver.onArrival();
    let event: { data: Taken["data"] };
    try {
      event = await request.json();
    } catch {
      return new Response(null, { status: 400 }); // the sender was killed while it sent
    }
    const id = request.headers.get("webhook-id") ?? "";
    const chance = seen.has(id) ? 1 : receiver.mood === "refusing" ? 0 : random();
    seen.add(id);
    // Short delays are the rule, long ones the exception.
    await pause(SLOWEST_MS * random() ** 4);
    if (chance < REFUSED) {
      counts.refused++;
      return new Response(null, { status: 503 });
    }
    if (chance < REFUSED + IGNORED && receiver.mood === "flaky") {
      counts.ignored++;
      await closing.promise; // long after the sender has given up
      return new Response(null, { status: 503 });
    }
    taken.push({ id, data: event.data });
    return new Response(null, { status: 204 });
  }

  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    const response = answer(request).finally(() => underWay.delete(response));
    underWay.add(response);
    return response;
  });
  const receiver: FlakyReceiver = {
    url: `http://127.0.0.1:${server.addr.port}/leads`,
    taken,
    get refused() {
      return counts.refused;
    },
    get ignored() {
      return counts.ignored;
    },
    mood: "flaky",
    onArrival: () => {},
  };
  try {
    await work(receiver);
  } finally {
    closing.resolve();
    await Promise.all([server.shutdown(), ...underWay]);
  }
}
