/** @module Selects leads by options: state, time, and an option for each field. */

import { type Command, InvalidArgumentError, Option } from "commander";
import type { Delivery, LeadRecord } from "../../leads/lead.ts";
import { isChoice, LEAD_RULES } from "../../schemas/lead.ts";
import { idAt } from "../../leads/lead_id.ts";
import type { LeadCount, LeadStore } from "../../leads/ports.ts";
import { hasLines, STORED_FIELDS } from "../../schemas/lead_fields.ts";
import { UNITS } from "./text.ts";

/** The state of a lead; `stored`: there was no target when it arrived. */
export const STATES = ["waiting", "delivered", "dead", "stored"] as const;

export type State = typeof STATES[number];

/** The value of an option for leads without that field. */
const NONE = "none";

const MOMENT = "a day (2026-11-21), a time (2026-11-21T12:00, UTC) or a time ago (2d, 12h)";

/** The fields of one line; by their choice, or by a part of their text. */
const LINES = STORED_FIELDS.map(([name]) => name).filter((name) => !hasLines(name));
export const CHOICES = LINES.filter(isChoice);
const TEXTS = LINES.filter((name) => !isChoice(name));

/** The parsed options; an absent one matches all leads. Fields have theirs by their name. */
export interface Filter {
  readonly state?: State | undefined;
  readonly since?: number;
  /** Epoch milliseconds, exclusive. */
  readonly until?: number;
  readonly text?: string;
  /** With a delivery to it. */
  readonly target?: string | undefined;
  readonly [field: string]: unknown;
}

export function withFilter(command: Command, now: () => number): Command {
  const from = (text: string) => momentOf(text, { now: now(), dayMs: 0 });
  const to = (text: string) => momentOf(text, { now: now(), dayMs: UNITS.day });
  const state = "state of the worst delivery; stored: no target was configured on arrival";
  command.addOption(new Option("--state <state>", state).choices(STATES))
    .option("--target <name>", "that went or go to this target; with --state, in that state there");
  for (const name of CHOICES) {
    // Leads may still have a value that is no longer offered.
    const known = [...LEAD_RULES[name]?.enum ?? [], NONE].join(", ");
    command.option(`--${name} <${name}>`, `with this ${name}: ${known}, or an earlier one`);
  }
  command.option("--since <time>", `received then or later: ${MOMENT}`, from)
    .option("--until <time>", "received earlier; a day is included", to);
  for (const name of TEXTS) {
    const part = `a part of the ${name}; letter case does not matter`;
    command.option(`--${name} <text>`, part);
  }
  return command.option("--text <text>", "a part of any text that was written");
}

/** Equal for texts that differ in letter case or in how their accents are composed. */
function folded(text: string): string {
  return text.normalize("NFC").toUpperCase().normalize("NFC");
}

/** Epoch milliseconds; for a day, of its start plus `dayMs`. */
function momentOf(text: string, { now, dayMs }: Record<"now" | "dayMs", number>): number {
  const [, n, letter] = /^(\d{1,9})([dhms])$/.exec(text) ?? [];
  const [, ago] = Object.entries(UNITS).find(([unit]) => unit[0] === letter) ?? [];
  if (ago !== undefined) return now - Number(n) * ago;
  const [, day, time, zone = "Z"] = /^([\d-]{10})(?:T([\d:.]+)(Z|[+-]\d\d:\d\d)?)?$/.exec(text) ??
    [];
  try {
    const { epochMilliseconds } = Temporal.Instant.from(`${day}T${time ?? "00:00"}${zone}`);
    return epochMilliseconds + (time === undefined ? dayMs : 0);
  } catch {
    throw new InvalidArgumentError(`It must be ${MOMENT}.`);
  }
}

/** The selected ones of all leads, by arrival; with `reverse`, the newest first. */
export async function* select(
  store: Pick<LeadStore, "all">,
  { state, target, since = -Infinity, until = Infinity, text, ...fields }: Filter,
  options: Parameters<LeadStore["all"]>[0] = {},
): AsyncIterable<LeadRecord> {
  function has(part: unknown, ...values: (string | undefined)[]): boolean {
    return part === undefined ||
      values.some((value = "") => folded(value).includes(folded(String(part))));
  }
  for await (const record of store.all({ from: idAt(since), ...options })) {
    const { receivedAt, lead } = record;
    const states = Object.entries(record.deliveries).map(([name, { state }]) => [name, state]);
    const values: Readonly<Record<string, string | undefined>> = lead;
    const texts = Object.entries(values).filter(([name]) => !isChoice(name)).map(([, one]) => one);
    // All that follow are later, or earlier.
    if (options.reverse ? receivedAt < since : receivedAt >= until) return;
    if (
      receivedAt >= since && receivedAt < until &&
      isIn(Object.fromEntries(states), { state, target }) &&
      CHOICES.every((name) =>
        fields[name] === undefined || choiceOf(name, lead) === fields[name]
      ) &&
      TEXTS.every((name) => has(fields[name], values[name])) &&
      has(text, ...texts)
    ) yield record;
  }
}

/** Whether a lead with these states at its targets is selected by target and state. */
export function isIn(
  states: LeadCount["states"],
  { state, target }: Pick<Filter, "state" | "target">,
): boolean {
  if (target !== undefined && !Object.hasOwn(states, target)) return false;
  const found = target === undefined ? worstOf(Object.values(states)) : states[target];
  return state === undefined || found === state;
}

/** A lead's choice in a field, or that it has none. */
export function choiceOf(name: string, lead: Readonly<Record<string, string | undefined>>): string {
  return lead[name] ?? NONE;
}

/** The state of a lead: that of its worst delivery. */
export function stateOf({ deliveries }: Pick<LeadRecord, "deliveries">): State {
  return worstOf(Object.values(deliveries).map(({ state }) => state));
}

export function worstOf(states: readonly Delivery["state"][]): State {
  if (states.length === 0) return "stored";
  return (["dead", "waiting"] as const).find((state) => states.includes(state)) ?? "delivered";
}
