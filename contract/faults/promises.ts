/**
 * @module Checks the promises of an answer to a lead while targets or the database fail: `delivered`
 * is true if all targets have the lead; a 502 means that neither storage nor delivery was confirmed.
 */

import { type Exchange, jsonOf } from "../exchange.ts";
import type { Instances } from "../instances.ts";
import { at } from "../profile.ts";
import type { Session } from "../session.ts";
import { exampleCall } from "../tiers/example_call.ts";
import type { Receiver } from "./receiver.ts";

/** Enough for a delivery in the background. */
const SETTLED_MS = 300;

/** An instance with faults around it. */
export interface FaultyService {
  readonly session: Session;
  readonly instances: Instances;
  readonly operation: string;
}

type Failing = Instances["failing"][number];

/** Sends the leads of a row; checks every answer, and what has arrived in the end. */
export async function checkPromises(
  { session, instances, operation: where }: FaultyService,
  { failing: { how, leads, others }, receiver }: {
    readonly failing: Failing;
    readonly receiver: Receiver;
  },
): Promise<void> {
  const { operations } = session.contract.document;
  const { path, method } = operations.find(({ id }) => id === where)!;
  const { body, by } = instances.stored;
  const sent: {
    readonly mark: string;
    readonly arrives: "once" | undefined;
    readonly exchange: Exchange;
  }[] = [];
  function report(message: string, exchange: Exchange): void {
    session.report({ check: "promise", where, message: `${message}, ${how}`, exchange });
  }
  for (const lead of leads.flatMap((one) => Array.from({ length: one.times }, () => one))) {
    const { does, again = false, arrives, takes: [least, most] = [0, Infinity] } = lead;
    const n = session.unique();
    const mark = again ? sent.at(-1)!.mark : `does-${does} ${n}`;
    const text = JSON.stringify({ ...body, [by]: mark }).replaceAll("{n}", mark.split(" ")[1]!);
    const title = `a lead whose target does ${does}${again ? ", again" : ""}`;
    const headers = [["content-type", "application/json"]] as const;
    const call = { method, path, headers, body: text };
    const exchange = await session.send(call, { title: `${title}, ${how}` });
    const got = outcomeOf(exchange, instances);
    if (got !== lead.want) report(`${title}: got ${got} instead of ${lead.want}`, exchange);
    const seconds = exchange.answer.ms / 1_000;
    if (seconds < least || seconds > most) report(`${title}: answered too early or late`, exchange);
    for (const pointer of got.startsWith("200") ? untaken(exchange, instances) : []) {
      report(`a lead is accepted, but ${pointer} is wrong`, exchange);
    }
    if (got === "200 delivered" && receiver.count(mark) !== 1) {
      report("a lead reported as delivered did not arrive exactly once", exchange);
    }
    sent.push({ mark, arrives, exchange });
  }
  await new Promise((done) => setTimeout(done, SETTLED_MS));
  for (const { mark, arrives, exchange } of sent) {
    if (arrives === undefined || receiver.count(mark) === 1) continue;
    report("a lead does not arrive exactly once", exchange);
  }
  if (others === "work") await checkOthers(session, { how, where });
}

/** The status, and for a 200 whether the lead is reported as delivered. */
function outcomeOf({ answer }: Exchange, { delivered }: Instances): string {
  if (answer.status !== 200) return String(answer.status);
  return `200 ${at(jsonOf(answer), delivered) === true ? "delivered" : "stored"}`;
}

/** Where the answer to an accepted lead has another value than it must have. */
function untaken({ answer }: Exchange, { taken }: Instances): string[] {
  const body = jsonOf(answer);
  return Object.keys(taken).filter((pointer) => at(body, pointer) !== taken[pointer]);
}

/** What needs no lead works. */
async function checkOthers(
  session: Session,
  { how, where }: { readonly how: string; readonly where: string },
): Promise<void> {
  for (const other of session.contract.document.operations) {
    const call = other.bodyRequired ? undefined : exampleCall(session, other);
    if (call === undefined) continue;
    const exchange = await session.send(call, { title: `${other.id}, ${how}` });
    if (exchange.answer.status === 200) continue;
    const message = `${other.id} does not work, ${how}`;
    session.report({ check: "promise", where, message, exchange });
  }
}
