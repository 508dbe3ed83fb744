/** @module Values at the limits of every part and just beyond; bodies that are no JSON. */

import type { Call } from "../lib/exchange.ts";
import { isJsonType, mediaFor } from "../document/document.ts";
import type { RuleName } from "../lib/rules.ts";
import { at as valueAt, type Json } from "../lib/json.ts";
import { reportUnknown } from "../request/operation_input.ts";
import { isBroken } from "../request/broken.ts";
import type { Parts } from "../request/write.ts";
import type { Session } from "../run/session.ts";
import { type Edge, edgesOf } from "../values/edges.ts";
import {
  isAccepted,
  isOfPart,
  isRefused,
  replaced,
  saysOf,
  type Trial,
  TRIAL_RULES,
} from "./trial.ts";

/** Edges of an operation that are tried before those of the next operation. */
const SLICE = 25;

export async function tryEdges(session: Session, all: readonly Trial[]): Promise<void> {
  // What was never accepted can only show that it accepts too much.
  let left = all.toSorted((a, b) =>
    Number(isAccepted(b.accepted)) - Number(isAccepted(a.accepted))
  );
  for (let start = 0; left.length > 0; start += SLICE) {
    for (const [index, trial] of left.entries()) {
      session.progress(index, left.length);
      if (session.isOver()) {
        const count = start === 0 ? left.length - index : left.length;
        return session.note(`limits of ${count} operations not all tried: the time was up`);
      }
      if (start === 0) {
        trial.edges = edgesOf(trial.input.schema, trial.input.options);
        reportLeft(trial);
        await tryAgain(trial);
        await tryBodies(trial);
      }
      for (const edge of trial.edges.slice(start, start + SLICE)) await tryEdge(trial, edge);
    }
    left = left.filter(({ edges }) => edges.length > start + SLICE);
  }
}

/** What an error of the harness has cost. */
function reportLeft({ session, input: { options: { left } }, operation }: Trial): void {
  for (const reason of left) reportUnknown(session, operation, reason);
  left.clear();
}

async function tryEdge(trial: Trial, edge: Edge): Promise<void> {
  const { input, accepted, operation, session } = trial;
  const { at, keyword, isValid, isLax } = edge;
  if (!isOfPart(edge)) return;
  if (isValid && (accepted === undefined || operation.method === "DELETE")) return;
  // The client adds the operator's headers.
  if (session.headers.some((name) => at.toLowerCase() === `/header/${name.toLowerCase()}`)) return;
  const close = moved(trial.another(), { from: edge.value, at });
  const near = trial.isOnce && isValid && at === "/body" ? trial.withOtherTexts(close) : close;
  // A discriminator, for one, is only valid with its own members.
  const isApart = isValid && !input.options.isValid(input.schema, near as Json);
  const isPath = at.startsWith("/path/");
  // The id of another resource, such as 1, must not be changed.
  if (isPath && isValid && operation.method !== "GET") return;
  const path = isPath ? {} : { path: trial.base.path };
  const parts = isApart ? { ...edge.value as Parts, ...path } as Parts : near;
  if (!isValid && !isBroken(input, parts)) return;
  const says = saysOf(edge);
  const exchange = await trial.send(parts, says);
  if (exchange === undefined) return;
  if (isValid && isRefused(exchange)) {
    const check = await refusedRule(trial, { edge, parts });
    if (check) trial.report(exchange, { at, keyword, check, says: `${says}, which is valid` });
  } else if (!isValid && isAccepted(exchange)) {
    const { format_refused, coerced, broken_refused } = TRIAL_RULES;
    const check = keyword === "format" ? format_refused : isLax ? coerced : broken_refused;
    trial.report(exchange, { at, keyword, check, says });
  }
}

/** The request with the value of another one at a place, or at the first place above it. */
function moved(base: Parts, { from, at }: { readonly from: Json; readonly at: string }): Parts {
  const places = at.split("/").map((_, index, names) => names.slice(0, index + 1).join("/"));
  const place = places.find((one) => valueAt(base, one) === undefined) ?? at;
  return replaced(base, place, valueAt(from, place) as Json | undefined);
}

/** A breach if the value next to it is accepted; else advice, as no schema tells every rule. */
async function refusedRule(trial: Trial, { edge: { at, keyword }, parts }: {
  readonly edge: Edge;
  readonly parts: Parts;
}): Promise<RuleName | undefined> {
  const withValue = (value: Json) => replaced(trial.another(), at, value);
  // What was accepted before may be refused now: a name is taken, an order is paid.
  if (!await trial.accepts()) return undefined;
  let value = valueAt(parts, at) as Json;
  if (typeof value === "string" && trial.isOnce) {
    const { length } = [...value];
    const other = trial.session.unique().toString(36).padStart(length, "z").slice(-length);
    if (other.length < 4 || await trial.accepts(withValue(other))) return undefined;
    value = other;
  }
  const near = inside(value, keyword);
  const inner = near === undefined ? undefined : withValue(near);
  const isLimit = inner && !isBroken(trial.input, inner) && await trial.accepts(inner);
  return isLimit ? TRIAL_RULES.valid_accepted : TRIAL_RULES.undocumented_rule;
}

/** The value next to a limit, on its inner side. */
function inside(value: Json, keyword: string): Json | undefined {
  const isMost = /^(?:max|exclusiveMax)/.test(keyword);
  if (!isMost && !/^(?:min|exclusiveMin)/.test(keyword)) return undefined;
  if (typeof value === "number") return isMost ? value - 1 : value + 1;
  if (typeof value !== "string" && !Array.isArray(value)) return undefined;
  const items: Json[] = [...value];
  const other = isMost ? items.slice(0, -1) : [...items, items.at(-1) ?? "a"];
  return typeof value === "string" ? other.join("") : other;
}

async function tryAgain(trial: Trial): Promise<void> {
  if (trial.accepted === undefined || trial.operation.method !== "POST") return;
  trial.isOnce = !await trial.accepts() && await trial.accepts(trial.withOtherTexts());
}

async function tryBodies(trial: Trial): Promise<void> {
  const { input: { media }, operation, session } = trial;
  const call = trial.accepted?.call;
  if (call?.body === undefined || media === undefined || operation.method === "DELETE") return;
  const unknown = "text/x-unknown";
  const headers = (call.headers ?? []).filter(([name]) => name !== "content-type");
  async function tryBody(check: RuleName, says: string, body: Call["body"], type = media!.type) {
    const typed = [...headers, ["content-type", type] as const];
    const exchange = await session.send({ ...call!, headers: typed, body: body! }, { title: says });
    if (isAccepted(exchange)) trial.report(exchange, { at: "/body", keyword: says, check, says });
  }
  if (isJsonType(media.type)) {
    await tryBody(TRIAL_RULES.broken_refused, "the body is malformed JSON", '{"');
  }
  if (mediaFor(operation.bodies, unknown) === undefined) {
    const says = `the body has media type ${unknown}`;
    await tryBody(TRIAL_RULES.media_refused, says, call.body, unknown);
  }
}
