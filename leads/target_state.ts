/** @module How targets are doing and which leads none gets, read from the store, for operators. */

import type { Target } from "./delivery/target.ts";
import { latestRound, type LeadRecord } from "./lead.ts";
import { type LeadStore, UnusableLead } from "./ports.ts";

/** The attempts of so many leads are looked at: those that are due next, and the newest. */
const LOOKED_AT = 10;

/** Times in epoch milliseconds. */
export interface TargetState {
  readonly target: string;
  /** Counted up to a bound. */
  readonly waiting: number;
  /** When the oldest of them arrived. */
  readonly oldest: number | undefined;
  /** The first of the failures since it last took a lead; undefined: it is not known to fail. */
  readonly failingSince: number | undefined;
  /** When it last took one of the newest leads; undefined: that is not known. */
  readonly acceptedAt: number | undefined;
  /** The result of the last failure that is known. */
  readonly result: string | undefined;
  readonly nextAttempt: number | undefined;
}

type Store = Pick<LeadStore, "pause" | "queue" | "backlog" | "get" | "all">;

export async function targetStates(
  store: Store,
  { targets, now }: { readonly targets: readonly string[]; readonly now: number },
): Promise<TargetState[]> {
  const newest = await newestLeads(store, LOOKED_AT);
  return await Promise.all(targets.map((target) => targetState(store, { target, newest, now })));
}

export async function newestLeads(
  store: Pick<LeadStore, "all">,
  most: number,
): Promise<LeadRecord[]> {
  const records: LeadRecord[] = [];
  for await (const record of store.all({ reverse: true, most })) {
    if (records.push(record) === most) break;
  }
  return records;
}

async function targetState(
  store: Store,
  { target, newest, now }: {
    readonly target: string;
    readonly newest: readonly LeadRecord[];
    readonly now: number;
  },
): Promise<TargetState> {
  const [{ value: pause }, jobs, { depth, oldestAgeMs }] = await Promise.all([
    store.pause(target),
    store.queue(target, { most: LOOKED_AT }),
    store.backlog(target),
  ]);
  const records = await Promise.all(jobs.map(({ id }) => usable(store.get(id))));
  const acceptedAt = Math.max(
    0,
    ...newest.map(({ deliveries }) => {
      const { state, due = 0 } = deliveries[target] ?? {};
      return state === "delivered" ? due : 0;
    }),
  );
  // Before it last took a lead, an attempt failed because of its lead, and a pause is left over.
  const failures = records.flatMap((record) => {
    const delivery = record?.deliveries[target];
    return delivery?.state === "waiting" ? latestRound(delivery) : [];
  }).filter(({ at }) => at > acceptedAt).sort((a, b) => a.at - b.at);
  const starts = [pause?.since ?? 0, failures[0]?.at ?? 0].filter((at) => at > acceptedAt);
  const due = jobs[0]?.due;
  return {
    target,
    waiting: depth,
    oldest: depth === 0 ? undefined : now - oldestAgeMs,
    failingSince: starts.length === 0 ? undefined : Math.min(...starts),
    acceptedAt: acceptedAt === 0 ? undefined : acceptedAt,
    result: failures.at(-1)?.result,
    nextAttempt: due === undefined ? undefined : Math.max(due, pause?.until ?? 0),
  };
}

/** An unusable lead tells nothing of its target. */
function usable(work: Promise<LeadRecord | null>): Promise<LeadRecord | null> {
  return work.catch((error: unknown) => {
    if (error instanceof UnusableLead) return null;
    throw error;
  });
}

/** Leads that no target gets: there was none when they came, or theirs is gone. */
interface Stranded {
  /** Counted up to a bound. */
  readonly leads: number;
  /** Undefined: there was none. */
  readonly target?: string;
  readonly message: string;
  readonly fix: string;
}

/** Counts them. @param targets the configured ones; undefined if they are not known here */
export async function strandedLeads(
  store: Pick<LeadStore, "countStored" | "targetsWithWaitingLeads" | "backlog">,
  targets: readonly Pick<Target, "id">[] | undefined,
): Promise<Stranded[]> {
  const found: Stranded[] = [];
  function add(leads: number, [one, more]: string[], rest: Pick<Stranded, "fix" | "target">) {
    const message = leads === 1 ? `1 lead ${one}` : `${leads} leads ${more}`;
    if (leads > 0) found.push({ leads, message, ...rest });
  }
  const send = "deno task leads send";
  const stored = ["is stored and goes nowhere", "are stored and go nowhere"];
  add(await store.countStored(), stored, { fix: `${send} --stored` });
  for (const target of targets === undefined ? [] : await store.targetsWithWaitingLeads()) {
    if (targets?.some(({ id }) => id === target)) continue;
    const { depth } = await store.backlog(target);
    const object = `for ${target}, which is not in LEAD_TARGETS`;
    add(depth, [`waits ${object}`, `wait ${object}`], { target, fix: `${send} --from ${target}` });
  }
  return found;
}
