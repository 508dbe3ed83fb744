/** @module The life of an item of this run: created, read, changed, deleted, and not found. */

import { responseFor } from "../document/document.ts";
import { type Json, objectOf } from "../lib/json.ts";
import { type Exchange, jsonOf, pathOf } from "../lib/exchange.ts";
import { filled } from "../request/operation_input.ts";
import type { Parts } from "../request/write.ts";
import { declareRules } from "../lib/rules.ts";
import { checkRequired } from "./credentials.ts";
import { checkGet } from "./http_get.ts";
import { isAccepted, type Trial } from "./trial.ts";

const RULES = declareRules({
  created_is_found: "breach: what a create has answered with is found",
  read_as_written: "breach: a read shows what a write with an answer of the same schema has shown",
  kept_as_sent: "advice: a read shows the members that were sent",
  use_after_delete: "breach: what was deleted is not found any more",
});

/** The paths that end in a parameter, the deepest first, so that parents are deleted last. */
export function pathsOfItems(all: readonly Trial[]): string[] {
  const items = all.map(({ operation: { path } }) => path).filter((path) => ITEM.test(path));
  return [...new Set(items)].sort((a, b) => b.split("{").length - a.split("{").length);
}

const ITEM = /\/\{[^}/]+\}\/?$/;

/** Creates an item, which can be read then, changes and deletes it, and it cannot be read any more. */
export async function tryLife(all: readonly Trial[], item: string): Promise<void> {
  const trialOf = (method: string, path: string = item) =>
    all.find(({ operation }) =>
      operation.method === method && operation.path.replace(/\/$/, "") === path.replace(/\/$/, "")
    );
  const create = trialOf("POST", item.replace(ITEM, ""));
  const [read, remove] = [trialOf("GET"), trialOf("DELETE")];
  const maker = create?.accepted && create;
  const whole = await send(maker, { parts: maker?.withOtherTexts(maker.withAll()) });
  const created = isAccepted(whole) ? whole : await send(maker, {});
  let first = isAccepted(created) ? await send(read, { own: true }) : undefined;
  const isMissing = first !== undefined && [404, 410].includes(first.answer.status);
  if (isMissing && isSameResource(create!, read!) && isNamed(first!, created!)) {
    const says = `what ${create!.operation.id} has created is not found`;
    read!.report(first!, { at: "", keyword: "created", check: RULES.created_is_found, says });
  }
  if (isAccepted(first) && isNamed(first, created!)) {
    compare(read!, first, { write: create!, written: created! });
    await checkGet(read!.session, first);
  }
  for (const update of [trialOf("PUT"), trialOf("PATCH")]) {
    const written = await send(update, { parts: update?.withOtherTexts(), own: true });
    const again = isAccepted(written) ? await send(read, { own: true }) : undefined;
    if (!isAccepted(again)) continue;
    compare(read!, again, { write: update!, written: written! });
    first = again;
  }
  const removed = await send(remove, { own: true, isLast: true });
  // 202: it is deleted later.
  if (!isAccepted(first) || ![200, 204].includes(removed?.answer.status ?? 0)) return;
  const { method, path, headers = [] } = first.call;
  const title = "use after delete";
  const exchange = await read!.session.send({ method, path, headers }, { title });
  if (!isAccepted(exchange) || exchange.answer.text !== first.answer.text) return;
  const says = `what ${remove!.operation.id} has deleted is still there`;
  read!.report(exchange, { at: "", keyword: "deleted", check: RULES.use_after_delete, says });
}

async function send(
  trial: Trial | undefined,
  { parts = trial?.another(), own = false, isLast = false }: {
    readonly parts?: Parts | undefined;
    readonly own?: boolean;
    readonly isLast?: boolean;
  },
): Promise<Exchange | undefined> {
  if (trial === undefined || parts === undefined || trial.session.isOver()) return undefined;
  const { input, operation, session } = trial;
  const shown = Object.keys(session.pool.inPath(operation, { own }));
  if (own && shown.length < operation.path.split("{").length - 1) return undefined;
  const whole = filled(input, parts, { ...session, own });
  const call = isLast ? trial.callOf(whole) : undefined;
  if (call !== undefined) await checkRequired(session, { operation, call });
  const exchange = await trial.send(whole, `${operation.id}, from create to delete`);
  if (isAccepted(exchange)) trial.accepted ??= exchange;
  else if (exchange !== undefined) trial.refused ??= exchange;
  return exchange;
}

/** Reports the sent members that a read shows otherwise than the answer to the write, or than sent. */
function compare(
  read: Trial,
  shown: Exchange,
  { write, written }: { readonly write: Trial; readonly written: Exchange },
): void {
  const [sent, made, has] = [written.call.body, written.answer.text, shown.answer.text]
    .map((text) => objectOf(jsonOf({ text: String(text) }) as Json));
  const isSame = isSameSchema(write, read, written.answer.status);
  for (const [name, value] of Object.entries(sent!)) {
    const [answered, is] = [made![name], has![name]];
    const isOther = isSame && answered !== undefined && !isAlike(answered, is);
    if (!isOther && (is === undefined || isAlike(value, is))) continue;
    const check = isOther ? RULES.read_as_written : RULES.kept_as_sent;
    const says = `${name} is not as ${write.operation.id} has ${isOther ? "shown" : "received"} it`;
    read.report(shown, { at: `/${name}`, keyword: check, check, says });
  }
}

/** Whether two values are one, as services normalize it: case, moments, decimal places, slashes. */
function isAlike(one: Json, other: Json | undefined): boolean {
  // Members that a service adds to objects are not looked at.
  if (typeof one === "object" && one !== null) return true;
  const [a, b] = [one, other].map((value) => {
    const text = String(value ?? "").trim().toLowerCase().replace(/\/$/, "");
    const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : NaN;
    return Number.isNaN(time)
      ? text !== "" && Number.isFinite(Number(text)) ? Number(text) : text
      : time;
  });
  return a === b;
}

function isNamed({ call }: Exchange, { answer: { text, headers } }: Exchange): boolean {
  const id = decodeURIComponent(pathOf(call).split("/").at(-1)!);
  return `${headers.get("location")} ${text}`.includes(id);
}

function isSameResource(create: Trial, read: Trial): boolean {
  const { status } = create.accepted!.answer;
  return status === 201 || isSameSchema(create, read, status);
}

function isSameSchema(write: Trial, read: Trial, status: number): boolean {
  const [made, shown] = [responseFor(write.operation, status), responseFor(read.operation, 200)]
    .map((rule) => JSON.stringify(rule?.content[0]?.schema));
  return made !== undefined && made === shown;
}
