/**
 * @module What outlives a dead instance: the database, the receivers, and what the senders were told.
 */

import type { KvAccess } from "../../leads/kv/guard.ts";
import { keys } from "../../leads/kv/keys.ts";
import { LEASE_MS } from "../../leads/outbox.ts";
import { addressOf, leadOf, statusesOf } from "../support/crowd.ts";
import { type TestApp, withApp } from "../support/test_app.ts";
import { pause, until } from "../support/until.ts";
import { inconsistencies } from "./consistency.ts";
import { Recorder } from "./recorder.ts";

/** What a receiver's answer may depend on. */
interface ReceiverRequest {
  readonly host: string;
  /** How many this host has had before. */
  readonly n: number;
  /** Whether the first instance is alive. */
  readonly alive: boolean;
}

/** One course of events, and how it has to end. */
export interface Scenario {
  readonly name: string;
  /** Hosts that leads go to. */
  readonly targets: readonly string[];
  readonly status: (request: ReceiverRequest) => number;
  /** How a delivery stands in the end, whatever happened in between. */
  readonly end: "delivered" | "dead";
  /** What the senders of an undisturbed run are told, lead by lead. */
  readonly answers: readonly (readonly number[])[];
  /** How many leads an undisturbed run has in its largest commit, where that matters. */
  readonly together?: number;
  /** Puts a fault between the first instance and its database. */
  readonly wrapKv?: (kv: KvAccess) => KvAccess;
  readonly play: (stage: Stage) => Promise<void>;
}

/** What a scenario may do with the first instance. */
export interface Stage {
  readonly app: TestApp;
  readonly recorder: Recorder;
  /** Sends the n-th lead, by default the first, and waits for the answer. */
  send(n?: number, address?: string): Promise<void>;
  /** Lets the next alarm go off and waits until all it led to is done. */
  alarm(): Promise<void>;
  /** Keeps the receivers from answering; resolves `arrived` with the next lead, or with death. */
  hold(): { arrived(): Promise<void>; release(): void };
}

/** One request that a receiver took note of. */
interface Visit {
  readonly host: string;
  readonly id: string;
  /** Names the lead. */
  readonly company: string;
  readonly status: number;
}

/** A lead that is held in the end, and the state of each of its deliveries. */
interface Held {
  readonly id: string;
  readonly states: readonly string[];
}

/** What became of one lead. */
export interface Fate {
  /** What its senders heard before the death. */
  readonly answers: readonly number[];
  readonly visits: readonly Visit[];
  /** Those of them that were made after the death. */
  readonly visitsAfterDeath: readonly Visit[];
  readonly held: readonly Held[];
  /** How often it is held after its sender, knowing no better, has sent it once more. */
  readonly heldAfterResending: number;
}

/** Everything that has to be judged after a run. */
export interface Run {
  readonly scenario: Scenario;
  readonly recorder: Recorder;
  readonly fates: readonly Fate[];
  /** How many leads went into the database in one commit, at the most. */
  readonly together: number;
  readonly inconsistentAtDeath: readonly string[];
  readonly inconsistentInTheEnd: readonly string[];
}

/** Plays a scenario on a fresh database up to a point, then lets a second instance clear up. */
export async function runTo(point: number, scenario: Scenario): Promise<Run> {
  const recorder = new Recorder(point);
  const answers: number[][] = scenario.answers.map(() => []);
  const visits: Visit[] = [];
  let gate: PromiseWithResolvers<void> | undefined;
  const run: Run[] = [];

  async function receive(input: Request | URL | string, init?: RequestInit): Promise<Response> {
    const { host } = new URL(input instanceof Request ? input.url : input);
    const id = new Headers(init?.headers).get("webhook-id") ?? "";
    const { company } = JSON.parse(String(init?.body)).data;
    const n = visits.filter((visit) => visit.host === host).length;
    const status = scenario.status({ host, n, alive: !recorder.dead });
    visits.push({ host, id, company, status });
    return await Promise.resolve(new Response(null, { status }));
  }

  async function post(...request: Parameters<typeof fetch>): Promise<Response> {
    const response = await recorder.call("post", () => receive(...request));
    await gate?.promise;
    return await recorder.call("its answer", () => Promise.resolve(response));
  }

  const env = { LEAD_TARGETS: scenario.targets.map((host) => `https://${host}/leads`).join(" ") };
  const wrapKv = (kv: Deno.Kv) => recorder.kv(scenario.wrapKv?.(kv) ?? kv);
  await withFetch(post, () =>
    withApp(async (app) => {
      await scenario.play({
        app,
        recorder,
        async send(n = 0, address = addressOf(n)) {
          let over = false;
          const answer = app.postLead(leadOf(n), address).then((response) => {
            if (!recorder.dead) answers[n]!.push(response.status); // heard as soon as it is given
            return response.body?.cancel();
          }).finally(() => over = true);
          // A dead instance waits in vain until its time is up.
          while (!over) {
            await pause(0);
            if (recorder.dead && !over) app.clock.advance(app.clock.nextIn ?? 0);
          }
          await answer;
        },
        async alarm() {
          await recorder.quiet();
          app.clock.advance(app.clock.nextIn ?? 0);
          await recorder.quiet();
        },
        hold() {
          const before = visits.length;
          gate = Promise.withResolvers<void>();
          return {
            arrived: () => until("a lead", () => visits.length > before || recorder.dead),
            release: () => gate?.resolve(),
          };
        },
      });
      await recorder.quiet();
      recorder.die();
      const together = await largestCommit(app.kv);
      const visitsAtDeath = visits.length;
      const inconsistentAtDeath = await inconsistencies(app.kv);
      await withFetch(receive, () =>
        withApp(async (second) => {
          await clearUp(second, { kv: app.kv, now: app.clock.now() });
          const inconsistentInTheEnd = await inconsistencies(app.kv);
          const held = await heldIn(app);
          const made = visits.slice();
          await statusesOf(answers.map((_, n) => second.postLead(leadOf(n), "192.0.2.77")));
          const heldAfterResending = await heldIn(app);
          const fates = answers.map((heard, n): Fate => {
            const { company } = leadOf(n);
            const isOfLead = (visit: Visit) => visit.company === company;
            return {
              answers: heard,
              visits: made.filter(isOfLead),
              visitsAfterDeath: made.slice(visitsAtDeath).filter(isOfLead),
              held: held.get(company) ?? [],
              heldAfterResending: heldAfterResending.get(company)?.length ?? 0,
            };
          });
          run.push({
            scenario,
            recorder,
            fates,
            together,
            inconsistentAtDeath,
            inconsistentInTheEnd,
          });
        }, { env, wrapKv: () => app.kv }));
    }, { env, wrapKv }));
  return run[0]!;
}

/** What is held, by company. */
async function heldIn({ store }: TestApp): Promise<Map<string, Held[]>> {
  const held = new Map<string, Held[]>();
  for await (const { id, lead: { company }, deliveries } of store.all()) {
    const states = Object.values(deliveries).map(({ state }) => state);
    held.set(company, [...held.get(company) ?? [], { id, states }]);
  }
  return held;
}

/** Entries of the index by person are written once, so that their versionstamps tell their commits. */
async function largestCommit(kv: Deno.Kv): Promise<number> {
  const index = kv.list({ prefix: keys.person("").slice(0, -1) });
  const commits = Map.groupBy(await Array.fromAsync(index), ({ versionstamp }) => versionstamp);
  return Math.max(0, ...commits.values().map(({ length }) => length));
}

const MOST_ROUNDS = 100;

/** Starts after every lease of the dead instance has run out, and works until the queue is empty. */
async function clearUp(
  { leads, clock }: TestApp,
  { kv, now }: { readonly kv: Deno.Kv; readonly now: number },
): Promise<void> {
  clock.advance(now - clock.now() + LEASE_MS);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    await leads.runMaintenance();
    const queue = kv.list({ prefix: ["frontdoor1", "due"] }, { limit: 1 });
    if ((await Array.fromAsync(queue)).length === 0) return;
    clock.advance(clock.nextIn ?? LEASE_MS);
  }
  throw new Error(`Cannot empty the queue in ${MOST_ROUNDS} rounds`);
}

/** Stands in for the network while `work` runs. */
async function withFetch(stand: typeof fetch, work: () => Promise<void>): Promise<void> {
  const network = globalThis.fetch;
  globalThis.fetch = stand;
  try {
    await work();
  } finally {
    globalThis.fetch = network;
  }
}
