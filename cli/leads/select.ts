/** @module Selects leads by options, finds one by its id, and converts leads to JSON. */

import { type Command, InvalidArgumentError, Option } from "commander";
import { type LeadRecord, retentionEnd } from "../../leads/lead.ts";
import { ExplainedError } from "../../lib/log.ts";
import { createPseudonyms } from "../../leads/pseudonyms.ts";
import type { LeadStore } from "../../leads/ports.ts";
import { LeadRequest } from "../../schemas/lead.ts";
import type { Context } from "./context.ts";
import { iso, UNITS } from "./text.ts";

/** The state of a lead; `stored`: there was no target when it arrived. */
const STATES = ["waiting", "delivered", "dead", "stored"] as const;

type State = typeof STATES[number];

const NO_PLAN = "none";
const PLANS = [...LeadRequest.shape.plan.unwrap().options, NO_PLAN];
const LOCALES = LeadRequest.shape.locale.options;

const MOMENT = "a day (2026-11-21), a time (2026-11-21T12:00, UTC) or a time ago (2d, 12h)";

/** The parsed options; an absent one matches all leads. */
export interface Filter {
  readonly state?: State;
  readonly plan?: string;
  readonly locale?: string;
  readonly since?: number;
  /** Epoch milliseconds, exclusive. */
  readonly until?: number;
  readonly email?: string;
  readonly company?: string;
  readonly text?: string;
}

export function withFilter(command: Command, now: () => number): Command {
  const from = (text: string) => momentOf(text, { now: now(), dayMs: 0 });
  const to = (text: string) => momentOf(text, { now: now(), dayMs: UNITS.day });
  const state = "state of the worst delivery; stored: no target was configured on arrival";
  return command
    .addOption(new Option("--state <state>", state).choices(STATES))
    .addOption(new Option("--plan <plan>", "requested plan").choices(PLANS))
    .addOption(new Option("--locale <locale>", "language").choices(LOCALES))
    .option("--since <time>", `received then or later: ${MOMENT}`, from)
    .option("--until <time>", "received earlier; a day is included", to)
    .option("--email <text>", "a part of the address; letter case does not matter", folded)
    .option("--company <text>", "a part of the company", folded)
    .option("--text <text>", "a part of the message, the company or the address", folded);
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

/** The selected ones of leads in order of arrival. */
export async function* select(
  records: AsyncIterable<LeadRecord>,
  { state, plan, locale, since = -Infinity, until = Infinity, email, company, text }: Filter,
): AsyncIterable<LeadRecord> {
  function has(part: string | undefined, ...values: (string | undefined)[]): boolean {
    return part === undefined || values.some((value = "") => folded(value).includes(part));
  }
  for await (const record of records) {
    const { receivedAt, lead } = record;
    if (receivedAt >= until) return; // all that follow are later
    if (
      receivedAt >= since &&
      (state === undefined || stateOf(record) === state) &&
      (plan === undefined || planOf(record) === plan) &&
      (locale === undefined || lead.locale === locale) &&
      has(email, lead.email) && has(company, lead.company) &&
      has(text, lead.message, lead.company, lead.email)
    ) yield record;
  }
}

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
  store: Pick<LeadStore, "get" | "all">,
  texts: readonly string[],
  { skip }: Pick<Context, "skip">,
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
  for await (const record of wanted === "" ? [] : store.all()) {
    const { id } = record;
    if (!id.startsWith(wanted) && !id.endsWith(wanted)) continue;
    if (found !== null) {
      const ids = `${found.id}, ${id} or another one`;
      throw new ExplainedError(`Cannot tell which lead ${text} is: ${ids}`);
    }
    found = record;
  }
  if (found !== null) return found;
  const reason = "no id starts or ends with it; list shows the ids";
  throw new ExplainedError(`Cannot find lead ${text}: ${reason}`);
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

export async function personOf(store: Pick<LeadStore, "secret">, email: string): Promise<string> {
  return createPseudonyms(await store.secret()).email(email);
}

/** A lead as JSON: times in ISO 8601, content at the top level, deliveries by target. */
export function toJson(record: LeadRecord): Record<string, unknown> {
  const { id, receivedAt, lead, deliveries } = record;
  const end = retentionEnd(record);
  return {
    id,
    receivedAt: iso(receivedAt),
    expiresAt: end === Infinity ? null : iso(end),
    state: stateOf(record),
    ...lead,
    deliveries: Object.fromEntries(
      Object.entries(deliveries).map((
        [target, { state, due, attempts, omitted, earlier }],
      ) => [target, {
        state,
        ...(state === "waiting" ? { due: iso(due) } : {}),
        ...(omitted === undefined ? {} : { omitted }),
        ...(earlier === undefined ? {} : { earlier }),
        attempts: attempts.map(({ at, durationMs, result }) => ({
          at: iso(at),
          durationMs,
          result,
        })),
      }]),
    ),
  };
}
