/**
 * @module Checks the promises of an answer to a lead while targets or the database fail: `delivered`
 * is true if all targets have the lead; a 502 means that neither storage nor delivery was confirmed.
 */

import { type Exchange, jsonOf } from "../exchange.ts";
import type { Instances } from "../instances.ts";
import { at } from "../profile.ts";
import type { Session } from "../session.ts";
import { exampleBody, exampleCall } from "../tiers/example_call.ts";
import type { Behaviour, Receiver } from "./receiver.ts";

/** LEAD_INLINE_TIMEOUT of the instances. */
export const INLINE_TIMEOUT_MS = 500;

const MARGIN_MS = 4_000;

/** Enough for a delivery in the background. */
const SETTLED_MS = 300;

const FAILURES: readonly Behaviour[] = ["refuse", "reject", "redirect"];

/** An instance with faults around it. */
export interface FaultyService {
  readonly session: Session;
  readonly instances: Instances;
  readonly operation: string;
}

interface Lead {
  readonly mark: string;
  send(title: string): Promise<Exchange>;
}

/** Creates a lead that selects the target's behaviour. */
function leadFor({ session, instances, operation: id }: FaultyService, behaviour: Behaviour): Lead {
  const operation = session.contract.document.operations.find((one) => one.id === id)!;
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
      }, { title }),
  };
}

function report(
  { session, operation }: FaultyService,
  { message, exchange }: { readonly message: string; readonly exchange: Exchange },
): void {
  session.report({ check: "promise", where: operation, message, exchange });
}

/** Checks an answer; `delivered` undefined expects a 502. */
function checkAnswer(
  faulty: FaultyService,
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
    report(faulty, { message: `a lead is accepted, but ${pointer} is not ${value}`, exchange });
  }
}

/** With a database every lead is stored, and `delivered` reflects the target's answer. */
export async function checkDelivery(faulty: FaultyService, receiver: Receiver): Promise<void> {
  const taken = leadFor(faulty, "take");
  const exchange = await taken.send("a lead that its target accepts");
  checkAnswer(faulty, { exchange, delivered: true });
  if (receiver.count(taken.mark) !== 1) {
    const message = "a lead reported as delivered did not arrive exactly once";
    report(faulty, { message, exchange });
  }
  const again = await taken.send("a duplicate");
  checkAnswer(faulty, { exchange: again, delivered: true });
  for (const behaviour of FAILURES) {
    const title = `a lead whose target does ${behaviour}`;
    const refused = await leadFor(faulty, behaviour).send(title);
    checkAnswer(faulty, { exchange: refused, delivered: false });
  }
  const hanging = leadFor(faulty, "hang");
  const late = await hanging.send("a lead whose target hangs");
  checkAnswer(faulty, { exchange: late, delivered: false });
  const { ms } = late.answer;
  if (ms < INLINE_TIMEOUT_MS || ms > INLINE_TIMEOUT_MS + MARGIN_MS) {
    const message = "the wait for a target that hangs is not the configured time";
    report(faulty, { message, exchange: late });
  }
  const copy = await hanging.send("a duplicate, while its target hangs");
  checkAnswer(faulty, { exchange: copy, delivered: false });
  await new Promise((done) => setTimeout(done, SETTLED_MS));
  for (const { mark } of [taken, hanging]) {
    if (receiver.count(mark) !== 1) {
      report(faulty, { message: "a duplicate is delivered again", exchange: copy });
    }
  }
}

/** One target accepts leads, another is unreachable. */
export async function checkPartial(faulty: FaultyService, receiver: Receiver): Promise<void> {
  const lead = leadFor(faulty, "take");
  const exchange = await lead.send("a lead that one of two targets accepts");
  checkAnswer(faulty, { exchange, delivered: false });
  // `delivered` is false already, so the answer need not wait for the other target.
  await new Promise((done) => setTimeout(done, SETTLED_MS));
  if (receiver.count(lead.mark) === 1) return;
  report(faulty, { message: "an unreachable target prevents delivery to another", exchange });
}

/** Without a database only a lead that its target accepts is answered 200. */
export async function checkWithoutDatabase(
  faulty: FaultyService,
  receiver: Receiver,
): Promise<void> {
  const taken = leadFor(faulty, "take");
  const exchange = await taken.send("a lead that its target accepts, without database");
  checkAnswer(faulty, { exchange, delivered: true });
  for (const behaviour of FAILURES) {
    const title = `a lead whose target does ${behaviour}, without database`;
    const refused = await leadFor(faulty, behaviour).send(title);
    checkAnswer(faulty, { exchange: refused, delivered: undefined });
  }
  if (receiver.count(taken.mark) === 1) return;
  report(faulty, { message: "a lead reported as delivered did not arrive exactly once", exchange });
}

/** Without database and targets every lead gets 502 in time; other operations work. */
export async function checkNothing(
  faulty: FaultyService,
  { accepted, how }: { readonly accepted: number; readonly how: string },
): Promise<void> {
  const { session, instances } = faulty;
  let longest = 0;
  for (let n = 0; n < accepted; n++) {
    const exchange = await leadFor(faulty, "take").send(`a lead that no target accepts, ${how}`);
    checkAnswer(faulty, { exchange, delivered: undefined });
    longest = Math.max(longest, exchange.answer.ms);
    if (exchange.answer.ms > instances.not_stored_within * 1_000) {
      const message = `a lead that no target accepts is answered too late, ${how}`;
      report(faulty, { message, exchange });
    }
  }
  session.note(`502 after at most ${(longest / 1_000).toFixed(1)} s, ${how}`);
  const beyond = await leadFor(faulty, "take").send(`one lead beyond the limit, ${how}`);
  if (beyond.answer.status !== 429) {
    report(faulty, { message: `the limit is not enforced, ${how}`, exchange: beyond });
  }
  for (const other of session.contract.document.operations) {
    const call = other.bodyRequired ? undefined : exampleCall(session, other);
    if (call === undefined) continue;
    const exchange = await session.send(call, { title: `${other.id}, ${how}` });
    if (exchange.answer.status === 200) continue;
    report(faulty, { message: `${other.id} does not work, ${how}`, exchange });
  }
}
