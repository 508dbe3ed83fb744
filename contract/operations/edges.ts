/**
 * @module Values at the limits of every parameter and member, and just beyond; bodies that are no JSON,
 * or of another media type.
 */

import { isJsonType, type Json, mediaFor } from "../document.ts";
import type { Call, Exchange } from "../exchange.ts";
import { at as valueAt } from "../profile.ts";
import { callFor, isBroken, isOfPart, saysOf } from "../request/intake.ts";
import type { Parts } from "../request/write.ts";
import type { Session } from "../session.ts";
import { type Edge, edgesOf } from "../values/edges.ts";
import {
  type Context,
  isAccepted,
  isOver,
  REFUSALS,
  replaced,
  report,
  type Trial,
  withOtherTexts,
} from "./trial.ts";

/** Edges of an operation that are tried before those of the next operation. */
const SLICE = 25;

/** The edges of all operations, some of each in turn. */
export async function tryEdges(context: Context, trials: readonly Trial[]): Promise<void> {
  const { session, options } = context;
  // What was never accepted can only show that it accepts too much.
  let left = trials.toSorted((a, b) =>
    Number(b.accepted !== undefined) - Number(a.accepted !== undefined)
  );
  for (let start = 0; left.length > 0; start += SLICE) {
    for (const [index, trial] of left.entries()) {
      session.progress(index, left.length);
      if (isOver(context)) {
        const count = start === 0 ? left.length - index : left.length;
        return session.note(`limits of ${count} operations not all tried: the time was up`);
      }
      trial.edges ??= edgesOf(trial.intake.schema, options);
      if (start === 0) await tryAgain(context, trial);
      if (start === 0) await tryBodies(session, trial);
      for (const edge of trial.edges.slice(start, start + SLICE)) {
        await tryEdge(context, { trial, edge });
      }
    }
    left = left.filter(({ edges = [] }) => edges.length > start + SLICE);
  }
}

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
  // The client adds the operator's headers.
  if (session.headers.some((name) => at.toLowerCase() === `/header/${name.toLowerCase()}`)) return;
  const start = trial.isOnce === true ? withOtherTexts(context, trial) : base;
  const near = moved(start, { from: edge.value, at });
  // A discriminator, for one, is only valid with its own members.
  const isApart = isValid && !options.isValid(intake.schema, near as Json);
  const parts = isApart ? edge.value as Parts : near;
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

/** The request with the value of another one at a place, or at the first place above it. */
function moved(base: Parts, { from, at }: { readonly from: Json; readonly at: string }): Parts {
  const parts = at.split("/");
  const missing = parts.findIndex((_, index) =>
    index > 0 && valueAt(base, parts.slice(0, index + 1).join("/")) === undefined
  );
  const place = missing < 0 ? at : parts.slice(0, missing + 1).join("/");
  return replaced(base, place, valueAt(from, place) as Json | undefined);
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
  const another = () => trial.isOnce === true ? withOtherTexts(context, trial) : base;
  async function isFine(other: Parts): Promise<boolean> {
    const call = callFor(intake, other, session.contract);
    const title = `${intake.operation.id}, as accepted before`;
    return call !== undefined && isAccepted(await session.send(call, { title }));
  }
  // What was accepted before may be refused now: a name is taken, an order is paid.
  if (!await isFine(another())) return;
  const value = valueAt(parts, edge.at) as Json;
  if (typeof value === "string" && trial.isOnce === true) {
    const other = session.unique().toString(36).padStart([...value].length, "z").slice(
      -[...value].length,
    );
    if (other.length < 4 || await isFine(replaced(another(), edge.at, other))) return;
  }
  const near = inside(value, edge.keyword);
  const inner = near === undefined ? undefined : replaced(another(), edge.at, near);
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

/** Finds out whether a create wants other texts each time. */
async function tryAgain(context: Context, trial: Trial): Promise<void> {
  const { session } = context;
  const { accepted, intake } = trial;
  if (accepted === undefined || intake.operation.method !== "POST") return;
  const title = `${intake.operation.id}, as accepted before`;
  if (isAccepted(await session.send(accepted.call, { title }))) return;
  const call = callFor(intake, withOtherTexts(context, trial), session.contract);
  trial.isOnce = call !== undefined && isAccepted(await session.send(call, { title }));
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
