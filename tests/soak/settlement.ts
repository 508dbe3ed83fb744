/** @module What lies in the stores when the traffic is over, and whether all that was told is true. */

import { targetId } from "../../leads/delivery/target.ts";
import { createKvStore } from "../../leads/kv/store.ts";
import type { LeadStore } from "../../leads/store.ts";
import { type Delivery, isDelivered } from "../../leads/lead.ts";
import { LEASE_MS } from "../../leads/outbox.ts";
import { Sealer } from "../../leads/sealing.ts";
import { inconsistencies } from "../crash/consistency.ts";
import { pause } from "../crash/random.ts";
import { Ledger } from "../support/ledger.ts";
import { companiesInTheGap } from "./gap.ts";
import { DATABASE, type Soaked } from "./services.ts";
import type { Target } from "./target.ts";
import { idFaults } from "./verdicts.ts";

/** A store as its operator sees it. */
interface Store {
  readonly name: string;
  readonly kv: Deno.Kv;
  readonly leads: LeadStore;
}

/** How deliveries stand. */
export interface Standing {
  readonly delivered: number;
  readonly waiting: number;
  readonly dead: number;
  /** Waiting, and due for longer than it takes any service to notice. */
  readonly overdue: number;
}

/** Services look for work that others have left each minute; what comes up then may take a while. */
const OVERDUE_MS = 90_000;

const DRAIN_WITHIN_MS = 180_000;

/** What came out in the end. */
export interface Settlement {
  /** When the traffic had ended. */
  readonly standing: Standing;
  /** From the moment in which everything was made due. */
  readonly drainSeconds: number;
  /** Told lost and delivered after all, as the README says may happen. */
  readonly inTheGap: number;
  /** Contradictions between what senders were told and what is. */
  readonly broken: readonly string[];
  /** Entries of the databases that contradict their leads. */
  readonly contradictions: readonly string[];
}

/** What a settlement looks at. */
export interface Settling {
  readonly services: readonly Soaked[];
  readonly target: Target;
  readonly ledger: Ledger;
  /** Where denokv is. */
  readonly denokv: string;
  readonly progress: (line: string) => void;
}

/** Counts, lets the services deliver everything, ends them, and holds all against the ledger. */
export function settle(
  { services, target, ledger, denokv, progress }: Settling,
): Promise<Settlement> {
  return withStores(services, denokv, async (stores) => {
    progress("looking at the stores");
    const standing = await standingOf(stores);
    const early = await contradictions(stores);
    progress(`waiting for ${standing.waiting + standing.dead} leads to be delivered`);
    const began = Date.now();
    const emptied = await deliverAll(stores, target);
    const drainSeconds = Math.round((Date.now() - began) / 1_000);
    await Promise.all(services.map((service) => service.end()));
    const inTheGap = companiesInTheGap(services, target.taken);
    const broken = [
      ...await withAmbiguous(ledger, inTheGap).faults(
        { store: { all: () => allLeads(stores) }, received: target.taken },
        { repeats: true },
      ),
      ...idFaults(ledger.answers, target.taken),
    ];
    return {
      standing,
      drainSeconds,
      inTheGap: inTheGap.size,
      broken: emptied ? broken : ["the queues did not become empty", ...broken],
      contradictions: [...new Set([...early, ...await contradictions(stores)])],
    };
  });
}

/** The same answers, but that a 502 is no word on leads in the gap. */
function withAmbiguous({ answers }: Ledger, inTheGap: ReadonlySet<string>): Ledger {
  const ledger = new Ledger();
  ledger.answers.push(
    ...answers.map((answer) =>
      answer.status === 502 && inTheGap.has(answer.company) ? { ...answer, status: 0 } : answer
    ),
  );
  return ledger;
}

/** Opens each store of the services once; those on denokv past the proxy. */
async function withStores<T>(
  services: readonly Soaked[],
  denokv: string,
  work: (stores: readonly Store[]) => Promise<T>,
): Promise<T> {
  const places = new Map(
    services.map(({ store, folder }) =>
      [store, store === "denokv" ? denokv : `${folder}/${DATABASE}`] as const
    ),
  );
  const stores = await Promise.all([...places].map(async ([name, place]) => {
    const kv = await Deno.openKv(place);
    const leads = createKvStore({
      open: () => Promise.resolve(kv),
      now: Date.now,
      sealer: new Sealer([]),
      retentionMs: Infinity,
    });
    return { name, kv, leads };
  }));
  try {
    return await work(stores);
  } finally {
    for (const { kv } of stores) kv.close();
  }
}

async function* allLeads(stores: readonly Store[]) {
  for (const { leads } of stores) yield* leads.all();
}

/** How all deliveries stand at the moment. */
async function standingOf(stores: readonly Store[]): Promise<Standing> {
  const all: Delivery[] = [];
  for await (const { deliveries } of allLeads(stores)) all.push(...Object.values(deliveries));
  const late = Date.now() - OVERDUE_MS;
  const count = (which: (delivery: Delivery) => boolean) => all.filter(which).length;
  return {
    delivered: count(({ state }) => state === "delivered"),
    waiting: count(({ state }) => state === "waiting"),
    dead: count(({ state }) => state === "dead"),
    overdue: count(({ state, due }) => state === "waiting" && due < late),
  };
}

/**
 * Makes due what waits for its next try or was refused for good, as `leads retry` does, and waits until
 * the services have delivered everything.
 *
 * @returns whether they have, in time
 */
async function deliverAll(stores: readonly Store[], target: Target): Promise<boolean> {
  const now = Date.now();
  for (const { leads } of stores) {
    for await (const { id, deliveries } of leads.all()) {
      if (isDelivered(deliveries)) continue;
      await leads.change(id, (all) =>
        Object.fromEntries(
          Object.entries(all).map(([name, delivery]) => [name, madeDue(delivery, now)]),
        ));
    }
  }
  const id = await targetId("webhook", new URL(target.url));
  for (const end = now + DRAIN_WITHIN_MS; Date.now() < end;) {
    await pause(500);
    const next = await Promise.all(stores.map(({ leads }) => leads.nextDue(id)));
    if (next.every((due) => due === undefined)) return true;
  }
  return false;
}

/** What is leased or soon due is left alone: a service may be at it. */
function madeDue(delivery: Delivery, now: number): Delivery {
  const waitsLong = delivery.state === "waiting" && delivery.due > now + LEASE_MS;
  return waitsLong || delivery.state === "dead"
    ? { ...delivery, state: "waiting", due: now }
    : delivery;
}

/**
 * Entries of the databases that contradict their leads. While services are at work an entry may come or
 * go in the middle of the reading: what counts is what is found twice.
 */
async function contradictions(stores: readonly Store[]): Promise<string[]> {
  async function look(): Promise<string[]> {
    const found = await Promise.all(stores.map(({ kv }) => inconsistencies(kv)));
    return found.flatMap((entries, n) => entries.map((entry) => `${stores[n]!.name}: ${entry}`));
  }
  const first = new Set(await look());
  await pause(1_000);
  return (await look()).filter((entry) => first.has(entry));
}
