/** @module Which leads a command is about: the options that say so, and the leads they choose. */

import { LeadRequest } from "../../schemas/lead.ts";
import type { LeadRecord } from "../../leads/lead.ts";
import type { OperatorStore } from "../../leads/store.ts";
import { oneOf } from "./arguments.ts";
import { type Args, type Options, UsageError } from "./command.ts";
import { MOMENT, parseMoment } from "./time.ts";

/** The state of a lead as a whole; `stored`: there was no target when it arrived. */
const STATES = ["waiting", "delivered", "dead", "stored"] as const;

/** One of {@link STATES}. */
export type State = typeof STATES[number];

/** The plan of a lead without one. */
const NO_PLAN = "none";
const PLANS = [...LeadRequest.shape.plan.unwrap().options, NO_PLAN];
const LOCALES = LeadRequest.shape.locale.options;

/** The options by which leads are chosen. */
export const FILTER_OPTIONS: Options = {
  state: { type: "string", value: "STATE", summary: STATES.join(", ") },
  plan: { type: "string", value: "PLAN", summary: PLANS.join(", ") },
  locale: { type: "string", value: "LOCALE", summary: LOCALES.join(", ") },
  since: { type: "string", value: "TIME", summary: `came then or later: ${MOMENT}` },
  until: { type: "string", value: "TIME", summary: "came earlier; a day is included" },
};

/** The help on these options. */
export const FILTER_HELP =
  "A lead's state is that of its worst delivery: dead before waiting before delivered; stored means " +
  "that no target was set when it came.";

/** Which leads; an undefined member matches all. */
export interface Filter {
  readonly state: State | undefined;
  readonly plan: string | undefined;
  readonly locale: string | undefined;
  /** Epoch milliseconds. */
  readonly since: number;
  /** Epoch milliseconds, exclusive. */
  readonly until: number;
}

/** What the options of a command ask for. @throws {UsageError} for a value that cannot be used */
export function filterOf(args: Args, now: number): Filter {
  return {
    state: oneOf(args, "state", { known: STATES }),
    plan: oneOf(args, "plan", { known: PLANS }),
    locale: oneOf(args, "locale", { known: LOCALES }),
    since: momentOf(args, "since", { now })?.from ?? -Infinity,
    until: momentOf(args, "until", { now })?.to ?? Infinity,
  };
}

function momentOf(args: Args, option: string, { now }: { readonly now: number }) {
  const text = args.values[option];
  if (text === undefined) return undefined;
  const moment = parseMoment(text, now);
  if (moment === undefined) throw new UsageError(`Cannot use --${option} ${text}: it is ${MOMENT}`);
  return moment;
}

/** The leads that a filter lets through, by arrival. One at a time is held in memory. */
export async function* select(
  store: Pick<OperatorStore, "all">,
  filter: Filter,
): AsyncIterable<LeadRecord> {
  for await (const record of store.all()) {
    if (record.receivedAt >= filter.until) return; // what follows came later still
    if (fits(record, filter)) yield record;
  }
}

function fits(record: LeadRecord, { state, plan, locale, since }: Filter): boolean {
  return record.receivedAt >= since &&
    (state === undefined || stateOf(record) === state) &&
    (plan === undefined || planOf(record) === plan) &&
    (locale === undefined || record.lead.locale === locale);
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
