/** @module Selects leads by options, finds one by its id, and converts leads to JSON. */

import { type Command, InvalidArgumentError, Option } from "commander";
import type { LeadRecord } from "../../leads/lead.ts";
import { ExplainedError } from "../../leads/log.ts";
import { createPseudonyms } from "../../leads/privacy.ts";
import type { LeadStore } from "../../leads/store.ts";
import { LeadRequest } from "../../schemas/lead.ts";
import type { Leads } from "./context.ts";
import { iso, UNITS } from "./text.ts";

/** The state of a lead; `stored`: there was no target when it arrived. */
const STATES = ["waiting", "delivered", "dead", "stored"] as const;

type State = typeof STATES[number];

/** The plan of a lead without one. */
const NO_PLAN = "none";
const PLANS = [...LeadRequest.shape.plan.unwrap().options, NO_PLAN];
const LOCALES = LeadRequest.shape.locale.options;

const MOMENT = "a day (2026-11-21), a time (2026-11-21T12:00, UTC) or a time ago (2d, 12h)";

/** A whole day (`to` is exclusive) or a point in time, in epoch milliseconds. */
interface Moment {
  readonly from: number;
  readonly to: number;
}

/** The parsed options; an absent one matches all leads. */
export interface Filter {
  readonly state?: State;
  readonly plan?: string;
  readonly locale?: string;
  readonly since?: Moment;
  readonly until?: Moment;
  readonly email?: string;
  readonly company?: string;
  readonly text?: string;
}

/** Adds the options of {@link Filter} to a command. */
export function withFilter(command: Command, now: () => number): Command {
  function moment(text: string): Moment {
    const found = parseMoment(text, now());
    if (Number.isNaN(found.from)) throw new InvalidArgumentError(`It must be ${MOMENT}.`);
    return found;
  }
  const state = "state of the worst delivery; stored: no target was configured on arrival";
  return command
    .addOption(new Option("--state <state>", state).choices(STATES))
    .addOption(new Option("--plan <plan>", "requested plan").choices(PLANS))
    .addOption(new Option("--locale <locale>", "language").choices(LOCALES))
    .option("--since <time>", `received then or later: ${MOMENT}`, moment)
    .option("--until <time>", "received earlier; a day is included", moment)
    .option("--email <text>", "a part of the address; letter case does not matter", folded)
    .option("--company <text>", "a part of the company", folded)
    .option("--text <text>", "a part of the message, the company or the address", folded);
}

/** Equal for texts that differ in letter case or in how their accents are composed. */
function folded(text: string): string {
  return text.normalize("NFC").toUpperCase().normalize("NFC");
}

/** NaN if the text names no time. */
function parseMoment(text: string, now: number): Moment {
  const [, n, letter] = /^(\d{1,9})([dhms])$/.exec(text) ?? [];
  const [, ago] = UNITS.find(([unit]) => unit[0] === letter) ?? [];
  if (ago !== undefined) return point(now - Number(n) * ago);
  const [, date, time, zone = "Z"] =
    /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d)?)?$/.exec(text) ??
      [];
  const midnight = Date.parse(date ?? "");
  // 30 February would become 2 March.
  if (Number.isNaN(midnight) || !iso(midnight).startsWith(date!)) return point(NaN);
  if (time === undefined) return { from: midnight, to: midnight + UNITS[0][1] };
  return point(Date.parse(`${date}T${time}${zone}`));
}

function point(at: number): Moment {
  return { from: at, to: at };
}

/** The selected leads in order of arrival, read one at a time. */
export async function* select(
  store: Pick<LeadStore, "all">,
  filter: Filter,
): AsyncIterable<LeadRecord> {
  for await (const record of store.all()) {
    if (record.receivedAt >= (filter.until?.to ?? Infinity)) return; // all that follow are later
    if (matches(record, filter)) yield record;
  }
}

export function matches(
  record: LeadRecord,
  { state, plan, locale, since, until, email, company, text }: Filter,
): boolean {
  const { receivedAt, lead } = record;
  function has(part: string | undefined, ...values: (string | undefined)[]): boolean {
    return part === undefined || values.some((value = "") => folded(value).includes(part));
  }
  return receivedAt >= (since?.from ?? -Infinity) && receivedAt < (until?.to ?? Infinity) &&
    (state === undefined || stateOf(record) === state) &&
    (plan === undefined || planOf(record) === plan) &&
    (locale === undefined || lead.locale === locale) &&
    has(email, lead.email) && has(company, lead.company) &&
    has(text, lead.message, lead.company, lead.email);
}

/** The requested plan, or `none`. */
export function planOf({ lead }: LeadRecord): string {
  return lead.plan ?? NO_PLAN;
}

/** The state of a lead: that of its worst delivery. */
export function stateOf({ deliveries }: Pick<LeadRecord, "deliveries">): State {
  const states = Object.values(deliveries).map(({ state }) => state);
  if (states.length === 0) return "stored";
  return (["dead", "waiting"] as const).find((state) => states.includes(state)) ?? "delivered";
}

/** For the help of commands that call {@link findLeads}. */
export const ID = "a lead's id, or an unambiguous beginning or end of it";

/**
 * The leads whose ids equal, start with or end with the texts, each once, without unusable ones.
 *
 * @throws {Error} if for a text none or more than one matches
 */
export async function findLeads(
  { store, skip }: Pick<Leads, "store" | "skip">,
  texts: readonly string[],
): Promise<LeadRecord[]> {
  const found = new Map<string, LeadRecord>();
  for (const text of texts) {
    const record = await skip(findLead(store, text));
    if (record !== null) found.set(record.id, record);
  }
  return [...found.values()];
}

async function findLead(store: Pick<LeadStore, "get" | "all">, text: string): Promise<LeadRecord> {
  const wanted = text.trim().toLowerCase();
  let found = wanted === "" ? null : await store.get(wanted);
  if (found !== null) return found;
  for await (const record of store.all()) {
    const { id } = record;
    if (wanted === "" || (!id.startsWith(wanted) && !id.endsWith(wanted))) continue;
    if (found !== null) {
      throw new ExplainedError(
        `Cannot tell which lead ${text} is: ${found.id}, ${id} or another one`,
      );
    }
    found = record;
  }
  if (found !== null) return found;
  throw new ExplainedError(
    `Cannot find lead ${text}: no id starts or ends with it; list shows the ids`,
  );
}

/**
 * For the arguments of commands that call {@link personOf}. Leads have the ASCII form of a domain, which
 * browsers send: a person who asks writes `ada@müller.example`.
 */
export function emailAddress(text: string): string {
  const [, local, domain] = /^\s*(.*@)(.*?)\s*$/s.exec(text) ?? [];
  if (domain === undefined) throw new InvalidArgumentError("It must be an email address.");
  const ascii = /[^ -~]/.test(domain) ? URL.parse(`http://${domain}`)?.hostname : undefined;
  return local + (ascii ?? domain);
}

/** The pseudonym of a person in the index. */
export async function personOf({ store }: Pick<Leads, "store">, email: string): Promise<string> {
  return createPseudonyms(await store.secret()).email(email);
}

/** A lead as JSON: times in ISO 8601, content at the top level, deliveries by target. */
export function toJson(record: LeadRecord): Record<string, unknown> {
  const { id, receivedAt, expiresAt, lead, deliveries } = record;
  return {
    id,
    receivedAt: iso(receivedAt),
    expiresAt: iso(expiresAt),
    state: stateOf(record),
    ...lead,
    deliveries: Object.fromEntries(
      Object.entries(deliveries).map(([target, { state, due, tries, omitted }]) => [target, {
        state,
        ...(state === "waiting" ? { due: iso(due) } : {}),
        ...(omitted === undefined ? {} : { omitted }),
        tries: tries.map(({ at, durationMs, result }) => ({ at: iso(at), durationMs, result })),
      }]),
    ),
  };
}
