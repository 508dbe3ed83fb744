/** @module `show`: all there is of one lead, with every attempt of every delivery. */

import type { Command } from "commander";
import type { Delivery, LeadRecord } from "../../leads/lead.ts";
import { LEASE_MS } from "../../leads/outbox.ts";
import type { Context } from "./context.ts";
import { stateOf } from "./filter.ts";
import { findLead, plain } from "./records.ts";
import { count, json, oneLine, table } from "./text.ts";
import { iso, relative } from "./time.ts";

/** Adds `show`. */
export function addShow(program: Command, context: Context): void {
  program.command("show")
    .summary("one lead: what was sent, every delivery, every attempt")
    .description("Shows what was sent, every delivery and every attempt.")
    .argument("<id>", "a lead's id, or as much of its beginning or end as no other lead has")
    .option("--json", "one JSON object")
    .action(async (id: string, options: { json?: true }) => {
      const { store } = await context.open();
      const record = await findLead(store, id);
      context.out(options.json ? `${json(plain(record))}\n` : describe(record, context.now()));
    });
}

function describe(record: LeadRecord, now: number): string {
  const { id, receivedAt, expiresAt, deliveries } = record;
  const { email, company, plan = "–", locale, message = "–" } = record.lead;
  const facts = {
    state: stateOf(record),
    received: at(receivedAt, now),
    "kept until": at(expiresAt, now),
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
    ...message.split(/\r\n|[\r\n\u2028\u2029]/).map((line) => `    ${oneLine(line)}`),
    ...(targets.length === 0 ? ["", "  No target was set when it came: it is only stored."] : []),
    ...targets.flatMap(([target, delivery]) => [
      "",
      `  ${oneLine(target)}  ${progress(delivery, now)}`,
      ...attempts(delivery, now).map((line) => `    ${line}`),
    ]),
  ].map((line) => `${line.trimEnd()}\n`).join("");
}

function progress({ state, due, tries }: Delivery, now: number): string {
  if (state === "delivered") return "delivered";
  if (state === "dead") return `dead after ${count(tries.length, "attempt")}`;
  if (due <= now) return `waiting, overdue since ${at(due, now)}: is the service running?`;
  if (due - now <= LEASE_MS) return "waiting, under way or due within seconds";
  return `waiting, next attempt ${at(due, now)}`;
}

function attempts({ tries }: Delivery, now: number): string[] {
  return table(
    ["ATTEMPT", "AT", "MS", "RESULT"],
    tries.map((one, index) => [index + 1, at(one.at, now), one.durationMs, one.result]),
  );
}

function at(time: number, now: number): string {
  return `${iso(time)} (${relative(time, now)})`;
}
