/** @module What is created can be read until it is deleted, and not any more then. */

import { responseFor } from "../document.ts";
import { type Exchange, pathOf } from "../exchange.ts";
import { filled } from "../request/intake.ts";
import type { Session } from "../session.ts";
import { another, isAccepted, report, sendParts, type Trial } from "./trial.ts";

/** The paths that end in a parameter, the deepest first, so that parents are deleted last. */
export function pathsOfItems(all: readonly Trial[]): string[] {
  const paths = all.map(({ intake }) => intake.operation.path);
  const items = paths.filter((path) => /\{[^}/]+\}\/?$/.test(path));
  return [...new Set(items)].sort((a, b) => b.split("{").length - a.split("{").length);
}

/** Creates an item, which can be read then, deletes it, and it cannot be read any more. */
export async function tryLife(
  session: Session,
  { path, all }: { readonly path: string; readonly all: readonly Trial[] },
): Promise<void> {
  if (session.isOver()) return;
  const collection = path.replace(/\/\{[^}/]+\}\/?$/, "");
  const trialOf = (method: string, at = path) =>
    all.find(({ intake: { operation } }) =>
      operation.method === method &&
      operation.path.replace(/\/$/, "") === at.replace(/\/$/, "")
    );
  async function send(trial: Trial | undefined, own: boolean): Promise<Exchange | undefined> {
    if (trial === undefined) return undefined;
    const { intake } = trial;
    const names = intake.operation.parameters.filter((one) => one.in === "path");
    const shown = session.known.inPath(intake.operation, { own });
    if (own && names.some(({ name }) => shown[name] === undefined)) return undefined;
    const parts = filled(intake, { parts: another(session, trial), session, own });
    const title = `${intake.operation.id}, from create to delete`;
    const exchange = await sendParts(session, trial, { parts, title });
    if (isAccepted(exchange)) trial.accepted ??= exchange;
    else if (exchange !== undefined) trial.refused ??= exchange;
    return exchange;
  }
  const [create, read, remove] = [trialOf("POST", collection), trialOf("GET"), trialOf("DELETE")];
  const created = create?.accepted === undefined ? undefined : await send(create, false);
  const first = isAccepted(created) ? await send(read, true) : undefined;
  const { status } = first?.answer ?? {};
  const isMissing = status === 404 || status === 410;
  if (isMissing && isSameResource(create!, read!) && isNamed(first!, created!)) {
    const made = create!.intake.operation.id;
    const message = `what ${made} has created is not found: the answer is ${status}`;
    const check = "created_is_found";
    report(session, read!, { keyword: "created", check, message, exchange: first! });
  }
  const removed = await send(remove, true);
  // 202: it is deleted later.
  if (!isAccepted(first) || ![200, 204].includes(removed?.answer.status ?? 0)) return;
  const { method, path: target, headers = [] } = first.call;
  const title = "use after delete";
  const exchange = await session.send({ method, path: target, headers }, { title });
  if (!isAccepted(exchange) || exchange.answer.text !== first.answer.text) return;
  const message = `what ${remove!.intake.operation.id} has deleted is still there`;
  report(session, read!, { keyword: "deleted", check: "use_after_delete", message, exchange });
}

/** Whether the last part of a path is in the answer of the create. */
function isNamed({ call }: Exchange, { answer: { text, headers } }: Exchange): boolean {
  const id = decodeURIComponent(pathOf(call).split("/").at(-1)!);
  return `${headers.get("location")} ${text}`.includes(id);
}

/** Whether a create answers with what the read of one item answers with. */
function isSameResource({ intake: create, accepted }: Trial, { intake: read }: Trial): boolean {
  const status = accepted!.answer.status;
  if (status === 201) return true;
  const [made, shown] = [responseFor(create.operation, status), responseFor(read.operation, 200)]
    .map((rule) => JSON.stringify(rule?.content[0]?.schema));
  return made !== undefined && made === shown;
}
