/**
 * @module Every lead that a test has sent, what its sender was told, and whether that is true.
 *
 * Nothing told lost may be held, nothing told held may be lost: {@link Ledger.faults} holds each
 * answer against the records in the store and the requests at the receiver.
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
      received.map(({ body }) => JSON.parse(body).data.company as string),
      (company) => company,
    );
    const told = Map.groupBy(this.answers, ({ company }) => company);
    const strangers = [...records.keys(), ...deliveries.keys()].filter((name) => !told.has(name));
    return [
      ...strangers.map((company) => `${company}: nobody sent it`),
      ...[...told].flatMap(([company, answers]) => {
        const held = records.get(company) ?? [];
        const times = deliveries.get(company)?.length ?? 0;
        const words = `told ${answers.map(wordOf).join(" and ")}`;
        return faultsOf(answers, { held, times, repeats })
          .map((fault) => `${company}, ${words}: ${fault}`);
      }),
    ];
  }
}

function wordOf({ status, delivered }: Answer): string {
  return `${status}${delivered === undefined ? "" : ` ${delivered}`}`;
}

function faultsOf(
  answers: readonly Answer[],
  { held, times, repeats }: {
    readonly held: readonly LeadRecord[];
    readonly times: number;
    readonly repeats: boolean;
  },
): string[] {
  const promised = answers.some(({ status }) => status === 200);
  const unsure = answers.some(({ status }) => status === 0);
  const targeted = answers.some((answer) => answer.targeted);
  const kept = held.length > 0;
  const faults: string[] = [];
  if (held.length > 1) faults.push(`stored ${held.length} times`);
  if (times > 1 && !repeats) faults.push(`delivered ${times} times`);
  if (promised && !kept && times === 0) faults.push("held nowhere");
  if (targeted && (promised || kept) && times === 0) faults.push("not delivered");
  if (!promised && !unsure && kept) faults.push("stored");
  if (!promised && !unsure && times > 0) faults.push("delivered");
  const open = targeted ? held.filter(({ deliveries }) => !isDelivered(deliveries)) : [];
  if (open.length > 0) faults.push("not marked as delivered");
  return faults;
}
