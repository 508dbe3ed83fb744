/**
 * @module Runs a scenario up to a crash before or after any call, and records what a second instance makes
 * of it.
 */

import type { KvAccess } from "../../leads/kv/guard.ts";
import { keys } from "../../leads/kv/keys.ts";
import type { LeadRecord } from "../../leads/lead.ts";
import { LEASE_MS } from "../../leads/leases.ts";
import { kvWith } from "../support/kv_with.ts";
import { addressOf, leadOf, statusesOf, stored } from "../support/sent_leads.ts";
import { startApp, type TestApp } from "../support/test_app.ts";
import { pause, until } from "../support/until.ts";
import { inconsistencies } from "./consistency.ts";

export const ONE = "one.example";

export interface Scenario {
  readonly name: string;
  readonly targets?: readonly string[];
  /**
   * The status of a host's n-th response, while the first instance is alive and afterwards; by default
   * 204.
   */
  readonly status?: (request: { host: string; n: number; alive: boolean }) => number;
  /** The statuses of each lead in a run without a crash. */
  readonly answers: readonly (readonly number[])[];
  /** A lead is a dead letter until it is answered twice. */
  readonly diesFirst?: true;
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
    const status = scenario.status?.({ host, n, alive: !recorder.dead }) ?? 204;
    visits.push({ host, webhookId, company, status, phase });
    return await Promise.resolve(new Response(null, { status }));
  }

  async function post(...request: Parameters<typeof fetch>): Promise<Response> {
    const response = await recorder.call("post", () => receive(...request));
    await gate?.promise;
    return await recorder.call("its answer", () => Promise.resolve(response));
  }

  const { targets = [ONE] } = scenario;
  const env = { LEAD_TARGETS: targets.map((host) => `https://${host}/leads`).join(" ") };
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

/** Entries of the index by content are written once, so that their versionstamps identify commits. */
async function largestCommit(kv: Deno.Kv): Promise<number> {
  const index = kv.list({ prefix: keys.same("").slice(0, -1) });
  const commits = Map.groupBy(await Array.fromAsync(index), ({ versionstamp }) => versionstamp);
  return Math.max(0, ...commits.values().map(({ length }) => length));
}

async function clearUp({ leads, clock }: TestApp, { kv, now }: { kv: Deno.Kv; now: number }) {
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

class Recorder {
  readonly calls: string[] = [];
  readonly #deathPoint: number;
  dead = false;
  #underWay = 0;
  #turn: Promise<unknown> = Promise.resolve();

  /** @param deathPoint counted from 0; the n-th call has the points 2n and 2n + 1 */
  constructor(deathPoint: number) {
    this.#deathPoint = deathPoint;
  }

  get place(): string {
    const side = this.#deathPoint % 2 === 0 ? "before" : "after";
    return `${side} call ${this.calls.length} (${this.calls.at(-1)}) of ${this.calls.join(", ")}`;
  }

  async call<T>(name: string, effect: () => Promise<T>): Promise<T> {
    this.#underWay++;
    try {
      if (this.dead) throw new Error("Died");
      const point = 2 * this.calls.push(name) - 2;
      this.#pass(point);
      try {
        return await effect();
      } finally {
        this.#pass(point + 1);
      }
    } finally {
      this.#underWay--;
    }
  }

  /** Like `call`, one at a time in the order of arrival, so that every run has the same order. */
  inOrder<T>(name: string, effect: () => Promise<T>): Promise<T> {
    this.#underWay++;
    const result = this.#turn.then(() => this.call(name, effect)).finally(() => this.#underWay--);
    this.#turn = result.catch(() => {});
    return result;
  }

  async quiet(): Promise<void> {
    // There are only microtasks between two calls: after two idle turns it is idle.
    for (let idle = 0; idle < 2; idle = this.#underWay === 0 ? idle + 1 : 0) await pause(0);
  }

  kv(kv: KvAccess): KvAccess {
    return kvWith(kv, {
      get: (...args) => this.inOrder("get", () => kv.get(...args)),
      getMany: (...args) => this.inOrder("getMany", () => kv.getMany(...args)),
      list: <T>(...args: Parameters<Deno.Kv["list"]>) => this.#list(() => kv.list<T>(...args)),
      commit: (commit) => this.inOrder("commit", commit),
    });
  }

  /** A list is one call: what it reads at once is what the caller asked for. */
  #list<T>(list: () => Deno.KvListIterator<T>): Deno.KvListIterator<T> {
    const call = () => this.inOrder("list", () => Array.fromAsync(list()));
    async function* entries() {
      yield* await call();
    }
    return entries() as unknown as Deno.KvListIterator<T>;
  }

  #pass(point: number): void {
    if (point === this.#deathPoint) this.dead = true;
    if (this.dead) throw new Error("Died");
  }
}
