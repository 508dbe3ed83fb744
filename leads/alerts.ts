/**
 * @module Tells operators what they have to know, at targets that people read: a target that has failed
 * for an hour and accepts leads again, dead letters, stranded leads, and, if wanted, a digest each day.
 *
 * What they have been told is one record in the store. The process that leases it sends, so that of
 * several one does; if that process dies or nothing takes the message, it is sent again.
 */

import { type Clock, DAY_MS, dayOf, HOUR_MS, hourOf } from "../lib/clock.ts";
import type { TimeOfDay } from "../config/settings.ts";
import { type Log, safeReason } from "../lib/log.ts";
import { reasonOf } from "./delivery/failure.ts";
import type { Message, Target } from "./delivery/target.ts";
import { DELIVERY_TIMEOUT_MS } from "./delivery_worker.ts";
import type { AlertState, LeadStore, Tally } from "./ports.ts";
import { strandedLeads, type TargetState, targetStates } from "./target_state.ts";

/** How long a target fails before that is told, and the least time between messages about dead letters. */
const PATIENCE_MS = HOUR_MS;

/** Longer than sending takes; also the pause after a message that nothing took. */
const LEASE_MS = 5 * 60_000;

const REMEMBERED_MS = 48 * HOUR_MS;

export interface AlertDeps {
  readonly store: LeadStore;
  readonly targets: readonly Target[];
  readonly recipients: readonly string[];
  readonly digest: TimeOfDay | undefined;
  readonly siteName: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** What is new: lines to tell, and what has then been told. */
interface News {
  readonly lines: readonly string[];
  readonly told: Partial<AlertState>;
}

/** @returns what is to be run every minute */
export function createAlerts(
  { store, targets, recipients, digest, siteName, clock, log }: AlertDeps,
): () => Promise<void> {
  const names = targets.map(({ id }) => id);
  /** Counting stranded leads reads up to a bound of entries. */
  let strandedAt = -Infinity;

  async function strandedNews(before: number, now: number): Promise<News> {
    if (now - strandedAt < HOUR_MS) return { lines: [], told: {} };
    const found = await strandedLeads(store, targets);
    strandedAt = now;
    const stranded = found.reduce((sum, { leads }) => sum + leads, 0);
    const lines = stranded > before ? found.map(({ message, fix }) => `${message}: ${fix}`) : [];
    return { lines, told: stranded === before ? {} : { stranded } };
  }

  async function deadLetters(now: number): Promise<readonly Tally[]> {
    const tallies = await store.tallies(hourOf(now - REMEMBERED_MS));
    return tallies.filter(({ what }) => what === "dead");
  }

  /** Dead letters from before the first run are not news, nor is the day's digest. */
  async function nothingTold(now: number): Promise<AlertState> {
    const dead = countsOf(await deadLetters(now));
    return { leaseUntil: 0, failing: {}, dead, deadAt: 0, stranded: 0, digest: 0 };
  }

  async function digestOf(states: readonly TargetState[], before: number, now: number) {
    const time = digest === undefined ? 0 : lastTime(digest, now);
    if (time <= before) return undefined;
    const lines = before === 0 ? [] : await digestText(store, states, now); // not for the first time
    return { lines, told: { digest: time } };
  }

  async function send(subject: string, lines: readonly string[]): Promise<boolean> {
    const help = "See all of it: deno task inbox, or deno task leads stats.";
    const message = {
      subject: `[${siteName}] ${subject}`,
      text: [...lines, "", help].join("\n"),
    };
    const sent = await Promise.all(
      targets.filter((target) => recipients.includes(target.id)).map((one) => notify(one, message)),
    );
    return sent.includes(true);
  }

  async function notify({ id: target, notify }: Target, message: Message): Promise<boolean> {
    const late = new AbortController();
    const cancel = clock.after(DELIVERY_TIMEOUT_MS, () => late.abort());
    try {
      const { result = "failed" } = await notify?.(message, late.signal) ?? {};
      if (result !== "ok") {
        log.error("alert.not_sent", { target, result, reason: reasonOf(result) });
      }
      return result === "ok";
    } catch (error) {
      log.error("alert.not_sent", { target, reason: safeReason(error) });
      return false;
    } finally {
      cancel();
    }
  }

  return async () => {
    const now = clock.now();
    const { value, versionstamp } = await store.alerts();
    const before = value ? withoutFuture(value, now) : await nothingTold(now);
    if (before.leaseUntil > now && before.leaseUntil <= now + LEASE_MS) return;
    const states = await targetStates(store, { targets: names, now });
    const news = [
      targetNews(states, before, now),
      deadNews(await deadLetters(now), before, now),
      await strandedNews(before.stranded, now),
    ];
    const daily = await digestOf(states, before.digest, now);
    const told = Object.assign({}, ...news.map(({ told }) => told), daily?.told);
    if (value !== null && Object.keys(told).length === 0) return;
    const leased = await store.setAlerts({ ...before, leaseUntil: now + LEASE_MS }, versionstamp);
    if (leased === null) return; // another process was first
    const lines = news.flatMap(({ lines }) => lines);
    const [first = "Leads of the day", ...more] = lines;
    const subject = more.length > 0 ? `${first} (and ${more.length} more)` : first;
    // One message: of two, the one that was taken would be sent again with the other.
    const all = [...lines, ...daily?.lines ?? []];
    if (all.length === 0 || await send(subject, all)) {
      await store.setAlerts({ ...before, ...told, leaseUntil: 0 }, leased);
    } else strandedAt = -Infinity;
  };
}

/** A clock that was ahead may have left times that are yet to come: all until then would be silent. */
function withoutFuture(told: AlertState, now: number): AlertState {
  const isPast = (at: number) => at <= now + HOUR_MS; // other processes' clocks may differ
  return {
    ...told,
    failing: Object.fromEntries(Object.entries(told.failing).filter(([, since]) => isPast(since))),
    deadAt: isPast(told.deadAt) ? told.deadAt : 0,
    digest: isPast(told.digest) ? told.digest : 0,
  };
}

function targetNews(states: readonly TargetState[], { failing }: AlertState, now: number): News {
  const lines: string[] = [];
  // Another process may have targets that are not known here.
  const known = { ...failing };
  for (const { target, failingSince, acceptedAt = 0, waiting, result } of states) {
    const before = failing[target];
    const isLong = failingSince !== undefined && now - failingSince >= PATIENCE_MS;
    // That no failure is known is not enough: a lead may just have been sent again.
    const isWell = before !== undefined && failingSince === undefined && acceptedAt > before;
    if (before === undefined && isLong) {
      known[target] = failingSince;
      const why = result === undefined ? "" : ` (${reasonOf(result)})`;
      const since = new Date(failingSince).toISOString().slice(0, "2026-11-23T08:00".length);
      const leads = waiting === 1 ? "1 lead waits" : `${waiting} leads wait`;
      lines.push(`${target} has failed since ${since}Z${why}: ${leads}`);
    }
    if (isWell) {
      delete known[target];
      lines.push(`${target} accepts leads again`);
    }
  }
  const isSame = JSON.stringify(known) === JSON.stringify(failing);
  return { lines, told: isSame ? {} : { failing: known } };
}

function countsOf(tallies: readonly Tally[]): Record<string, number> {
  return Object.fromEntries(tallies.map(({ period, name, times }) => [`${period} ${name}`, times]));
}

function deadNews(tallies: readonly Tally[], { dead, deadAt }: AlertState, now: number): News {
  const fresh = new Map<string, number>();
  for (const { period, name, times } of tallies) {
    const more = times - (dead[`${period} ${name}`] ?? 0);
    if (more > 0) fresh.set(name, (fresh.get(name) ?? 0) + more);
  }
  if (fresh.size === 0 || now - deadAt < PATIENCE_MS) return { lines: [], told: {} };
  const lines = [...fresh].map(([target, n]) =>
    `${n} ${n === 1 ? "lead is a dead letter" : "leads are dead letters"} at ${target}: ` +
    "deno task leads list --state dead"
  );
  return { lines, told: { dead: countsOf(tallies), deadAt: now } };
}

/** The last time at which a time of the day was reached, in epoch milliseconds. */
export function lastTime({ hour, minute, zone }: TimeOfDay, now: number): number {
  const here = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone);
  const on = (day: Temporal.ZonedDateTime) => day.withPlainTime({ hour, minute }).epochMilliseconds;
  const today = on(here);
  // From the day: a time that today's change of the clocks leaves out is an hour later today alone.
  return today > now ? on(here.subtract({ days: 1 })) : today;
}

/** Counters alone: nothing of a lead. */
async function digestText(
  store: Pick<LeadStore, "counts" | "tallies">,
  states: readonly TargetState[],
  now: number,
): Promise<string[]> {
  const [counts, tallies] = await Promise.all([
    store.counts(),
    store.tallies(hourOf(now - DAY_MS)),
  ]);
  const onDay = (day: string) =>
    counts.reduce((sum, one) => sum + (one.day === day ? one.leads : 0), 0);
  const dead = counts.filter(({ states }) => Object.values(states).includes("dead"))
    .reduce((sum, { leads }) => sum + leads, 0);
  const refused = new Map<string, number>();
  for (const { what, name, times } of tallies) {
    if (what === "refused") refused.set(name, (refused.get(name) ?? 0) + times);
  }
  const [today, yesterday] = [dayOf(now), dayOf(now - DAY_MS)];
  const reasons = [...refused].map(([reason, times]) => `${reason} ${times}`).join(", ");
  return [
    `Leads: ${onDay(yesterday)} on ${yesterday}, ${onDay(today)} so far on ${today} (UTC)`,
    `Refused in 24 hours: ${reasons || "none"}`,
    `Dead letters, of all leads: ${dead}`,
    ...states.map(({ target, failingSince, waiting }) => {
      const state = failingSince === undefined
        ? "well"
        : `failing since ${new Date(failingSince).toISOString()}`;
      return `${target}: ${state}, ${waiting} waiting`;
    }),
  ];
}
