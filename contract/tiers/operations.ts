/**
 * @module The operations tier: every operation as documented, every parameter and member at its limits
 * and just beyond, and what was created, until it is deleted. Breadth first: the time may be up.
 */

import fc from "fast-check";
import { responseFor } from "../document/document.ts";
import { objectOf } from "../lib/json.ts";
import { type Exchange, pathOf } from "../lib/exchange.ts";
import { tryEdges } from "./operation_edges.ts";
import {
  causeOfDoubt,
  causeOfRefusal,
  isAccepted,
  isRefused,
  Trial,
  TRIAL_RULES,
} from "./trial.ts";
import {
  callFor,
  filled,
  inputsOf,
  type OperationInput,
  requestsOf,
} from "../request/operation_input.ts";
import type { Parts } from "../request/write.ts";
import type { Tier } from "../run/session.ts";
import { CannotGenerate } from "../values/options.ts";
import { attempt, smallestOf } from "../values/values.ts";
import { declareRules } from "../lib/rules.ts";

const RULES = declareRules({
  never_accepted: "coverage: every operation accepts a request",
  created_is_found: "breach: what a create has answered with is found",
  use_after_delete: "breach: what was deleted is not found any more",
});

/** Requests to an operation that answers with a 5XX. */
const MOST_FAILED = 3;

/** Random requests to an operation that has accepted no other. */
const RANDOM = 3;

/** Paths of POSTs that delete what others need. */
const DELETES = /delete|remove|clear|purge|reset/i;

/** Rounds in which operations may profit from what others have created. */
const ROUNDS = 3;

export const operationsTier: Tier = {
  name: "operations",
  tries: "each operation as documented, each value at its limits and beyond, use after delete",
  live: true,
  share: 0.55,
  unable: ({ live, cases }) =>
    live && cases !== undefined ? "the case files have the rows for production" : undefined,
  async run(session) {
    const all = [...inputsOf(session)].map((input) => new Trial(session, input))
      .sort((a, b) => rankOf(a) - rankOf(b));
    // Items are deleted at last, and only those of this run.
    const sent = all.filter(({ operation: { method, path } }) =>
      method !== "DELETE" || !path.includes("{")
    );
    for (let round = 0, known = -1; round < ROUNDS && known < session.pool.count(); round++) {
      known = session.pool.count();
      for (const trial of sent) await reach(trial);
    }
    await tryEdges(session, all);
    all.forEach(reportDoubt);
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

/** Finds a request that the operation accepts: the smallest, an example, everything, any other. */
async function reach(trial: Trial): Promise<void> {
  const { session, input, operation: { id }, base: first, tried } = trial;
  if (trial.accepted !== undefined || session.isOver()) return;
  for (const [says, parts] of candidatesOf(trial)) {
    // A service that fails has one problem, whatever else is sent.
    const isFailing = tried.size >= MOST_FAILED && (trial.refused?.answer.status ?? 0) >= 500;
    const isReached = trial.accepted !== undefined && says === "";
    if (isReached || isFailing || session.isOver()) break;
    const base = filled(input, parts, session);
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
function* candidatesOf(trial: Trial): Generator<readonly [says: string, parts: Parts]> {
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
  const all = attempt(() => withAll(input));
  if (!(all instanceof CannotGenerate)) yield ["the request with every optional part", all];
  yield ["", trial.withOtherTexts()];
  const random = fc.sample(requestsOf(input), { numRuns: RANDOM, seed: session.seed });
  for (const one of random) yield ["", one];
}

/** The smallest request with every optional part and every member of its body. @throws {CannotGenerate} */
function withAll({ schema, options }: OperationInput): Parts {
  const whole = Object.entries(objectOf(schema["properties"])).map(([place, part]) => {
    const rules = objectOf(options.document.resolve(part));
    const required = Object.keys(objectOf(rules["properties"]));
    return [place, required.length === 0 ? part : { allOf: [part, { required }] }] as const;
  });
  const properties = Object.fromEntries(whole);
  const required = Object.keys(properties);
  return smallestOf({ ...schema, properties, required }, options) as Parts;
}

function reportUnreached({ session, operation, accepted, refused }: Trial): void {
  if (accepted !== undefined || (refused === undefined && session.isOver())) return;
  session.pool.causes.add(causeOfRefusal(operation));
  const { status, text } = refused?.answer ?? {};
  const message = refused !== undefined
    ? `no request was accepted: the first answer is ${status} ${text!.slice(0, 80)}`.trim()
    : operation.method === "DELETE"
    ? "not deleted: this run has created nothing that could be"
    : "no request was sent: services differ in how they read its values";
  session.report({ check: RULES.never_accepted, where: operation.id, message, exchange: refused });
}

/** The paths that end in a parameter, the deepest first, so that parents are deleted last. */
function pathsOfItems(all: readonly Trial[]): string[] {
  const items = all.map(({ operation: { path } }) => path).filter((path) => ITEM.test(path));
  return [...new Set(items)].sort((a, b) => b.split("{").length - a.split("{").length);
}

const ITEM = /\/\{[^}/]+\}\/?$/;

/** Creates an item, which can be read then, deletes it, and it cannot be read any more. */
async function tryLife(all: readonly Trial[], item: string): Promise<void> {
  const trialOf = (method: string, path: string) =>
    all.find(({ operation }) =>
      operation.method === method && operation.path.replace(/\/$/, "") === path.replace(/\/$/, "")
    );
  const create = trialOf("POST", item.replace(ITEM, ""));
  const [read, remove] = [trialOf("GET", item), trialOf("DELETE", item)];
  const created = create?.accepted && await send(create, { own: false });
  const first = isAccepted(created) ? await send(read, { own: true }) : undefined;
  const isMissing = first !== undefined && [404, 410].includes(first.answer.status);
  if (isMissing && isSameResource(create!, read!) && isNamed(first, created!)) {
    const says = `what ${create!.operation.id} has created is not found`;
    read!.report(first, { at: "", keyword: "created", check: RULES.created_is_found, says });
  }
  const removed = await send(remove, { own: true });
  // 202: it is deleted later.
  if (!isAccepted(first) || ![200, 204].includes(removed?.answer.status ?? 0)) return;
  const { method, path, headers = [] } = first.call;
  const exchange = await read!.session.send({ method, path, headers }, {
    title: "use after delete",
  });
  if (!isAccepted(exchange) || exchange.answer.text !== first.answer.text) return;
  const says = `what ${remove!.operation.id} has deleted is still there`;
  read!.report(exchange, { at: "", keyword: "deleted", check: RULES.use_after_delete, says });
}

/** Sends an operation, with the ids of what this run has created if it must be its own. */
async function send(
  trial: Trial | undefined,
  { own }: { readonly own: boolean },
): Promise<Exchange | undefined> {
  if (trial === undefined || trial.session.isOver()) return undefined;
  const { input, operation, session } = trial;
  const shown = Object.keys(session.pool.inPath(operation, { own }));
  if (own && shown.length < operation.path.split("{").length - 1) return undefined;
  const parts = filled(input, trial.another(), { ...session, own });
  const exchange = await trial.send(parts, `${operation.id}, from create to delete`);
  if (isAccepted(exchange)) trial.accepted ??= exchange;
  else if (exchange !== undefined) trial.refused ??= exchange;
  return exchange;
}

function isNamed({ call }: Exchange, { answer: { text, headers } }: Exchange): boolean {
  const id = decodeURIComponent(pathOf(call).split("/").at(-1)!);
  return `${headers.get("location")} ${text}`.includes(id);
}

/** Whether a create answers with what the read of one item answers with. */
function isSameResource(create: Trial, read: Trial): boolean {
  const { status } = create.accepted!.answer;
  if (status === 201) return true;
  const [made, shown] = [responseFor(create.operation, status), responseFor(read.operation, 200)]
    .map((rule) => JSON.stringify(rule?.content[0]?.schema));
  return made !== undefined && made === shown;
}
