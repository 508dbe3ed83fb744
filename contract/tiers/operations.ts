/**
 * @module The operations tier: every operation as documented, every parameter and member at its limits
 * and just beyond, and what was created, until it is deleted. Breadth first: the time may be up.
 */

import fc from "fast-check";
import { type JsonObject, objectOf } from "../document.ts";
import type { Exchange } from "../exchange.ts";
import { tryEdges } from "../operations/edges.ts";
import { pathsOfItems, tryLife } from "../operations/life.ts";
import {
  type Context,
  isAccepted,
  isOver,
  REFUSALS,
  report,
  type Trial,
  withOtherTexts,
} from "../operations/trial.ts";
import {
  callFor,
  causeOfRefusal,
  filled,
  intakeOf,
  optionsOf,
  reportUnknown,
  requestsOf,
} from "../request/intake.ts";
import type { Parts } from "../request/write.ts";
import type { Tier } from "../session.ts";
import { CannotGenerate, type ValueOptions } from "../values/options.ts";
import { smallestOf } from "../values/values.ts";

/** Requests to an operation that answers with a 5XX. */
const MOST_FAILED = 3;

/** Random requests to an operation that has accepted no other. */
const RANDOM = 3;

/** The longest time for a service of which nothing but the document is known. */
const TIME_MS = 50_000;

/** Rounds in which operations may profit from what others have created. */
const ROUNDS = 3;

export const operationsTier: Tier = {
  name: "operations",
  tries: "each operation as documented, each value at its limits and beyond, use after delete",
  live: true,
  unable: ({ live, cases }) =>
    live && cases !== undefined ? "the case files have the rows for production" : undefined,
  async run(session) {
    const until = session.cases === undefined ? performance.now() + TIME_MS : Infinity;
    const context = { session, options: optionsOf(session), until };
    const trials = trialsOf(context);
    // Items are deleted at last, and only those of this run.
    const sent = trials.filter(({ intake: { operation: { method, path } } }) =>
      method !== "DELETE" || !path.includes("{")
    );
    for (let round = 0, known = -1; round < ROUNDS && known < session.known.count(); round++) {
      known = session.known.count();
      for (const trial of sent) await reach(context, trial);
    }
    await tryEdges(context, trials);
    for (const path of pathsOfItems(trials)) await tryLife(context, { path, trials });
    for (const trial of trials) reportUnreached(context, trial);
    const left = trials.filter((trial) => trial.tried.size === 0 && trial.accepted === undefined);
    if (isOver(context) && left.length > 0) {
      session.note(`${left.length} operations not reached: the time was up`);
    }
  },
};

/** Creates before reads before updates before deletes, parents before children. */
function trialsOf({ session, options }: Context): Trial[] {
  const { operations } = session.contract.document;
  const permitted = operations.filter((operation) => session.permits(operation) === undefined);
  const trials = permitted.flatMap((operation): Trial[] => {
    try {
      const intake = intakeOf(operation, options);
      for (const reason of intake.omitted) reportUnknown(session, { operation, reason });
      const base = smallestOf(intake.schema, options) as Parts;
      return [{ intake, base, tried: new Set() }];
    } catch (error) {
      if (!(error instanceof CannotGenerate)) throw error;
      reportUnknown(session, { operation, reason: error.message });
      return [];
    }
  });
  const rank = ({ intake: { operation: { method, path } } }: Trial) =>
    (method === "DELETE" ? 1_000 : 0) + path.split("{").length * 10 +
    ["POST", "GET", "HEAD", "PUT", "PATCH"].indexOf(method);
  return trials.sort((a, b) => rank(a) - rank(b));
}

/** Finds a request that the operation accepts: the smallest, an example, everything, any other. */
async function reach(context: Context, trial: Trial): Promise<void> {
  const { session, options } = context;
  const { intake, base: first } = trial;
  const { operation } = intake;
  const refused: (readonly [says: string, exchange: Exchange])[] = [];
  if (trial.accepted !== undefined || isOver(context)) return;
  for (const [says, parts] of candidatesOf(context, trial)) {
    // A service that fails has one fault, whatever else is sent.
    const isFailing = trial.tried.size >= MOST_FAILED &&
      (trial.refused?.answer.status ?? 0) >= 500;
    const isReached = trial.accepted !== undefined && says === "";
    if (isReached || isFailing || isOver(context)) break;
    const base = filled(intake, { parts, known: session.known, options, own: false });
    if (parts === first) trial.base = base;
    const call = callFor(intake, base, session.contract);
    if (call === undefined || trial.tried.has(JSON.stringify(call))) continue;
    trial.tried.add(JSON.stringify(call));
    const exchange = await session.send(call, { title: `${operation.id}, as documented` });
    if (!isAccepted(exchange)) {
      trial.refused ??= exchange;
      refused.push([says, exchange]);
    } else if (trial.accepted === undefined) {
      trial.accepted = exchange;
      trial.base = base;
    }
  }
  const doubts = refused.filter(([says, { answer }]) =>
    says !== "" && REFUSALS.includes(answer.status)
  );
  if (trial.accepted === undefined || doubts.length === 0) return;
  // What was accepted before may be refused now: a name is taken.
  const title = `${operation.id}, as accepted before`;
  if (!isAccepted(await session.send(trial.accepted.call, { title }))) return;
  for (const [says, exchange] of doubts) {
    const { status } = exchange.answer;
    const message = `${says} fits the document, and the answer is ${status}`;
    const edge = { at: "", keyword: says };
    report(session, { trial, edge, check: "undocumented_rule", message, exchange });
  }
}

/** Requests that fit the document; those of which a refusal tells something have a name. */
function candidatesOf(context: Context, trial: Trial): (readonly [says: string, parts: Parts])[] {
  const { session: { seed }, options } = context;
  const { intake, base } = trial;
  const { operation, media, schema } = intake;
  const parts = { ...base };
  for (const { in: place, name, example } of operation.parameters) {
    if (example === undefined || place === "header") continue;
    const key = place as "query";
    parts[key] = { ...parts[key], [name]: example };
  }
  const examples = (media?.examples ?? []).map((body) => ({ ...parts, body }));
  const all = withAll(schema, options);
  const random = fc.sample(requestsOf(intake, options), { numRuns: RANDOM, seed });
  return [
    ["", base],
    ...[...examples, parts].map((one) => ["an example", one] as const),
    ...(all === undefined ? [] : [["the request with every optional part", all] as const]),
    ...[...random, withOtherTexts(context, trial)].map((one) => ["", one] as const),
  ];
}

/** The smallest request with every optional part and every member of its body. */
function withAll(schema: JsonObject, options: ValueOptions): Parts | undefined {
  const properties = objectOf(schema["properties"]);
  const whole = Object.entries(properties).map(([place, part]) => {
    const rules = objectOf(options.document.resolve(part));
    const names = Object.keys(objectOf(rules["properties"]));
    return [place, names.length === 0 ? part : { allOf: [part, { required: names }] }] as const;
  });
  try {
    return smallestOf({
      ...schema,
      properties: Object.fromEntries(whole),
      required: Object.keys(properties),
    }, options) as Parts;
  } catch (error) {
    if (!(error instanceof CannotGenerate)) throw error;
    return undefined;
  }
}

/** What a message quotes of an answer. */
const QUOTED = 80;

function reportUnreached(
  context: Context,
  { intake: { operation }, accepted, refused }: Trial,
): void {
  const { session } = context;
  if (accepted !== undefined || (refused === undefined && isOver(context))) return;
  session.known.causes.add(causeOfRefusal(operation));
  const { status = 0, text = "" } = refused?.answer ?? {};
  const message = refused === undefined
    ? operation.method === "DELETE"
      ? "not deleted: this run has created nothing that could be"
      : "no request was sent: services differ in how they read its values"
    : `no request was accepted: the first answer is ${status} ${text.slice(0, QUOTED)}`.trim();
  session.report({ check: "never_accepted", where: operation.id, message, exchange: refused });
}
