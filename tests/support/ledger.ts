/**
 * @module Every lead that a test has sent, what its sender was told, and whether that is true: a lead
 * answered 200 is held and delivered, and so is one that turns up after a 502 or without an answer.
 */

import { isDelivered, type LeadRecord } from "../../leads/lead.ts";
import type { OperatorStore } from "../../leads/store.ts";
import type { Received } from "./receiver.ts";
import { LEAD } from "./test_app.ts";

/** What a sender was told. */
export interface Answer {
  /** Names the lead: no two entries share it, unless the same lead was meant. */
  readonly company: string;
  /** 0 where the connection broke before an answer came. */
  readonly status: number;
  readonly delivered: boolean | undefined;
  readonly ms: number;
  /** Whether the service asked has a target. */
  readonly targeted: boolean;
}

/** A service as a sender sees it. */
export interface Door {
  readonly url: string;
  readonly targeted: boolean;
}

/** How a lead is sent. */
export interface Sending {
  /** The client's address, as the service's proxy would tell it; each lead has its own by default. */
  readonly client?: string;
  readonly company?: string;
}

/** Where the truth lies. */
export interface Truth {
  readonly store: Pick<OperatorStore, "all">;
  /** Requests that the receiver has acknowledged. */
  readonly received: readonly Received[];
}

/** Sends leads and keeps the answers. */
export class Ledger {
  readonly answers: Answer[] = [];
  #sent = 0;

  /** Sends a lead to a service that trusts one proxy, and waits for the answer. */
  async post({ url, targeted }: Door, { client, company }: Sending = {}): Promise<Answer> {
    const n = this.#sent++;
    company ??= `Company ${n}`;
    client ??= `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
    const began = performance.now();
    let told: { status: number; delivered: boolean | undefined };
    try {
      const response = await fetch(`${url}/api/lead`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-forwarded-for": client },
        body: JSON.stringify({ ...LEAD, company }),
      });
      told = { status: response.status, delivered: (await response.json()).delivered };
    } catch {
      told = { status: 0, delivered: undefined };
    }
    const answer = { company, ...told, ms: Math.round(performance.now() - began), targeted };
    this.answers.push(answer);
    return answer;
  }

  /** How many answers there were of each status. */
  get tally(): Record<string, number> {
    const groups = Object.groupBy(this.answers, ({ status }) => String(status));
    return Object.fromEntries(Object.entries(groups).map(([status, all]) => [status, all!.length]));
  }

  /**
   * Each contradiction between what was told and what is, in words.
   *
   * @param options.repeats allows that the receiver got a lead more than once
   */
  async faults(
    { store, received }: Truth,
    { repeats = false }: { readonly repeats?: boolean } = {},
  ): Promise<string[]> {
    const records = Map.groupBy(await Array.fromAsync(store.all()), ({ lead }) => lead.company);
    const deliveries = Map.groupBy(
      received.map(({ body }) => JSON.parse(body).data as Delivered),
      ({ company }) => company,
    );
    const told = Map.groupBy(this.answers, ({ company }) => company);
    const strangers = [...records.keys(), ...deliveries.keys()].filter((name) => !told.has(name));
    return [
      ...strangers.map((company) => `${company}: never sent`),
      ...[...told].flatMap(([company, answers]) => {
        const held = records.get(company) ?? [];
        const got = deliveries.get(company) ?? [];
        const words = answers.map(({ status, delivered }) => `${status} ${delivered ?? ""}`.trim());
        return faultsOf(answers, { held, got, repeats })
          .map((fault) => `${company}, told ${words.join(" and ")}: ${fault}`);
      }),
    ];
  }
}

/** A lead as the receiver got it. */
interface Delivered {
  readonly id: string;
  readonly company: string;
}

function faultsOf(
  answers: readonly Answer[],
  { held, got, repeats }: {
    readonly held: readonly LeadRecord[];
    readonly got: readonly Delivered[];
    readonly repeats: boolean;
  },
): string[] {
  const promised = answers.some(({ status }) => status === 200);
  const targeted = answers.some((answer) => answer.targeted);
  const [record, ...others] = held;
  const faults: readonly (readonly [isSo: boolean, what: string])[] = [
    [others.length > 0, `stored ${held.length} times`],
    [got.length > 1 && !repeats, `delivered ${got.length} times`],
    [promised && record === undefined && got.length === 0, "held nowhere"],
    [targeted && (promised || record !== undefined) && got.length === 0, "not delivered"],
    [got.some(({ id }) => record !== undefined && id !== record.id), "delivered under another id"],
    [
      targeted && held.some(({ deliveries }) => !isDelivered(deliveries)),
      "not marked as delivered",
    ],
  ];
  return faults.filter(([isSo]) => isSo).map(([, what]) => what);
}
