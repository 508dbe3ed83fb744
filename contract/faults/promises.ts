/**
 * @module Checks the promises of an answer to a lead while targets or the database fail: `delivered`
 * is true if all targets have the lead; a 502 means that neither storage nor delivery was confirmed.
 */

import { type Exchange, jsonOf } from "../exchange.ts";
import type { Instances } from "../instances.ts";
import { at } from "../profile.ts";
import type { Session } from "../session.ts";
import { exampleCall } from "../request/intake.ts";
import type { Receiver } from "./receiver.ts";

/** Enough for a delivery in the background. */
const SETTLED_MS = 300;

/** An instance with faults around it. */
interface FaultyService {
  readonly session: Session;
  readonly instances: Instances;
  readonly operation: string;
  readonly receiver: Receiver;
}

/** Sends the leads of a row; checks every answer, and what has arrived in the end. */
export async function checkPromises(
  { session, instances, operation: where, receiver }: FaultyService,
  { how, leads, others }: Instances["failing"][number],
): Promise<void> {
  const { operations } = session.contract.document;
  const { path, method } = operations.find(({ id }) => id === where)!;
  const { stored: { body, by }, delivered, taken } = instances;
  const arriving = new Map<string, Exchange>();
  let mark = "";
  function report(message: string, exchange: Exchange): void {
    session.report({ check: "promise", where, message: `${message}, ${how}`, exchange });
  }
  for (const lead of leads.flatMap((one) => Array.from({ length: one.times }, () => one))) {
    const { does, again = false, arrives, takes: [least, most] = [0, Infinity] } = lead;
    const n = session.unique();
    if (!again) mark = `does-${does} ${n}`;
    const text = JSON.stringify({ ...body, [by]: mark }).replaceAll("{n}", mark.split(" ")[1]!);
    const title = `a lead whose target does ${does}${again ? ", again" : ""}`;
    const headers = [["content-type", "application/json"]] as const;
    const call = { method, path, headers, body: text };
    const exchange = await session.send(call, { title: `${title}, ${how}` });
    const { status, ms } = exchange.answer;
    const answer = jsonOf(exchange.answer);
    const outcome = at(answer, delivered) === true ? "200 delivered" : "200 stored";
    const got = status === 200 ? outcome : String(status);
    if (got !== lead.want) report(`${title}: got ${got} instead of ${lead.want}`, exchange);
    if (ms < least * 1_000 || ms > most * 1_000) {
      report(`${title}: answered too early or late`, exchange);
    }
    for (const [pointer, value] of status === 200 ? Object.entries(taken) : []) {
      if (at(answer, pointer) === value) continue;
      report(`a lead is accepted, but ${pointer} is wrong`, exchange);
    }
    if (got === "200 delivered" && receiver.count(mark) !== 1) {
      report("a lead reported as delivered did not arrive exactly once", exchange);
    }
    if (arrives !== undefined) arriving.set(mark, exchange);
  }
  await new Promise((done) => setTimeout(done, SETTLED_MS));
  for (const [mark, exchange] of arriving) {
    if (receiver.count(mark) !== 1) report("a lead does not arrive exactly once", exchange);
  }
  // What needs no lead works.
  for (const other of others === "work" ? operations : []) {
    const call = other.bodyRequired ? undefined : exampleCall(session, other);
    if (call === undefined) continue;
    const exchange = await session.send(call, { title: `${other.id}, ${how}` });
    if (exchange.answer.status !== 200) report(`${other.id} does not work`, exchange);
  }
}
