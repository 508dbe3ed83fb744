/** @module Which leads a command is about: the options that say so, and the leads they choose. */

import { type Command, InvalidArgumentError, Option } from "commander";
import type { LeadRecord } from "../../leads/lead.ts";
import type { OperatorStore } from "../../leads/store.ts";
import { LeadRequest } from "../../schemas/lead.ts";
import { MOMENT, type Moment, parseMoment } from "./time.ts";

/** The state of a lead as a whole; `stored`: there was no target when it arrived. */
const STATES = ["waiting", "delivered", "dead", "stored"] as const;

/** One of {@link STATES}. */
export type State = typeof STATES[number];

/** The plan of a lead without one. */
const NO_PLAN = "none";
const PLANS = [...LeadRequest.shape.plan.unwrap().options, NO_PLAN];
const LOCALES = LeadRequest.shape.locale.options;

/** The values of the options; an absent one matches all leads. */
export interface Filter {
  readonly state?: State;
  readonly plan?: string;
  readonly locale?: string;
  readonly since?: Moment;
  readonly until?: Moment;
}

/** Adds the options of {@link Filter} to a command. */
export function withFilter(command: Command, now: () => number): Command {
  function moment(text: string): Moment {
    const found = parseMoment(text, now());
    if (found === undefined) throw new InvalidArgumentError(`It must be ${MOMENT}.`);
    return found;
  }
  const state = "state of the worst delivery; stored: no target was set when the lead came";
  return command
    .addOption(new Option("--state <state>", state).choices(STATES))
    .addOption(new Option("--plan <plan>", "requested plan").choices(PLANS))
    .addOption(new Option("--locale <locale>", "language").choices(LOCALES))
    .option("--since <time>", `received then or later: ${MOMENT}`, moment)
    .option("--until <time>", "received earlier; a day is included", moment);
}

/** The leads that a filter matches, by arrival. One at a time is held in memory. */
export async function* select(
  store: Pick<OperatorStore, "all">,
  { state, plan, locale, since, until }: Filter,
): AsyncIterable<LeadRecord> {
  for await (const record of store.all()) {
    if (record.receivedAt >= (until?.to ?? Infinity)) return; // what follows came later still
    const matches = record.receivedAt >= (since?.from ?? -Infinity) &&
      (state === undefined || stateOf(record) === state) &&
      (plan === undefined || planOf(record) === plan) &&
      (locale === undefined || record.lead.locale === locale);
    if (matches) yield record;
  }
}

/** The plan that a lead counts as. */
export function planOf({ lead }: LeadRecord): string {
  return lead.plan ?? NO_PLAN;
}

/** The state of a lead as a whole: that of its worst delivery. */
export function stateOf({ deliveries }: Pick<LeadRecord, "deliveries">): State {
  const states = Object.values(deliveries).map(({ state }) => state);
  if (states.length === 0) return "stored";
  return (["dead", "waiting"] as const).find((state) => states.includes(state)) ?? "delivered";
}
