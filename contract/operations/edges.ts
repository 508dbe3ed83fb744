/**
 * @module Values at the limits of every parameter and member, and just beyond; bodies that are no JSON,
 * or of another media type.
 */

import { isJsonType, type Json, mediaFor } from "../document.ts";
import type { Call, Exchange } from "../exchange.ts";
import { at as valueAt } from "../pointer.ts";
import { isBroken } from "../request/reading.ts";
import type { Parts } from "../request/write.ts";
import type { Session } from "../session.ts";
import { type Edge, edgesOf } from "../values/edges.ts";
import {
  another,
  isAccepted,
  isOfPart,
  isRefused,
  replaced,
  report,
  saysOf,
  sendParts,
  type Trial,
  withOtherTexts,
} from "./trial.ts";

/** Edges of an operation that are tried before those of the next operation. */
const SLICE = 25;

/** The edges of all operations, some of each in turn. */
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
      trial.edges ??= edgesOf(trial.intake.schema, trial.intake.options);
      if (start === 0) await tryAgain(session, trial);
      if (start === 0) await tryBodies(session, trial);
      for (const edge of trial.edges.slice(start, start + SLICE)) {
        await tryEdge(session, { trial, edge });
      }
    }
    left = left.filter(({ edges = [] }) => edges.length > start + SLICE);
  }
}

interface Attempt {
  readonly trial: Trial;
  readonly edge: Edge;
}

async function tryEdge(session: Session, { trial, edge }: Attempt): Promise<void> {
  const { intake, accepted } = trial;
  const { at, keyword, isValid, isLax } = edge;
  if (!isOfPart(edge)) return;
  if (isValid && (accepted === undefined || intake.operation.method === "DELETE")) return;
  // The client adds the operator's headers.
  if (session.headers.some((name) => at.toLowerCase() === `/header/${name.toLowerCase()}`)) return;
  const near = moved(another(session, trial), { from: edge.value, at });
  // A discriminator, for one, is only valid with its own members.
  const isApart = isValid && !intake.options.isValid(intake.schema, near as Json);
  const parts = isApart ? edge.value as Parts : near;
  if (!isValid && !isBroken(intake, parts)) return;
  const exchange = await sendParts(session, trial, { parts, title: saysOf(edge) });
  if (exchange === undefined) return;
  if (isValid && isRefused(exchange)) {
    await judgeRefusal(session, { trial, edge, exchange, parts });
  } else if (!isValid && isAccepted(exchange)) {
    const check = keyword === "format" ? "format_refused" : isLax ? "coerced" : "broken_refused";
    const message = `${saysOf(edge)}, and the answer is ${exchange.answer.status}`;
    report(session, trial, { at, keyword, check, exchange, message });
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
async function judgeRefusal(session: Session, { trial, edge, exchange, parts }: Attempt & {
  readonly exchange: Exchange;
  readonly parts: Parts;
}): Promise<void> {
  const { at, keyword } = edge;
  const title = `${trial.intake.operation.id}, as accepted before`;
  async function isFine(other: Parts): Promise<boolean> {
    return isAccepted(await sendParts(session, trial, { parts: other, title }));
  }
  const withValue = (value: Json) => replaced(another(session, trial), at, value);
  // What was accepted before may be refused now: a name is taken, an order is paid.
  if (!await isFine(another(session, trial))) return;
  let value = valueAt(parts, at) as Json;
  if (typeof value === "string" && trial.isOnce === true) {
    const { length } = [...value];
    const other = session.unique().toString(36).padStart(length, "z").slice(-length);
    if (other.length < 4 || await isFine(withValue(other))) return;
    value = other;
  }
  const near = inside(value, keyword);
  const inner = near === undefined ? undefined : withValue(near);
  const isLimit = inner !== undefined && !isBroken(trial.intake, inner) && await isFine(inner);
  const check = isLimit ? "valid_accepted" : "undocumented_rule";
  const message = `${saysOf(edge)}, which is valid, and the answer is ${exchange.answer.status}`;
  report(session, trial, { at, keyword, check, exchange, message });
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

/** Finds out whether a create wants other texts each time. */
async function tryAgain(session: Session, trial: Trial): Promise<void> {
  const { accepted, intake } = trial;
  if (accepted === undefined || intake.operation.method !== "POST") return;
  const title = `${intake.operation.id}, as accepted before`;
  if (isAccepted(await session.send(accepted.call, { title }))) return;
  const parts = withOtherTexts(session, trial);
  trial.isOnce = isAccepted(await sendParts(session, trial, { parts, title }));
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
    if (!isAccepted(exchange)) continue;
    const message = `${says}, and the answer is ${exchange.answer.status}`;
    report(session, trial, { at: "/body", keyword: says, check, message, exchange });
  }
}
