/** @module The operations tier: each as documented, at its limits, then the life of items. */

import fc from "fast-check";
import pMap from "p-map";
import { checkRequired } from "./credentials.ts";
import { pathsOfItems, tryLife } from "./life.ts";
import { tryEdges } from "./operation_edges.ts";
import {
  causeOfDoubt,
  causeOfRefusal,
  isAccepted,
  isRefused,
  Trial,
  TRIAL_RULES,
} from "./trial.ts";
import { callFor, filled, inputsOf, requestsOf, unknownIds } from "../request/operation_input.ts";
import type { Parts } from "../request/write.ts";
import type { Session, Tier } from "../run/session.ts";
import { declareRules } from "../lib/rules.ts";

const RULES = declareRules({
  never_accepted: "coverage: every operation accepts a request",
  unknown_is_absent: "advice: an id that nothing has gets the documented 404",
});

/** Requests to an operation that answers with a 5XX. */
const MOST_FAILED = 3;

/** Random requests to an operation that has accepted no other. */
const RANDOM = 3;

/** Paths of POSTs that delete what others need. */
const DELETES = /delete|remove|clear|purge|reset/i;

/** Requests to an operation that are tried before those of the next: documents may be large. */
const FIRST = 2;
/** With more operations, some of which are slow, several are tried at once, with one request each. */
const LARGE = 200;
const WORKERS = 6;

/** Rounds in which operations may profit from what others have created. */
const ROUNDS = 3;

export const operationsTier: Tier = {
  name: "operations",
  tries: "each operation as documented, each value at its limits and beyond, use after delete",
  live: true,
  share: 0.65,
  unable: ({ live, cases }) =>
    live && cases !== undefined ? "the case files have the rows for production" : undefined,
  async run(session) {
    const all = [...inputsOf(session)].map((input) => new Trial(session, input))
      .sort((a, b) => rankOf(a) - rankOf(b));
    // Items are deleted at last, and only those of this run.
    const sent = all.filter(({ operation: { method, path } }) =>
      method !== "DELETE" || !path.includes("{")
    );
    for (let round = 0, known = -1; round < ROUNDS; round++) {
      if (round > 1 && known === session.pool.count()) break;
      known = session.pool.count();
      await reachAll(session, { sent, isFirst: round === 0 });
    }
    for (const trial of all) {
      if (!session.isOver()) await tryIds(trial);
    }
    await tryEdges(session, all);
    all.forEach(reportDoubt);
    for (const trial of all) {
      const { operation, accepted } = trial;
      const call = accepted && operation.method !== "DELETE" && trial.callOf(trial.another());
      if (call && !session.isOver()) await checkRequired(session, { operation, call });
    }
    for (const path of pathsOfItems(all)) await tryLife(all, path);
    all.forEach(reportUnreached);
    const left = all.filter((trial) => trial.tried.size === 0 && trial.accepted === undefined);
    if (session.isOver() && left.length > 0) {
      session.note(`${left.length} operations not reached: the time was up`);
    }
  },
};

/** Creates before reads before updates before deletes, parents before children. */
function rankOf({ operation: { method, path } }: Trial): number {
  return (method === "DELETE" || DELETES.test(path) ? 1_000 : 0) + path.split("{").length * 10 +
    ["POST", "GET", "HEAD", "PUT", "PATCH"].indexOf(method);
}

async function reachAll(
  session: Session,
  { sent, isFirst }: { readonly sent: readonly Trial[]; readonly isFirst: boolean },
): Promise<void> {
  const isLarge = isFirst && sent.length > LARGE && !session.live;
  const most = isLarge ? 1 : isFirst ? FIRST : Infinity;
  await pMap(sent, (trial, index) => {
    session.progress(index, sent.length);
    return reach(trial, most);
  }, { concurrency: isLarge ? WORKERS : 1 });
}

/** Finds a request that the operation accepts: the smallest, an example, everything, any other. */
async function reach(trial: Trial, most: number): Promise<void> {
  const { session, input, operation: { id }, base: first, tried } = trial;
  if (trial.accepted !== undefined || session.isOver()) return;
  for (const [says, parts, other = false] of candidatesOf(trial)) {
    // A service that fails has one problem, whatever else is sent.
    const isFailing = tried.size >= MOST_FAILED && (trial.refused?.answer.status ?? 0) >= 500;
    const isReached = trial.accepted !== undefined && says === "";
    if (tried.size >= most && trial.accepted === undefined) break;
    if (isReached || isFailing || session.isOver()) break;
    const base = filled(input, parts, { ...session, other });
    if (parts === first) trial.base = base;
    const call = callFor(input, base);
    if (call === undefined || tried.has(JSON.stringify(call))) continue;
    tried.add(JSON.stringify(call));
    const exchange = await session.send(call, { title: `${id}, as documented` });
    if (!isAccepted(exchange)) {
      trial.refused ??= exchange;
      if (says !== "" && isRefused(exchange)) trial.doubts.push([says, exchange]);
    } else if (trial.accepted === undefined) {
      trial.accepted = exchange;
      trial.base = base;
    }
  }
  // What was accepted before may be refused now: a name is taken.
  const isSure = trial.accepted !== undefined && trial.doubts.length > 0 && await trial.accepts();
  if (!isSure) trial.doubts = [];
}

/** The first doubt, unless a refused part explains it. */
function reportDoubt(trial: Trial): void {
  const [[says, exchange] = []] = trial.doubts;
  const { operation, session: { pool } } = trial;
  if (exchange === undefined || pool.causes.has(causeOfDoubt(operation))) return;
  const rule = { at: "", keyword: "", check: TRIAL_RULES.undocumented_rule };
  trial.report(exchange, { ...rule, says: `${says} fits the document` });
}

/** Requests that fit the document; those of which a refusal tells something have a name. */
function* candidatesOf(
  trial: Trial,
): Generator<readonly [says: string, parts: Parts, other?: boolean]> {
  const { session, input, base } = trial;
  yield ["", base];
  const parts = { ...base };
  for (const { in: place, name, example } of input.operation.parameters) {
    if (example === undefined || place === "header") continue;
    const key = place as "query";
    parts[key] = { ...parts[key], [name]: example };
  }
  for (const body of input.media?.examples ?? []) yield ["an example", { ...parts, body }];
  yield ["an example", parts];
  const all = trial.withAll();
  if (all !== undefined) yield ["the request with every optional part", all];
  yield ["", trial.withOtherTexts()];
  const random = fc.sample(requestsOf(input), { numRuns: RANDOM, seed: session.seed });
  for (const one of random) yield ["", one];
  for (const one of [base, trial.withOtherTexts()]) yield ["", one, true];
}

/** An id that nothing has, and one that is too large: refused as documented, and no failure. */
async function tryIds(trial: Trial): Promise<void> {
  const { input, session, operation } = trial;
  if (!operation.path.includes("{")) return;
  const parts = unknownIds(input, trial.base, session.unique);
  const exchange = await trial.send(parts, "an id that nothing has");
  const isAbsent = operation.responses.some(({ status }) => status === "404");
  if (isAccepted(exchange) && isAbsent && operation.method === "GET") {
    const rule = { at: "/path", keyword: "unknown", check: RULES.unknown_is_absent };
    trial.report(exchange, { ...rule, says: "an id that nothing has is answered" });
  }
  const large = Object.entries(parts.path ?? {}).map(([name, value]) =>
    [name, typeof value === "number" ? 2 ** 63 : `${value}`.padEnd(LONG, "z")] as const
  );
  const whole = { ...parts, path: Object.fromEntries(large) };
  const isFine = input.options.isValid(input.schema, whole);
  if (isFine) await trial.send(whole, "an id that is too large");
}

const LONG = 300;

function reportUnreached({ session, operation, accepted, refused }: Trial): void {
  if (accepted !== undefined || (refused === undefined && session.isOver())) return;
  session.pool.causes.add(causeOfRefusal(operation));
  const { status, text } = refused?.answer ?? {};
  const message = refused !== undefined
    ? `no request was accepted: the first answer is ${status} ${text!.slice(0, 80)}`.trim()
    : operation.method === "DELETE"
    ? "not deleted: this run has created nothing that could be"
    : "no request was sent: services differ in how they read its values";
  session.report(RULES.never_accepted, message, { where: operation.id, exchange: refused });
}
