/** @module Records each lead that a test sends with its response, and checks the responses. */

import { webhookIdOf } from "../../leads/delivery/webhook_id.ts";
import { LONGEST_ANSWER_MS } from "../../leads/intake.ts";
import { isDelivered, type LeadRecord } from "../../leads/lead.ts";
import { keys } from "../../leads/kv/keys.ts";
import type { LeadStore } from "../../leads/ports.ts";
import { storeOn } from "./kv_with.ts";
import type { Received, Receiver } from "./receiver.ts";
import { LEAD } from "./test_app.ts";
import { pause } from "./until.ts";

export interface Answer {
  readonly company: string;
  /** 0 if the connection failed. */
  readonly status: number;
  readonly delivered: boolean | undefined;
  readonly ms: number;
  readonly targeted: boolean;
}

export interface Door {
  readonly url: string;
  readonly targeted: boolean;
  /** Trusts a proxy's certificate. */
  readonly http?: Deno.HttpClient;
}

export class Ledger {
  readonly answers: Answer[] = [];
  #sent = 0;

  /** Sends a lead to a service that trusts one proxy. By default each lead has its own client. */
  async post(
    { url, targeted, http }: Door,
    { client, company }: { readonly client?: string; readonly company?: string } = {},
  ): Promise<Answer> {
    const n = this.#sent++;
    company ??= `Company ${n}`;
    client ??= `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
    const began = performance.now();
    let outcome: { status: number; delivered: boolean | undefined };
    try {
      const response = await fetch(`${url}/api/lead`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-forwarded-for": client },
        body: JSON.stringify({ ...LEAD, company }),
        ...(http && { client: http }),
      });
      outcome = { status: response.status, delivered: (await response.json()).delivered };
    } catch {
      outcome = { status: 0, delivered: undefined };
    }
    const answer = { company, ...outcome, ms: Math.round(performance.now() - began), targeted };
    this.answers.push(answer);
    return answer;
  }

  get tally(): Record<string, number> {
    const groups = Object.groupBy(this.answers, ({ status }) => String(status));
    return Object.fromEntries(Object.entries(groups).map(([status, all]) => [status, all!.length]));
  }

  /** The contradictions between answers, stored leads and acknowledged requests; may allow `repeats`. */
  async problems(
    { store, received }: {
      readonly store: Pick<LeadStore, "all">;
      readonly received: readonly Received[];
    },
    { repeats = false }: { readonly repeats?: boolean } = {},
  ): Promise<string[]> {
    const records = Map.groupBy(await Array.fromAsync(store.all()), ({ lead }) => lead.company);
    const deliveries = Map.groupBy(received, companyOf);
    const sent = Map.groupBy(this.answers, ({ company }) => company);
    const unknown = [...records.keys(), ...deliveries.keys()].filter((name) => !sent.has(name));
    return [
      ...unknown.map((company) => `${company}: never sent`),
      ...[...sent].flatMap(([company, answers]) => {
        const stored = records.get(company) ?? [];
        const got = deliveries.get(company) ?? [];
        const words = answers.map(({ status, delivered }) => `${status} ${delivered ?? ""}`.trim());
        return problemsOf(answers, { stored, got, repeats })
          .map((problem) => `${company}, answered ${words.join(" and ")}: ${problem}`);
      }),
    ];
  }

  /** Waits until the queue is empty and there are no {@link problems}; returns what is left in the end. */
  async settled(kv: Deno.Kv, { receiver, repeats, withinMs }: {
    readonly receiver: Pick<Receiver, "acknowledged">;
    readonly repeats: boolean;
    readonly withinMs: number;
  }): Promise<string[]> {
    const store = storeOn(kv);
    const end = Date.now() + withinMs;
    for (let left = ["leads wait in the queue"];; await pause(200)) {
      const waiting = await Array.fromAsync(kv.list({ prefix: keys.queues() }, { limit: 1 }));
      if (waiting.length === 0) {
        left = await this.problems({ store, received: receiver.acknowledged }, { repeats });
      }
      if (left.length === 0 || Date.now() > end) return left;
    }
  }
}

/** The most ids that one lead has in these attempts, acknowledged or not. */
export function mostIds(attempts: readonly Received[]): number {
  const leads = Map.groupBy(attempts, companyOf).values();
  return Math.max(...leads.map((all) => new Set(all.map(idOf)).size));
}

function companyOf({ body }: Received): string {
  return JSON.parse(body).data.company;
}

function idOf({ headers }: Received): string | undefined {
  return headers["webhook-id"];
}

function problemsOf(answers: readonly Answer[], { stored, got, repeats }: {
  readonly stored: readonly LeadRecord[];
  readonly got: readonly Received[];
  readonly repeats: boolean;
}): string[] {
  const promised = answers.some(({ status }) => status === 200);
  const targeted = answers.some((answer) => answer.targeted);
  const unmarked = stored.some(({ deliveries }) => !isDelivered(deliveries));
  const [record, ...others] = stored;
  const ids = new Set([...stored.map(webhookIdOf), ...got.map(idOf)]);
  const problems: readonly (readonly [applies: boolean, problem: string])[] = [
    [others.length > 0, `stored ${stored.length} times`],
    [got.length > 1 && !repeats, `delivered ${got.length} times`],
    [promised && record === undefined && got.length === 0, "stored nowhere"],
    [targeted && (promised || record !== undefined) && got.length === 0, "not delivered"],
    [answers.some(({ ms }) => ms > LONGEST_ANSWER_MS), "answered too late"],
    [ids.size > 1, `${ids.size} ids at the receiver`],
    [targeted && unmarked, "not marked as delivered"],
  ];
  return problems.filter(([applies]) => applies).map(([, problem]) => problem);
}
