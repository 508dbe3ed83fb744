/** @module Runs a scenario up to a crash, and records what a second instance makes of it. */

import type { KvAccess } from "../../leads/kv/guard.ts";
import { keys } from "../../leads/kv/keys.ts";
import { LEASE_MS } from "../../leads/outbox.ts";
import type { LeadRecord } from "../../leads/lead.ts";
import { addressOf, leadOf, statusesOf, stored } from "../support/sent_leads.ts";
import { startApp, type TestApp } from "../support/test_app.ts";
import { pause, until } from "../support/until.ts";
import { inconsistencies } from "./consistency.ts";
import { Recorder } from "./recorder.ts";

export interface Scenario {
  readonly name: string;
  readonly targets: readonly string[];
  /** The status of a host's n-th response, while the first instance is alive and afterwards. */
  readonly status: (request: { host: string; n: number; alive: boolean }) => number;
  /** The statuses of each lead in a run without a crash. */
  readonly answers: readonly (readonly number[])[];
  /** How many leads the largest commit of such a run has. */
  readonly together?: number;
  /** Puts a fault between the first instance and its database. */
  readonly wrapKv?: (kv: KvAccess) => KvAccess;
  readonly play: (stage: Stage) => Promise<void>;
}

export interface Stage {
  readonly recorder: Recorder;
  /** Sends the n-th lead, by default the first, and waits for the answer. */
  send(n?: number, address?: string): Promise<void>;
  /** Triggers the next alarm and waits for its effects. */
  alarm(): Promise<void>;
  /** Delays the receivers' responses; resolves `arrived` with the next lead, or with the crash. */
  hold(): { arrived(): Promise<void>; release(): void };
}

interface Visit {
  readonly host: string;
  readonly webhookId: string;
  readonly company: string;
  readonly status: number;
  readonly phase: "before the crash" | "after it" | "sent again";
}

export interface Run {
  readonly scenario: Scenario;
  readonly recorder: Recorder;
  /** The statuses that each lead was answered, before it was sent again. */
  readonly answers: readonly (readonly number[])[];
  readonly visits: readonly Visit[];
  readonly together: number;
  readonly stored: readonly LeadRecord[];
  readonly storedAfterResending: readonly LeadRecord[];
  /** At the crash and in the end. */
  readonly inconsistencies: readonly string[];
}

/** Plays a scenario on a fresh database up to a crash; then a second instance delivers the rest. */
export async function runTo(point: number, scenario: Scenario): Promise<Run> {
  const recorder = new Recorder(point);
  const answers: number[][] = scenario.answers.map(() => []);
  const visits: Visit[] = [];
  let phase: Visit["phase"] = "before the crash";
  let gate: PromiseWithResolvers<void> | undefined;

  async function receive(input: Request | URL | string, init?: RequestInit): Promise<Response> {
    const { host } = new URL(input instanceof Request ? input.url : input);
    const webhookId = new Headers(init?.headers).get("webhook-id") ?? "";
    const { company } = JSON.parse(String(init?.body)).data;
    const n = visits.filter((visit) => visit.host === host).length;
    const status = scenario.status({ host, n, alive: !recorder.dead });
    visits.push({ host, webhookId, company, status, phase });
    return await Promise.resolve(new Response(null, { status }));
  }

  async function post(...request: Parameters<typeof fetch>): Promise<Response> {
    const response = await recorder.call("post", () => receive(...request));
    await gate?.promise;
    return await recorder.call("its answer", () => Promise.resolve(response));
  }

  const env = { LEAD_TARGETS: scenario.targets.map((host) => `https://${host}/leads`).join(" ") };
  const wrapKv = (kv: Deno.Kv) => recorder.kv(scenario.wrapKv?.(kv) ?? kv);
  using _network = replaceFetch(post);
  await using app = await startApp({ env, wrapKv });
  await scenario.play({
    recorder,
    async send(n = 0, address = addressOf(n)) {
      let over = false;
      const answer = app.postLead(leadOf(n), address).then((response) => {
        if (!recorder.dead) answers[n]!.push(response.status); // recorded at once
        return response.body?.cancel();
      }).finally(() => over = true);
      // A dead instance waits for its timeouts.
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
  recorder.dead = true;
  phase = "after it";
  const together = await largestCommit(app.kv);
  const found = await inconsistencies(app.kv);
  using _targets = replaceFetch(receive);
  await using second = await startApp({ env, wrapKv: () => app.kv });
  await clearUp(second, { kv: app.kv, now: app.clock.now() });
  found.push(...await inconsistencies(app.kv));
  const before = await stored(app);
  phase = "sent again";
  await statusesOf(answers.map((_, n) => second.postLead(leadOf(n), "192.0.2.77")));
  const after = await stored(app);
  const results = { stored: before, storedAfterResending: after, inconsistencies: found };
  return { scenario, recorder, answers, visits, together, ...results };
}

/** Entries of the index by person are written once, so that their versionstamps identify commits. */
async function largestCommit(kv: Deno.Kv): Promise<number> {
  const index = kv.list({ prefix: keys.person("").slice(0, -1) });
  const commits = Map.groupBy(await Array.fromAsync(index), ({ versionstamp }) => versionstamp);
  return Math.max(0, ...commits.values().map(({ length }) => length));
}

/** Delivers everything after the leases of the dead instance have expired. */
async function clearUp(
  { leads, clock }: TestApp,
  { kv, now }: { readonly kv: Deno.Kv; readonly now: number },
): Promise<void> {
  clock.advance(now - clock.now() + LEASE_MS);
  for (let round = 0; round < 100; round++) {
    await leads.runMaintenance();
    const queue = kv.list({ prefix: ["frontdoor1", "due"] }, { limit: 1 });
    if ((await Array.fromAsync(queue)).length === 0) return;
    clock.advance(clock.nextIn ?? LEASE_MS);
  }
  throw new Error(`Cannot empty the queue in 100 rounds`);
}

function replaceFetch(stand: typeof fetch): Disposable {
  const network = globalThis.fetch;
  globalThis.fetch = stand;
  return { [Symbol.dispose]: () => void (globalThis.fetch = network) };
}
