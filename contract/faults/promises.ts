/**
 * @module What an answer to a lead promises when a target or the database does not do its part. A
 * 200 says whether all targets have it, a 502 that neither storing nor delivering could be confirmed.
 */

import { type Exchange, jsonOf } from "../exchange.ts";
import type { Instances } from "../instances.ts";
import { at } from "../profile.ts";
import type { Session } from "../session.ts";
import { exampleBody } from "../tiers/example_call.ts";
import type { Behaviour, Receiver } from "./receiver.ts";

/** Of the tier. */
export const NAME = "faults";

/** How long an answer waits for a target that hangs, in the instances here. */
export const PATIENCE_MS = 500;

/** Beyond that, an answer takes no longer than this. */
const MARGIN_MS = 4_000;

/** What goes on after an answer, such as one delivery too many, is there by then. */
const SETTLED_MS = 300;

/** What a target may do at once that is not taking a lead. */
const FAILURES: readonly Behaviour[] = ["refuse", "reject", "redirect"];

/** An instance with faults around it. */
export interface Faulty {
  /** On the instance. */
  readonly session: Session;
  readonly instances: Instances;
  /** The operation that takes leads. */
  readonly operation: string;
}

/** A lead that is to be stored, and what it is known by. */
interface Lead {
  readonly mark: string;
  send(title: string): Promise<Exchange>;
}

/** A lead of its own that tells the target what to do. */
function leadFor({ session, instances, operation: id }: Faulty, behaviour: Behaviour): Lead {
  const operation = session.law.document.operations.find((one) => one.id === id)!;
  const { body: members, by } = instances.stored;
  const n = session.unique();
  const mark = `does-${behaviour} ${n}`;
  const example = exampleBody(session, operation)!;
  const value = { ...members, [by]: mark };
  return {
    mark,
    send: (title) =>
      session.send({
        method: operation.method,
        path: operation.path,
        headers: [["content-type", example.type]],
        body: JSON.stringify(value).replaceAll("{n}", String(n)),
      }, { tier: NAME, title }),
  };
}

/** Notes what is wrong with a promise. */
function report(
  { session, operation }: Faulty,
  { message, exchange }: { readonly message: string; readonly exchange: Exchange },
): void {
  session.report({ check: "promise", tier: NAME, where: operation, message, exchange });
}

/** Holds an answer against what it should promise. `delivered` undefined: a 502. */
function holdsAnswer(
  faulty: Faulty,
  { exchange, delivered }: { readonly exchange: Exchange; readonly delivered: boolean | undefined },
): void {
  const { status } = exchange.answer;
  const { instances } = faulty;
  const body = status === 200 ? jsonOf(exchange.answer) : undefined;
  const [got, want] = [
    [status, at(body, instances.delivered)],
    [delivered === undefined ? 502 : 200, delivered],
  ].map(([code, is]) => is === undefined ? `${code}` : `${code}, delivered ${is}`);
  if (got !== want) {
    report(faulty, { message: `${exchange.title}: got ${got} instead of ${want}`, exchange });
  }
  for (const [pointer, value] of Object.entries(body === undefined ? {} : instances.taken)) {
    if (at(body, pointer) === value) continue;
    report(faulty, { message: `a lead is taken, and ${pointer} is not ${value}`, exchange });
  }
}

/** The database works: every lead is held, and `delivered` tells what the target did with it. */
export async function holdsDelivery(faulty: Faulty, receiver: Receiver): Promise<void> {
  const taken = leadFor(faulty, "take");
  const exchange = await taken.send("a lead that its target takes");
  holdsAnswer(faulty, { exchange, delivered: true });
  if (receiver.count(taken.mark) !== 1) {
    report(faulty, {
      message: "a lead that is said to be delivered has not arrived once",
      exchange,
    });
  }
  const again = await taken.send("the same lead again");
  holdsAnswer(faulty, { exchange: again, delivered: true });
  for (const behaviour of FAILURES) {
    const title = `a lead that its target does ${behaviour}`;
    const refused = await leadFor(faulty, behaviour).send(title);
    holdsAnswer(faulty, { exchange: refused, delivered: false });
  }
  const hanging = leadFor(faulty, "hang");
  const late = await hanging.send("a lead that its target keeps waiting");
  holdsAnswer(faulty, { exchange: late, delivered: false });
  const { ms } = late.answer;
  if (ms < PATIENCE_MS || ms > PATIENCE_MS + MARGIN_MS) {
    report(faulty, {
      message: "a target that hangs is not waited for as long as is set",
      exchange: late,
    });
  }
  const copy = await hanging.send("the same lead again, while its target keeps it waiting");
  holdsAnswer(faulty, { exchange: copy, delivered: false });
  await new Promise((done) => setTimeout(done, SETTLED_MS));
  for (const { mark } of [taken, hanging]) {
    if (receiver.count(mark) !== 1) {
      report(faulty, { message: "the same lead again is delivered again", exchange: copy });
    }
  }
}

/** One target takes leads, another cannot be reached: not all have it. */
export async function holdsPartial(faulty: Faulty, receiver: Receiver): Promise<void> {
  const lead = leadFor(faulty, "take");
  const exchange = await lead.send("a lead that one of two targets takes");
  holdsAnswer(faulty, { exchange, delivered: false });
  // The answer need not wait for the target that works: it is false already.
  await new Promise((done) => setTimeout(done, SETTLED_MS));
  if (receiver.count(lead.mark) === 1) return;
  report(faulty, {
    message: "a target that cannot be reached keeps a lead from another",
    exchange,
  });
}

/** The database is out of reach: what a target takes is 200, and nothing else is. */
export async function holdsWithoutDatabase(faulty: Faulty, receiver: Receiver): Promise<void> {
  const taken = leadFor(faulty, "take");
  const exchange = await taken.send("a lead that its target takes, without database");
  holdsAnswer(faulty, { exchange, delivered: true });
  for (const behaviour of FAILURES) {
    const title = `a lead that its target does ${behaviour}, without database`;
    const refused = await leadFor(faulty, behaviour).send(title);
    holdsAnswer(faulty, { exchange: refused, delivered: undefined });
  }
  if (receiver.count(taken.mark) === 1) return;
  report(faulty, { message: "a lead that is said to be delivered has not arrived once", exchange });
}

/** Neither database nor target: that is said in time, and the rest works. */
export async function holdsNothing(
  faulty: Faulty,
  { accepted, how }: { readonly accepted: number; readonly how: string },
): Promise<void> {
  const { session, instances } = faulty;
  let longest = 0;
  for (let n = 0; n < accepted; n++) {
    const exchange = await leadFor(faulty, "take").send(`a lead that nobody takes, ${how}`);
    holdsAnswer(faulty, { exchange, delivered: undefined });
    longest = Math.max(longest, exchange.answer.ms);
    if (exchange.answer.ms > instances.not_stored_within * 1_000) {
      report(faulty, {
        message: `a lead that nobody takes is answered too late, ${how}`,
        exchange,
      });
    }
  }
  session.note(NAME, `502 after at most ${(longest / 1_000).toFixed(1)} s, ${how}`);
  const beyond = await leadFor(faulty, "take").send(`one lead beyond the limit, ${how}`);
  if (beyond.answer.status !== 429) {
    report(faulty, { message: `the limit does not hold, ${how}`, exchange: beyond });
  }
  for (const other of session.law.document.operations) {
    if (other.requestRequired) continue;
    const { method, path } = other;
    const title = `${other.id}, ${how}`;
    const exchange = await session.send({ method, path }, { tier: NAME, title });
    if (exchange.answer.status === 200) continue;
    report(faulty, { message: `${other.id} does not work, ${how}`, exchange });
  }
}
