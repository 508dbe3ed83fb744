/**
 * @module The operations tier: every operation as documented, every parameter and member at its limits
 * and just beyond, and what was created, until it is deleted. Breadth first: the time may be up.
 */

import fc from "fast-check";
import { type JsonObject, objectOf } from "../document.ts";
import { tryEdges } from "../operations/edges.ts";
import { pathsOfItems, tryLife } from "../operations/life.ts";
import {
  type Context,
  isAccepted,
  isOver,
  type Trial,
  withOtherTexts,
} from "../operations/trial.ts";
import {
  callFor,
  causeOfRefusal,
  filled,
  type Intake,
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
    const sent = trials.filter(({ intake }) => intake.operation.method !== "DELETE");
    for (let round = 0, known = -1; round < ROUNDS && known < session.known.count(); round++) {
      known = session.known.count();
      for (const trial of sent) await reach(context, trial);
    }
    await tryEdges(context, trials);
    for (const path of pathsOfItems(trials)) await tryLife(context, { path, trials });
    for (const trial of trials) reportUnreached(context, trial);
  },
};

/** Creates before reads before updates before deletes, parents before children. */
function trialsOf({ session, options }: Context): Trial[] {
  const refusals = new Map<string, number>();
  const trials = session.contract.document.operations.flatMap((operation): Trial[] => {
    const { method, path } = operation;
    const reason = session.permits({ method, path });
    if (reason !== undefined) {
      refusals.set(reason, (refusals.get(reason) ?? 0) + 1);
      return [];
    }
    try {
      const intake = intakeOf(operation, options);
      for (const reason of intake.omitted) reportUnknown(session, { operation, reason });
      const base = smallestOf(intake.schema, options) as Parts;
      return [{ intake, base, edges: [], tried: new Set() }];
    } catch (error) {
      if (!(error instanceof CannotGenerate)) throw error;
      reportUnknown(session, { operation, reason: error.message });
      return [];
    }
  });
  for (const [reason, count] of refusals) session.note(`${count} operations not sent: ${reason}`);
  const rank = ({ intake: { operation: { method, path } } }: Trial) =>
    (method === "DELETE" ? 1_000 : 0) + path.split("{").length * 10 +
    ["POST", "GET", "HEAD", "PUT", "PATCH"].indexOf(method);
  return trials.sort((a, b) => rank(a) - rank(b));
}

/** Finds a request that the operation accepts: the smallest, an example, or everything. */
async function reach(context: Context, trial: Trial): Promise<void> {
  const { session, options } = context;
  const { intake } = trial;
  const { operation } = intake;
  const { known, seed } = session;
  const first = trial.base;
  const candidates = [
    ...candidatesOf(intake, { base: first, options, seed }),
    withOtherTexts(context, trial),
  ];
  for (const parts of candidates) {
    // A service that fails has one fault, whatever else is sent.
    const isFailing = trial.tried.size >= MOST_FAILED && trial.refused!.answer.status >= 500;
    if (trial.accepted !== undefined || isFailing || isOver(context)) return;
    const base = filled(intake, { parts, known, options, own: false });
    if (parts === first) trial.base = base;
    const call = callFor(intake, base, session.contract);
    if (call === undefined || trial.tried.has(JSON.stringify(call))) continue;
    trial.tried.add(JSON.stringify(call));
    const exchange = await session.send(call, { title: `${operation.id}, as documented` });
    if (isAccepted(exchange)) Object.assign(trial, { accepted: exchange, base });
    else trial.refused ??= exchange;
  }
}

/** Requests that fit the document: the smallest, the examples, every optional part, random ones. */
function candidatesOf(intake: Intake, { base, options, seed }: {
  readonly base: Parts;
  readonly options: ValueOptions;
  readonly seed: number;
}): Parts[] {
  const { operation, media, schema } = intake;
  const parts = { ...base };
  for (const { in: place, name, example } of operation.parameters) {
    if (example === undefined || place === "header") continue;
    const key = place as "query";
    parts[key] = { ...parts[key], [name]: example };
  }
  const examples = (media?.examples ?? []).map((body) => ({ ...parts, body }));
  const all = withAll(schema, options);
  return [
    base,
    ...examples,
    ...(examples.length === 0 ? [parts] : []),
    ...(all === undefined ? [] : [all]),
    ...fc.sample(requestsOf(intake, options), { numRuns: RANDOM, seed }),
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
  { session }: Context,
  { intake: { operation }, accepted, refused }: Trial,
) {
  if (accepted !== undefined) return;
  session.known.causes.add(causeOfRefusal(operation));
  const { status = 0, text = "" } = refused?.answer ?? {};
  const message = refused === undefined
    ? operation.method === "DELETE"
      ? "not deleted: this run has created nothing that could be"
      : "no request was sent: no value for its path, or no time"
    : `no request was accepted: the first answer is ${status} ${text.slice(0, QUOTED)}`.trim();
  session.report({ check: "never_accepted", where: operation.id, message, exchange: refused });
}
