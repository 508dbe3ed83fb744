/**
 * @module The faults tier. `delivered` is true if all targets have the lead; a 502 means that
 * neither storage nor delivery was confirmed.
 */

import { send } from "../../run/client.ts";
import { type Exchange, jsonOf } from "../../lib/exchange.ts";
import { mismatchesOf } from "../../oracle/check.ts";
import { type Instances, instanceTier } from "./instances.ts";
import { shapeProblems } from "../../oracle/documented.ts";
import { at, objectOf } from "../../lib/json.ts";
import type { Session, Tier } from "../../run/session.ts";
import { chosen, exampleBody, exampleCall } from "../../request/operation_input.ts";
import { type Receiver, startReceiver } from "./receiver.ts";
import { declareRules } from "../../lib/rules.ts";

const RULES = declareRules({
  promise: "breach: the service keeps its promises about leads when parts of it fail",
  failure: "breach: the service answers as documented when parts of it fail",
});

/** Enough for a delivery in the background. */
const SETTLED_MS = 300;

export const faultsTier: Tier = instanceTier({
  name: "faults",
  tries: "a database that is unreachable or silent, targets that fail, a page that fails",
}, ({ instances, rules: { operation }, beside }) => {
  const receiver = beside.use(startReceiver());
  // It accepts connections, and never answers.
  const silence = beside.use(Deno.listen({ hostname: "127.0.0.1", port: 0 }));
  const { broken, failing } = instances;
  const silent = `http://127.0.0.1:${silence.addr.port}/`;
  const fill = (text: string) =>
    text.replace("<receiver>", receiver.url).replace("<silent>", silent);
  const promises = failing.map((row) => ({
    env: Object.fromEntries(Object.entries(row.env).map(([name, text]) => [name, fill(text)])),
    check: (session: Session) => checkRow(session, { row, instances, operation, receiver }),
  }));
  const files = { [broken.file]: broken.text };
  return [...promises, { env: {}, files, check: (session) => checkFailure(session, broken) }];
});

async function checkRow(session: Session, { row, instances, operation, receiver }: {
  readonly row: Instances["failing"][number];
  readonly instances: Instances;
  readonly operation: string;
  readonly receiver: Receiver;
}): Promise<void> {
  const { operations } = session.contract.document;
  const target = operations.find(({ id }) => id === operation)!;
  const { path, method } = target;
  const { stored: { body, by }, delivered } = instances;
  const arriving = new Map<string, Exchange>();
  let [n, mark] = [0, ""];
  function report(problem: string, exchange: Exchange): void {
    session.report(RULES.promise, `${problem}, ${row.how}`, { where: operation, exchange });
  }
  for (const lead of row.leads) {
    const { does, again = false, arrives, takes: [least, most] } = lead;
    if (!again) mark = `does-${does} ${n = session.unique()}`;
    const valid = objectOf(exampleBody(session, target));
    const text = JSON.stringify({ ...valid, ...body, [by]: mark }).replaceAll("{n}", String(n));
    const headers = [["content-type", "application/json"]] as const;
    const title = `a lead whose target does ${does}${again ? ", again" : ""}`;
    const call = { method, path, headers, body: text };
    const exchange = await session.send(call, { title: `${title}, ${row.how}` });
    const { status, ms } = exchange.answer;
    const isDelivered = at(jsonOf(exchange.answer), delivered) === true;
    const got = status === 200 ? `200 ${isDelivered ? "delivered" : "stored"}` : String(status);
    if (got !== lead.want) report(`${title}: got ${got} instead of ${lead.want}`, exchange);
    if (ms < least * 1_000 || ms > most * 1_000) {
      report(`${title}: answered too early or late`, exchange);
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
  for (const other of operations.filter(({ bodyRequired }) => !bodyRequired)) {
    const call = exampleCall(session, other);
    const exchange = call && await session.send(call, { title: `${other.id}, ${row.how}` });
    if (exchange && exchange.answer.status !== 200) report(`${other.id} does not work`, exchange);
  }
}

async function checkFailure(session: Session, broken: Instances["broken"]): Promise<void> {
  const { base, tier } = session;
  // Browsers get a page, other clients a JSON error.
  for (const accept of ["text/html", "text/markdown"]) {
    const title = `a page that fails to render, accepting ${accept}`;
    const paths = broken.fails.flatMap((path) => chosen(path, session.contract));
    const calls = paths.flatMap((path) =>
      ["GET", "HEAD"].map((method) => ({ method, path, headers: [["accept", accept]] as const }))
    );
    for (const call of calls) {
      // No document lists a 500, so the oracle does not see it.
      const exchange = { base, tier, call, answer: await send(base, call), title };
      for (const problem of failureProblems(exchange, { session, broken })) {
        session.report(RULES.failure, `${title}: ${problem}`, { where: "pages", exchange });
      }
    }
  }
  for (const path of broken.works) {
    const title = "a path that needs no page";
    const exchange = await session.send({ method: "GET", path }, { title });
    if (exchange.answer.status === 200) continue;
    const message = "it does not work while a page fails to render";
    session.report(RULES.failure, message, { exchange });
  }
}

function failureProblems(
  { call, answer }: Exchange,
  { session, broken }: { readonly session: Session; readonly broken: Instances["broken"] },
): string[] {
  const { profile, schemas } = session.contract;
  const isHead = call.method === "HEAD";
  const isPage = call.headers?.[0]?.[1] === "text/html";
  const type = isPage ? "text/html" : "application/json";
  const code = isPage || isHead ? undefined : broken.code;
  const problems = mismatchesOf(answer, { want: { status: "500", type, code }, profile });
  if (answer.status !== 500) return problems;
  const id = answer.headers.get(broken.id);
  if (id === null) problems.push(`500 lacks ${broken.id}`);
  const received = `${answer.text}\n${[...answer.headers].flat().join("\n")}`;
  if (broken.hidden.some((word) => received.includes(word))) problems.push("500 reveals the fault");
  // Visitors quote the id when they report the failure.
  const isShown = id === null || answer.text.includes(id);
  if (isPage && !isHead && !isShown) problems.push(`500 does not show its ${broken.id}`);
  const rules = isPage || isHead ? undefined : profile.errors;
  const shape = rules && shapeProblems(jsonOf(answer), { rules, schemas });
  return [...problems, ...shape?.map((problem) => `500: ${problem}`) ?? []];
}
