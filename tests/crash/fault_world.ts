/**
 * @module What outlives a dead instance: the database, the receivers, and what the senders were told.
 */

import type { KvAccess } from "../../leads/kv/guard.ts";
import { LEASE_MS } from "../../leads/outbox.ts";
import { LEAD, type TestApp, withApp } from "../support/test_app.ts";
import { until } from "../support/until.ts";
import { inconsistencies } from "./consistency.ts";
import { Recorder } from "./recorder.ts";

/** One course of events, and how it has to end. */
export interface Scenario {
  readonly name: string;
  /** Hosts that leads go to. */
  readonly targets: readonly string[];
  /** The status of a host's n-th answer, from 0. */
  readonly status: (n: number, host: string) => number;
  /** How a delivery stands in the end, whatever happened in between. */
  readonly end: "delivered" | "dead";
  /** What the senders of an undisturbed run are told. */
  readonly answers: readonly number[];
  /** Puts a fault between the first instance and its database. */
  readonly wrapKv?: (kv: KvAccess) => KvAccess;
  readonly play: (stage: Stage) => Promise<void>;
}

/** What a scenario may do with the first instance. */
export interface Stage {
  readonly app: TestApp;
  readonly recorder: Recorder;
  /** Sends the one lead of the scenario and waits for the answer. */
  send(address?: string): Promise<void>;
  /** Lets the next alarm go off and waits until all it led to is done. */
  alarm(): Promise<void>;
  /** Keeps the receivers from answering; resolves `arrived` with the next lead, or with death. */
  hold(): { arrived(): Promise<void>; release(): void };
}

/** One request that a receiver took note of. */
interface Visit {
  readonly host: string;
  readonly id: string;
  readonly status: number;
}

/** Everything that has to be judged after a run. */
export interface Run {
  readonly scenario: Scenario;
  readonly recorder: Recorder;
  /** What senders heard before the death. */
  readonly answers: readonly number[];
  readonly visits: readonly Visit[];
  /** How many of the visits had been made at the death. */
  readonly visitsAtDeath: number;
  readonly inconsistentAtDeath: readonly string[];
  readonly inconsistentInTheEnd: readonly string[];
  /** The state of each delivery of each lead that is held in the end. */
  readonly held: readonly { readonly id: string; readonly states: readonly string[] }[];
  /** Leads held after the sender, knowing no better, has sent the lead once more. */
  readonly heldAfterResending: number;
}

/** Plays a scenario on a fresh database up to a point, then lets a second instance clear up. */
export async function runTo(point: number, scenario: Scenario): Promise<Run> {
  const recorder = new Recorder(point);
  const answers: number[] = [];
  const visits: Visit[] = [];
  let gate: PromiseWithResolvers<void> | undefined;
  const run: Run[] = [];

  function receive(input: Request | URL | string, init?: RequestInit): Promise<Response> {
    const { host } = new URL(input instanceof Request ? input.url : input);
    const id = new Headers(init?.headers).get("webhook-id") ?? "";
    const status = scenario.status(visits.filter((visit) => visit.host === host).length, host);
    visits.push({ host, id, status });
    return Promise.resolve(new Response(null, { status }));
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
        async send(address) {
          let over = false;
          const answer = app.postLead(LEAD, address).finally(() => over = true);
          // A dead instance asks in vain for what it is in doubt of, until its time is up.
          while (!over) {
            await new Promise((resolve) => setTimeout(resolve, 0));
            if (recorder.dead && !over) app.clock.advance(app.clock.nextIn ?? 0);
          }
          const { status, body } = await answer;
          await body?.cancel();
          if (!recorder.dead) answers.push(status);
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
      const visitsAtDeath = visits.length;
      const inconsistentAtDeath = await inconsistencies(app.kv);
      await withFetch(receive, () =>
        withApp(async (second) => {
          await clearUp(second, { kv: app.kv, now: app.clock.now() });
          const inconsistentInTheEnd = await inconsistencies(app.kv);
          const held = (await Array.fromAsync(app.store.all())).map(({ id, deliveries }) => ({
            id,
            states: Object.values(deliveries).map(({ state }) => state),
          }));
          const made = visits.slice();
          await (await second.postLead(LEAD, "192.0.2.77")).body?.cancel();
          const heldAfterResending = (await Array.fromAsync(app.store.all())).length;
          run.push({
            scenario,
            recorder,
            answers,
            visits: made,
            visitsAtDeath,
            inconsistentAtDeath,
            inconsistentInTheEnd,
            held,
            heldAfterResending,
          });
        }, { env, wrapKv: () => app.kv }));
    }, { env, wrapKv }));
  return run[0]!;
}

const MOST_ROUNDS = 100;

/** Starts after every lease of the dead instance has run out, and works until the queue is empty. */
async function clearUp(
  { leads, clock }: TestApp,
  { kv, now }: { readonly kv: Deno.Kv; readonly now: number },
): Promise<void> {
  clock.advance(now - clock.now() + LEASE_MS);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    await leads.tend();
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
