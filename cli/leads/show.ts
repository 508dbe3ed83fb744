/** @module `show`: one lead with every delivery and every attempt. */

import type { Command } from "commander";
import { attemptsOf, type Delivery, type LeadRecord } from "../../leads/lead.ts";
import { LEASE_MS } from "../../leads/outbox.ts";
import type { Context } from "./context.ts";
import { findLeads, ID, stateOf, toJson } from "./records.ts";
import { table } from "./table.ts";
import { count, iso, json, oneLine, relative } from "./text.ts";

const INDENT = "    ";

export function addShow(program: Command, context: Context): void {
  program.command("show")
    .description("show one lead with every delivery and every attempt")
    .argument("<id>", ID)
    .option("--json", "one JSON object")
    .action(async (id: string, options: { json?: true }) => {
      for (const record of await findLeads(await context.open(), [id])) {
        context.out(options.json ? `${json(toJson(record))}\n` : describeLead(record, context));
      }
    });
}

/** The lead as text. */
export function describeLead(record: LeadRecord, context: Context): string {
  const now = context.now();
  const { id, receivedAt, expiresAt, deliveries } = record;
  const { email, company, plan = "–", locale, message = "–" } = record.lead;
  const facts = {
    state: stateOf(record),
    received: at(receivedAt, now),
    "kept until": `${at(expiresAt, now)}${expiresAt <= now ? ": expired, but still stored" : ""}`,
    email,
    company,
    plan,
    locale,
    message: "",
  };
  const targets = Object.entries(deliveries);
  return [
    id,
    ...Object.entries(facts).map(([name, value]) => `  ${name.padEnd(12)}${oneLine(value)}`),
    ...message.split(/\r\n|[\r\n\u2028\u2029]/).map((line) => INDENT + oneLine(line)),
    ...(targets.length === 0
      ? ["", `  No target was configured on arrival: deno task leads send ${id.slice(-8)}`]
      : []),
    ...targets.flatMap(([target, delivery]) => [
      "",
      `  ${oneLine(target)}  ${progress(delivery, now)}`,
      ...attempts(delivery, { now, columns: context.columns() }),
    ]),
  ].map((line) => `${line.trimEnd()}\n`).join("");
}

function progress(delivery: Delivery, now: number): string {
  const { state, due } = delivery;
  if (state === "delivered") return "delivered";
  if (state === "dead") return `dead after ${count(attemptsOf(delivery), "attempt")}`;
  if (due <= now) return `waiting, overdue since ${at(due, now)}: is the service running?`;
  if (due - now <= LEASE_MS) return "waiting, in progress or due within seconds";
  return `waiting, next attempt ${at(due, now)}`;
}

/** The attempts in a table; in the middle, how many are no longer stored. */
function attempts({ tries, omitted = 0 }: Delivery, { now, columns }: {
  readonly now: number;
  readonly columns: number;
}): string[] {
  const first = Math.ceil(tries.length / 2);
  const lines = table(
    ["ATTEMPT", "AT", "AGO", "MS", "RESULT"],
    tries.map((one, index) => [
      index + 1 + (index < first ? 0 : omitted),
      iso(one.at),
      relative(one.at, now),
      one.durationMs,
      one.result,
    ]),
    { columns: columns - INDENT.length, long: [4], optional: [2] },
  );
  if (omitted > 0) lines.splice(1 + first, 0, `… ${omitted.toLocaleString("en")} more …`);
  return lines.map((line) => INDENT + line);
}

function at(time: number, now: number): string {
  return `${iso(time)} (${relative(time, now)})`;
}
