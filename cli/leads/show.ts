/** @module `show`: one lead with every delivery and every attempt. */

import type { Command } from "commander";
import type { Delivery, LeadRecord } from "../../leads/lead.ts";
import { LEASE_MS } from "../../leads/outbox.ts";
import type { Context } from "./context.ts";
import { findLead, ID, stateOf, toJson } from "./records.ts";
import { count, iso, json, oneLine, relative, table } from "./text.ts";

export function addShow(program: Command, { open, now, out }: Context): void {
  program.command("show")
    .description("show one lead with every delivery and every attempt")
    .argument("<id>", ID)
    .option("--json", "one JSON object")
    .action(async (id: string, options: { json?: true }) => {
      const { store } = await open();
      const record = await findLead(store, id);
      out(options.json ? `${json(toJson(record))}\n` : describe(record, now()));
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
    ...(targets.length === 0
      ? ["", "  No target was configured on arrival: it is only stored."]
      : []),
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
  if (due - now <= LEASE_MS) return "waiting, in progress or due within seconds";
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
