/**
 * @module Kills the real service again and again while leads come in and go out, and says whether a
 * promise was broken.
 */

import { DatabaseSync } from "node:sqlite";
import { targetId } from "../../leads/delivery/target.ts";
import { createKvStore } from "../../leads/kv/store.ts";
import type { LeadStore } from "../../leads/store.ts";
import { Sealer } from "../../leads/sealing.ts";
import { freePort, startService, withFolder } from "../support/service.ts";
import { pause, until } from "../support/until.ts";
import { type Account, account } from "./account.ts";
import { inconsistencies } from "./consistency.ts";
import { type FlakyReceiver, withFlakyReceiver } from "./flaky_receiver.ts";
import { seededRandom } from "./random.ts";
import { type Senders, startSenders } from "./senders.ts";

/** What is to be done. */
export interface KillOptions {
  readonly kills: number;
  readonly seed: number;
  /** The database takes nothing in the second life, and in one of so many after it; 0: never. */
  readonly lockEvery: number;
  /** Called after each kill. */
  readonly progress: (line: string) => void;
}

/** What came of it. */
export interface KillReport extends Account {
  readonly kills: number;
  readonly seed: number;
  /** Tries that the receiver refused, and that it left unanswered. */
  readonly triesRefused: number;
  readonly triesIgnored: number;
  /** From the start of the last process to the empty queue. */
  readonly drainMs: number;
  /** Entries of the database that contradict its leads. */
  readonly inconsistent: readonly string[];
}

/** Where a service that is not told otherwise keeps its database. */
const DATABASE = ".data/frontdoor.sqlite";

/** A process lives so long at the most once it answers. */
const LONGEST_LIFE_MS = 900;

/** Longer than the service waits for its database before it says 502. */
const LOCK_MS = 6_500;

/** Between the end of a lock and the kill, at the most: late commits happen, and are found. */
const SHORT_GASP_MS = 50;
const LONG_GASP_MS = 2_000;

/** An event that is waited for comes within milliseconds, or not at all. */
const PATIENCE_MS = 2_000;

const DRAIN_WITHIN_MS = 90_000;

/** What a run has in hand. */
interface Run {
  readonly folder: string;
  readonly env: Record<string, string>;
  readonly receiver: FlakyReceiver;
  readonly senders: Senders;
  readonly random: () => number;
}

/** Kills so often, drains what is left, and gives the account of it. */
export async function runKills(options: KillOptions): Promise<KillReport> {
  const { kills, seed, lockEvery, progress } = options;
  const random = seededRandom(seed);
  let report: KillReport | undefined;
  await withFolder((folder) =>
    withFlakyReceiver(async (receiver) => {
      const run: Run = {
        folder,
        receiver,
        random,
        senders: startSenders(seededRandom(seed + 1)),
        env: {
          PORT: String(freePort()),
          LEAD_TARGETS: receiver.url,
          LEAD_INLINE_TIMEOUT: "100ms",
          TRUSTED_PROXY_HOPS: "1",
        },
      };
      for (let n = 1; n <= kills; n++) {
        await live(run, { locked: n % lockEvery === 2 % lockEvery });
        const { sent } = run.senders;
        progress(`kill ${n} of ${kills}: ${sent.length} leads, ${receiver.taken.length} taken`);
      }
      progress("waiting for the queue to be empty");
      const drainMs = await drain(run);
      report = { kills, seed, drainMs, ...await settle(run) };
    }, seededRandom(seed + 2))
  );
  return report!;
}

/** One life of the service, from its start to its violent end. */
async function live(run: Run, { locked }: { readonly locked: boolean }): Promise<void> {
  const { folder, env, receiver, senders } = run;
  const service = await startService(folder, env);
  senders.resume(service.url);
  const unlock = await (locked ? starve(run) : theInstant(run));
  const ended = service.end("SIGKILL");
  senders.hold();
  await ended;
  unlock();
  receiver.mood = "flaky";
}

/**
 * An instant within a life. Any may do; some are chosen to lie right behind an arrival at the
 * receiver or behind an answer, where most depends on what is committed already.
 */
async function theInstant({ receiver, senders, random }: Run): Promise<() => void> {
  const kind = random();
  const early = random() < 0.5 ? 5 * random() : 0;
  await pause(LONGEST_LIFE_MS * random());
  if (kind >= 0.6) {
    const event = Promise.withResolvers<void>();
    if (kind < 0.8) receiver.onArrival = event.resolve;
    else senders.onAnswer = () => event.resolve();
    await Promise.race([event.promise, pause(PATIENCE_MS)]);
    await pause(early);
  }
  return () => receiver.onArrival = senders.onAnswer = () => {};
}

/**
 * Locks the database from outside while the receiver refuses, so that the service has to say 502.
 * More often than not the lock goes before the process does, so that what waited for it may happen.
 */
async function starve({ folder, receiver, random }: Run): Promise<() => void> {
  receiver.mood = "refusing";
  const database = new DatabaseSync(`${folder}/${DATABASE}`);
  database.exec("BEGIN IMMEDIATE");
  await pause(LOCK_MS);
  const kind = random();
  const gasp = random();
  if (kind < 0.3) return () => database.close();
  database.close();
  await pause(gasp * (kind < 0.6 ? SHORT_GASP_MS : LONG_GASP_MS));
  return () => {};
}

/** Starts the last process and waits until it has worked off the queue; returns how long it took. */
async function drain({ folder, env, receiver, senders }: Run): Promise<number> {
  const startedAt = Date.now();
  receiver.mood = "prompt";
  const service = await startService(folder, env);
  try {
    senders.resume(service.url);
    await senders.finish();
    const target = await targetId("webhook", new URL(receiver.url));
    await withStore(folder, ({ store }) =>
      until("the queue is empty", async () => {
        await pause(100);
        return await store.nextDue(target) === undefined;
      }, DRAIN_WITHIN_MS));
    return Date.now() - startedAt;
  } finally {
    await service.end();
  }
}

/** Reads what is left, with the service down, and holds it against what was told. */
async function settle({ folder, receiver, senders }: Run) {
  return await withStore(folder, async ({ kv, store }) => ({
    ...account(senders.sent, { stored: await Array.fromAsync(store.all()), taken: receiver.taken }),
    inconsistent: await inconsistencies(kv),
    triesRefused: receiver.refused,
    triesIgnored: receiver.ignored,
  }));
}

async function withStore<T>(
  folder: string,
  work: (open: { kv: Deno.Kv; store: LeadStore }) => Promise<T>,
): Promise<T> {
  const kv = await Deno.openKv(`${folder}/${DATABASE}`);
  const store = createKvStore({
    open: () => Promise.resolve(kv),
    now: Date.now,
    sealer: new Sealer([]),
    retentionMs: Infinity,
  });
  try {
    return await work({ kv, store });
  } finally {
    kv.close();
  }
}
