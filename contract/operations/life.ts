/** @module What is created can be read until it is deleted, and not any more then. */

import { responseFor } from "../document.ts";
import { type Exchange, pathOf } from "../exchange.ts";
import { callFor, filled } from "../request/intake.ts";
import { type Context, isAccepted, isOver, report, type Trial, withOtherTexts } from "./trial.ts";

/** The paths that end in a parameter, the deepest first, so that parents are deleted last. */
export function pathsOfItems(trials: readonly Trial[]): string[] {
  const paths = trials.map(({ intake }) => intake.operation.path);
  const items = paths.filter((path) => /\{[^}/]+\}\/?$/.test(path));
  return [...new Set(items)].sort((a, b) => b.split("{").length - a.split("{").length);
}

/** Creates an item, which can be read then, deletes it, and it cannot be read any more. */
export async function tryLife(context: Context, { path, trials }: {
  readonly path: string;
  readonly trials: readonly Trial[];
}): Promise<void> {
  const { session, options } = context;
  if (isOver(context)) return;
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
    const start = trial.isOnce === true ? withOtherTexts(context, trial) : base;
    const parts = filled(intake, { parts: start, known, options, own });
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
  if (isMissing && isSameResource(create!, read!) && isNamed(first!, created!)) {
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
