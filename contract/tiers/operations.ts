/**
 * @module The operations tier: every operation as documented, every parameter and member at its limits
 * and just beyond, and what was created, until it is deleted. Breadth first: the time may be up.
 */

import fc from "fast-check";
import {
  isJsonType,
  type Json,
  type JsonObject,
  mediaFor,
  objectOf,
  responseFor,
} from "../document.ts";
import { type Call, type Exchange, jsonOf } from "../exchange.ts";
import { at as valueAt } from "../profile.ts";
import {
  callFor,
  causeOf,
  causeOfRefusal,
  filled,
  type Intake,
  intakeOf,
  isBroken,
  isOfPart,
  optionsOf,
  reportUnknown,
  saysOf,
} from "../request/intake.ts";
import type { Parts } from "../request/write.ts";
import type { Session, Tier } from "../session.ts";
import { type Edge, edgesOf } from "../values/edges.ts";
import { CannotGenerate, type ValueOptions } from "../values/options.ts";
import { smallestOf } from "../values/smallest.ts";
import { valuesOf } from "../values/values.ts";

interface Trial {
  readonly intake: Intake;
  /** The request that the others are changes of. */
  base: Parts;
  /** Its answer, if it was accepted. */
  accepted?: Exchange;
  refused?: Exchange;
  edges: readonly Edge[];
}

interface Context {
  readonly session: Session;
  readonly options: ValueOptions;
}

/** Edges of an operation that are tried before those of the next operation. */
const SLICE = 25;

/** Random requests to an operation that has accepted no other. */
const RANDOM = 3;

/** Rounds in which operations may profit from what others have created. */
const ROUNDS = 3;

export const operationsTier: Tier = {
  name: "operations",
  tries: "each operation as documented, each value at its limits and beyond, use after delete",
  live: true,
  unable: ({ live, cases }) =>
    live && cases !== undefined ? "the case files have the rows for production" : undefined,
  async run(session) {
    const context = { session, options: optionsOf(session) };
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
      return [{ intake, base, edges: [] }];
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
async function reach({ session, options }: Context, trial: Trial): Promise<void> {
  const { intake } = trial;
  const { operation } = intake;
  const { known, seed } = session;
  for (
    const [index, parts] of candidatesOf(intake, { base: trial.base, options, seed }).entries()
  ) {
    if (trial.accepted !== undefined || session.isOver?.()) return;
    const base = filled(intake, { parts, known, options, own: false });
    if (index === 0) trial.base = base;
    const call = callFor(intake, base, session.contract);
    if (call === undefined) continue;
    const exchange = await session.send(call, { title: `${operation.id}, as documented` });
    if (isAccepted(exchange)) Object.assign(trial, { accepted: exchange, base });
    else trial.refused ??= exchange;
  }
}

function isAccepted({ answer: { status } }: Exchange): boolean {
  return status >= 200 && status < 400;
}

/** Requests that fit the document: the smallest, the examples, every optional part, random ones. */
function candidatesOf({ operation, media, schema }: Intake, { base, options, seed }: {
  readonly base: Parts;
  readonly options: ValueOptions;
  readonly seed: number;
}): Parts[] {
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
    ...fc.sample(valuesOf(schema, options), { numRuns: RANDOM, seed }) as Parts[],
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

/** The edges of all operations, some of each in turn. */
async function tryEdges(context: Context, trials: readonly Trial[]): Promise<void> {
  const { session, options } = context;
  for (const trial of trials) trial.edges = edgesOf(trial.intake.schema, options);
  const most = Math.max(0, ...trials.map(({ edges }) => edges.length));
  // What was never accepted can only show that it accepts too much.
  const sorted = trials.toSorted((a, b) =>
    Number(b.accepted !== undefined) - Number(a.accepted !== undefined)
  );
  for (let start = 0; start < most; start += SLICE) {
    for (const [index, trial] of sorted.entries()) {
      session.progress(start * sorted.length + index, most * sorted.length);
      const left = trial.edges.slice(start);
      if (session.isOver?.()) return noteLeft(session, { trials, start });
      if (start === 0) await tryBodies(session, trial);
      for (const edge of left.slice(0, SLICE)) await tryEdge(context, { trial, edge });
    }
  }
}

function noteLeft(session: Session, { trials, start }: {
  readonly trials: readonly Trial[];
  readonly start: number;
}): void {
  const left = trials.filter(({ edges }) => edges.length > start).length;
  session.note(`values at limits of ${left} operations were not all tried: the time was up`);
}

/** Statuses that refuse what was sent; others have other reasons, such as 404, 405 and 429. */
const REFUSALS = [400, 413, 414, 415, 422];

async function tryEdge(context: Context, { trial, edge }: {
  readonly trial: Trial;
  readonly edge: Edge;
}): Promise<void> {
  const { session, options } = context;
  const { intake, accepted, base } = trial;
  const { operation } = intake;
  const { at, keyword, isValid, isLax } = edge;
  if (!isOfPart(edge)) return;
  if (isValid && (accepted === undefined || operation.method === "DELETE")) return;
  const parts = moved(base, { from: edge.value, at });
  if (!isValid && !isBroken(intake, { parts, options })) return;
  const call = callFor(intake, parts, session.contract);
  if (call === undefined) return;
  const exchange = await session.send(call, { title: saysOf(edge) });
  const { status } = exchange.answer;
  if (isValid && REFUSALS.includes(status)) {
    await judgeRefusal(context, { trial, edge, exchange, parts });
  } else if (!isValid && status >= 200 && status < 300) {
    const check = keyword === "format" ? "format_refused" : isLax ? "coerced" : "broken_refused";
    const message = `${saysOf(edge)}, and the answer is ${status}`;
    report(session, { trial, edge, check, exchange, message });
  }
}

/** One finding for each place and keyword. */
function report(session: Session, { trial, edge: { at, keyword }, check, message, exchange }: {
  readonly trial: Trial;
  readonly edge: Pick<Edge, "at" | "keyword">;
  readonly check: string;
  readonly message: string;
  readonly exchange: Exchange;
}): void {
  const { operation } = trial.intake;
  const cause = causeOf({ operation, at, keyword, check });
  if (session.known.causes.has(cause)) return;
  session.known.causes.add(cause);
  session.report({ check, where: operation.id, message, exchange });
}

/** The request with the value of another one at a place, or at the first place above it. */
function moved(base: Parts, { from, at }: { readonly from: Json; readonly at: string }): Parts {
  const parts = at.split("/");
  const missing = parts.findIndex((_, index) =>
    index > 0 && valueAt(base, parts.slice(0, index + 1).join("/")) === undefined
  );
  const place = missing < 0 ? at : parts.slice(0, missing + 1).join("/");
  return replaced(base, place, valueAt(from, place) as Json | undefined);
}

/** The request with another value at a place, or without the place. */
function replaced(base: Parts, at: string, value: Json | undefined): Parts {
  function put(old: unknown, [part, ...rest]: readonly string[]): unknown {
    if (part === undefined) return value;
    if (Array.isArray(old)) return old.with(Number(part), put(old[Number(part)], rest));
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    const members = objectOf(old as Json);
    return { ...members, [name]: put(valueAt(members, `/${part}`), rest) };
  }
  return JSON.parse(JSON.stringify(put(base, at.split("/").slice(1))));
}

/**
 * A valid value was refused: a breach if the value next to it is accepted, and advice otherwise,
 * because of rules that no schema tells, such as an end after its start.
 */
async function judgeRefusal(context: Context, { trial, edge, exchange, parts }: {
  readonly trial: Trial;
  readonly edge: Edge;
  readonly exchange: Exchange;
  readonly parts: Parts;
}): Promise<void> {
  const { session, options } = context;
  const { intake, base } = trial;
  async function isFine(other: Parts): Promise<boolean> {
    const call = callFor(intake, other, session.contract);
    const title = `${intake.operation.id}, as accepted before`;
    return call !== undefined && isAccepted(await session.send(call, { title }));
  }
  // What was accepted before may be refused now: a name is taken, an order is paid.
  if (!await isFine(base)) return;
  const near = inside(valueAt(parts, edge.at) as Json, edge.keyword);
  const inner = near === undefined ? undefined : replaced(parts, edge.at, near);
  const isLimit = inner !== undefined && !isBroken(intake, { parts: inner, options }) &&
    await isFine(inner);
  const check = isLimit ? "valid_accepted" : "undocumented_rule";
  const message = `${saysOf(edge)}, which is valid, and the answer is ${exchange.answer.status}`;
  report(session, { trial, edge, check, exchange, message });
}

/** The value next to a limit, on its inner side. */
function inside(value: Json, keyword: string): Json | undefined {
  const isMost = /^(?:max|exclusiveMax)/.test(keyword);
  if (!isMost && !/^(?:min|exclusiveMin)/.test(keyword)) return undefined;
  if (typeof value === "number") return isMost ? value - 1 : value + 1;
  if (typeof value === "string") {
    const units = [...value];
    return isMost ? units.slice(0, -1).join("") : value + (units.at(-1) ?? "a");
  }
  if (!Array.isArray(value)) return undefined;
  return isMost ? value.slice(0, -1) : [...value, value.at(-1) ?? "a"];
}

/** Bodies that are no JSON, and of another media type than the documented ones. */
async function tryBodies(session: Session, trial: Trial): Promise<void> {
  const { operation, media } = trial.intake;
  const call = trial.accepted?.call;
  if (call?.body === undefined || media === undefined || operation.method === "DELETE") return;
  const headers = (call.headers ?? []).filter(([name]) => name !== "content-type");
  const rows = [
    ["broken_refused", "the body is malformed JSON", media.type, '{"'],
    ["media_refused", "the body has media type text/x-unknown", "text/x-unknown", call.body],
  ] as const;
  for (const [check, says, type, body] of rows) {
    if (check === "broken_refused" && !isJsonType(media.type)) continue;
    if (mediaFor(operation.bodies, type) !== undefined && check === "media_refused") continue;
    const changed: Call = { ...call, headers: [...headers, ["content-type", type]], body };
    const exchange = await session.send(changed, { title: says });
    const { status } = exchange.answer;
    if (status < 200 || status > 299) continue;
    const message = `${says}, and the answer is ${status}`;
    report(session, { trial, edge: { at: "/body", keyword: says }, check, message, exchange });
  }
}

/** The paths that end in a parameter, the deepest first, so that parents are deleted last. */
function pathsOfItems(trials: readonly Trial[]): string[] {
  const paths = trials.map(({ intake }) => intake.operation.path);
  const items = paths.filter((path) => /\{[^}/]+\}\/?$/.test(path));
  return [...new Set(items)].sort((a, b) => b.split("{").length - a.split("{").length);
}

/** Creates an item, which can be read then, deletes it, and it cannot be read any more. */
async function tryLife({ session, options }: Context, { path, trials }: {
  readonly path: string;
  readonly trials: readonly Trial[];
}): Promise<void> {
  if (session.isOver?.()) return;
  const { known, contract } = session;
  const collection = path.replace(/\/\{[^}/]+\}\/?$/, "");
  const trialOf = (method: string, at = path) =>
    trials.find(({ intake: { operation } }) =>
      operation.method === method &&
      operation.path.replace(/\/$/, "") === at.replace(/\/$/, "")
    );
  async function send(trial: Trial | undefined, own: boolean): Promise<Exchange | undefined> {
    if (trial === undefined) return undefined;
    const { intake, base } = trial;
    const names = intake.operation.parameters.filter((one) => one.in === "path");
    const found = known.inPath(intake.operation, { own });
    if (own && names.some(({ name }) => found[name] === undefined)) return undefined;
    const parts = filled(intake, { parts: base, known, options, own });
    const call = callFor(intake, parts, contract);
    if (call === undefined) return undefined;
    const title = `${intake.operation.id}, from create to delete`;
    const exchange = await session.send(call, { title });
    if (isAccepted(exchange)) trial.accepted ??= exchange;
    else trial.refused ??= exchange;
    return exchange;
  }
  const [create, read, remove] = [trialOf("POST", collection), trialOf("GET"), trialOf("DELETE")];
  const created = create?.accepted === undefined ? undefined : await send(create, false);
  const first = created !== undefined && isAccepted(created) ? await send(read, true) : undefined;
  const isMissing = first?.answer.status === 404 || first?.answer.status === 410;
  const trial = read!;
  if (isMissing && isSameResource(create!, read!)) {
    const message = `what ${create!.intake.operation.id} has created is not found: the answer is ` +
      first.answer.status;
    const edge = { at: "", keyword: "created" };
    report(session, { trial, edge, check: "created_is_found", message, exchange: first });
  }
  const before = remove === undefined || isMissing ? undefined : first;
  const removed = await send(remove, true);
  if (before === undefined || removed === undefined || !isAccepted(before)) return;
  // 202: it is deleted later.
  if (![200, 204].includes(removed.answer.status)) return;
  const { method, path: target, headers = [] } = before.call;
  const again = await session.send({ method, path: target, headers }, {
    title: "use after delete",
  });
  if (!isAccepted(again) || again.answer.text !== before.answer.text) return;
  const message = `what ${remove!.intake.operation.id} has deleted is still there`;
  const edge = { at: "", keyword: "deleted" };
  report(session, { trial, edge, check: "use_after_delete", message, exchange: again });
}

/** Whether a create answers with what the read of one item answers with. */
function isSameResource({ intake: create, accepted }: Trial, { intake: read }: Trial): boolean {
  const status = accepted!.answer.status;
  if (status === 201) return true;
  const [made, shown] = [responseFor(create.operation, status), responseFor(read.operation, 200)]
    .map((rule) => JSON.stringify(rule?.content[0]?.schema));
  return made !== undefined && made === shown;
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
