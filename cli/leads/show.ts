/** @module `show`: all there is of one lead, with every try of every delivery. */

import type { Delivery, LeadRecord } from "../../leads/lead.ts";
import { LEASE_MS } from "../../leads/outbox.ts";
import type { Args, Command, Context } from "./command.ts";
import { stateOf } from "./filter.ts";
import { findLead, plain } from "./records.ts";
import { table } from "./table.ts";
import { json, lines, numeral, oneLine, type Paint, paintFor } from "./text.ts";
import { instant, relative } from "./time.ts";

/** `show`, for the program. */
export const show: Command = {
  name: "show",
  summary: "one lead: what was sent, every delivery, every try",
  usage: "show ID [OPTIONS]",
  help: ["ID is a lead's id, or as much of its beginning or end as no other lead has."],
  examples: ["show 5c0ffee1"],
  options: { json: { type: "boolean", summary: "a JSON object in one line" } },
  operand: "required",
  run: runShow,
};

async function runShow(context: Context, { flags, operand = "" }: Args): Promise<void> {
  const record = await findLead(context.store, operand);
  if (flags.has("json")) return context.out(`${json(plain(record))}\n`);
  const now = context.now();
  const paint = paintFor(context);
  const { receivedAt, expiresAt, lead: { email, company, plan, locale, message } } = record;
  const facts: readonly (readonly [string, string])[] = [
    ["state", stateOf(record)],
    ["came", at(receivedAt, now)],
    ["kept until", at(expiresAt, now)],
    ["email", email],
    ["company", company],
    ["plan", plan ?? "–"],
    ["locale", locale],
    ...(message === undefined ? [["message", "–"] as const] : []),
  ];
  context.out(`${paint.bold(record.id)}\n`);
  for (const [name, value] of facts) {
    context.out(`  ${paint.dim(name.padEnd(12))}${oneLine(value)}\n`);
  }
  if (message !== undefined) {
    context.out(`  ${paint.dim("message")}\n`);
    for (const line of lines(message)) context.out(`    ${line}`.trimEnd() + "\n");
  }
  showDeliveries(context, { record, now, paint });
}

function showDeliveries(
  { out, columns }: Context,
  { record: { deliveries }, now, paint }: { record: LeadRecord; now: number; paint: Paint },
): void {
  const targets = Object.entries(deliveries);
  if (targets.length === 0) {
    out(`\n  No target was set when it came: it is stored, and goes nowhere.\n`);
  }
  for (const [target, delivery] of targets) {
    out(`\n  ${paint.bold(oneLine(target))}  ${standing(delivery, now)}\n`);
    const rows = delivery.tries.map(({ at: start, durationMs, result }, index) => [
      String(index + 1),
      at(start, now),
      `${numeral(durationMs)} ms`,
      result,
    ]);
    if (rows.length === 0) continue;
    for (const line of table(TRY_COLUMNS, rows, { paint, width: columns })) out(`    ${line}\n`);
  }
}

const TRY_COLUMNS = [
  { title: "TRY", align: "right" },
  { title: "AT" },
  { title: "TOOK", align: "right" },
  { title: "RESULT" },
] as const;

function standing({ state, due, tries }: Delivery, now: number): string {
  if (state === "delivered") return "delivered";
  if (state === "dead") {
    return `dead after ${tries.length === 1 ? "1 try" : `${tries.length} tries`}`;
  }
  if (due <= now) return `waiting, overdue since ${at(due, now)}: is the service running?`;
  if (due - now <= LEASE_MS) return "waiting, under way or due within seconds";
  return `waiting, next try ${at(due, now)}`;
}

function at(time: number, now: number): string {
  return `${instant(time)} (${relative(time, now)})`;
}
