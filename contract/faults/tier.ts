/**
 * @module The faults tier: a database that is unreachable or silent, targets that fail, a page that
 * fails to render. An answer to a lead keeps its promises meanwhile: `delivered` is true if all targets
 * have the lead; a 502 means that neither storage nor delivery was confirmed.
 */

import { type Exchange, jsonOf } from "../exchange.ts";
import { type Instances, instanceTier, type Scenario } from "../instances.ts";
import { at } from "../profile.ts";
import type { Session, Tier } from "../session.ts";
import { exampleCall } from "../tiers/example_call.ts";
import { checkFailure } from "./failure.ts";
import { type Receiver, startReceiver, startSilentServer } from "./receiver.ts";

/** Nothing listens on a reserved port; a free one may be taken by another process meanwhile. */
const UNREACHABLE = "http://127.0.0.1:2/";

/** How long an answer waits for targets; the rows of instances.yaml count on it. */
const PATIENCE = "500ms";

const TOKEN = "contract-harness-token";

/** Enough for a delivery in the background. */
const SETTLED_MS = 300;

export const faultsTier: Tier = instanceTier({
  name: "faults",
  tries: "a database that is unreachable or silent, targets that fail, a page that fails",
  scenarios({ instances, rules: { operation }, beside }) {
    const receiver = beside.use(startReceiver());
    const silence = beside.use(startSilentServer());
    const { settings, broken, failing } = instances;
    const urls = { receiver: receiver.url, silent: silence.url, unreachable: UNREACHABLE };
    const promises = failing.map((row): Scenario => ({
      env: {
        [settings.patience]: PATIENCE,
        ...row.database && { [settings.database]: urls[row.database], [settings.token]: TOKEN },
        ...row.accepted && { [settings.accepted]: `${row.accepted}/3600s` },
        ...row.targets.length > 0 &&
          { [settings.targets]: row.targets.map((name) => urls[name]).join(" ") },
      },
      check: (session) => checkPromises(session, { row, instances, operation, receiver }),
    }));
    const files = { [broken.file]: broken.text };
    return [...promises, { env: {}, files, check: (session) => checkFailure(session, broken) }];
  },
});

/** Sends the leads of a row; checks every answer, and what has arrived in the end. */
async function checkPromises(session: Session, { row, instances, operation, receiver }: {
  readonly row: Instances["failing"][number];
  readonly instances: Instances;
  readonly operation: string;
  readonly receiver: Receiver;
}): Promise<void> {
  const { operations } = session.contract.document;
  const { path, method } = operations.find(({ id }) => id === operation)!;
  const { stored: { body, by }, delivered, taken } = instances;
  const arriving = new Map<string, Exchange>();
  let [n, mark] = [0, ""];
  function report(fault: string, exchange: Exchange): void {
    const message = `${fault}, ${row.how}`;
    session.report({ check: "promise", where: operation, message, exchange });
  }
  for (const lead of row.leads.flatMap((one) => Array.from({ length: one.times }, () => one))) {
    const { does, again = false, arrives, takes: [least, most] = [0, Infinity] } = lead;
    if (!again) mark = `does-${does} ${n = session.unique()}`;
    const text = JSON.stringify({ ...body, [by]: mark }).replaceAll("{n}", String(n));
    const headers = [["content-type", "application/json"]] as const;
    const title = `a lead whose target does ${does}${again ? ", again" : ""}`;
    const call = { method, path, headers, body: text };
    const exchange = await session.send(call, { title: `${title}, ${row.how}` });
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
  for (const other of operations) {
    const call = other.bodyRequired ? undefined : exampleCall(session, other);
    if (call === undefined) continue;
    const exchange = await session.send(call, { title: `${other.id}, ${row.how}` });
    if (exchange.answer.status !== 200) report(`${other.id} does not work`, exchange);
  }
}
