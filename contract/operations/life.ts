/** @module What is created can be read until it is deleted, and not any more then. */

import { responseFor } from "../document.ts";
import { type Exchange, pathOf } from "../exchange.ts";
import { filled } from "../request/intake.ts";
import { isAccepted, type Trial } from "./trial.ts";

/** The paths that end in a parameter, the deepest first, so that parents are deleted last. */
export function pathsOfItems(all: readonly Trial[]): string[] {
  const items = all.map(({ operation: { path } }) => path).filter((path) => ITEM.test(path));
  return [...new Set(items)].sort((a, b) => b.split("{").length - a.split("{").length);
}

const ITEM = /\/\{[^}/]+\}\/?$/;

/** Creates an item, which can be read then, deletes it, and it cannot be read any more. */
export async function tryLife(all: readonly Trial[], path: string): Promise<void> {
  const trialOf = (wanted: string, at = path) =>
    all.find(({ operation: { method, path } }) =>
      method === wanted && path.replace(/\/$/, "") === at.replace(/\/$/, "")
    );
  const [create, read, remove] = [
    trialOf("POST", path.replace(ITEM, "")),
    trialOf("GET"),
    trialOf("DELETE"),
  ];
  const created = create?.accepted && await send(create, { own: false });
  const first = isAccepted(created) ? await send(read, { own: true }) : undefined;
  const { status } = first?.answer ?? {};
  const isMissing = status === 404 || status === 410;
  if (isMissing && isSameResource(create!, read!) && isNamed(first!, created!)) {
    const made = create!.operation.id;
    const message = `what ${made} has created is not found: the answer is ${status}`;
    read!.session.report({
      check: "created_is_found",
      where: read!.operation.id,
      message,
      exchange: first,
    });
  }
  const removed = await send(remove, { own: true });
  // 202: it is deleted later.
  if (!isAccepted(first) || ![200, 204].includes(removed?.answer.status ?? 0)) return;
  const { method, path: target, headers = [] } = first.call;
  const again = { method, path: target, headers };
  const exchange = await read!.session.send(again, { title: "use after delete" });
  if (!isAccepted(exchange) || exchange.answer.text !== first.answer.text) return;
  const message = `what ${remove!.operation.id} has deleted is still there`;
  read!.session.report({ check: "use_after_delete", where: read!.operation.id, message, exchange });
}

/** Sends an operation, with the ids of what this run has created if it must be its own. */
async function send(
  trial: Trial | undefined,
  { own }: { readonly own: boolean },
): Promise<Exchange | undefined> {
  if (trial === undefined || trial.session.isOver()) return undefined;
  const { intake, operation, session } = trial;
  const names = operation.parameters.filter((one) => one.in === "path");
  const shown = session.known.inPath(operation, { own });
  if (own && names.some(({ name }) => shown[name] === undefined)) return undefined;
  const parts = filled(intake, trial.another(), { known: session.known, own });
  const exchange = await trial.send(parts, `${operation.id}, from create to delete`);
  if (isAccepted(exchange)) trial.accepted ??= exchange;
  else if (exchange !== undefined) trial.refused ??= exchange;
  return exchange;
}

/** Whether the last part of a path is in the answer of the create. */
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
