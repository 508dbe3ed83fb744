/** @module `deno task leads` in this process, on a fresh KV in memory, at a fixed time. */

import { strictEqual as equal } from "node:assert/strict";
import type { Leads } from "../../../cli/leads/context.ts";
import { runLeads } from "../../../cli/leads/program.ts";
import type { LeadStore, UnusableLead } from "../../../leads/ports.ts";
import type { Deliveries, Delivery, LeadContent, LeadRecord } from "../../../leads/lead.ts";
import { createPseudonyms } from "../../../leads/pseudonyms.ts";
import { Sealer } from "../../../leads/sealing.ts";
import type { SealingKey } from "../../../config/settings.ts";
import type { Ended } from "../../support/command.ts";
import { putLead } from "../../support/delivering.ts";
import { FakeClock } from "../../support/fake_clock.ts";
import { storeOn } from "../../support/kv_with.ts";
import { LEAD } from "../../support/test_app.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const CRM = "webhook:crm.example:1a2b3c4d";
export const MAIL = "smtp:mail.example:99aa00ff";

/** A lead to store; `ago` in milliseconds. */
interface Sample {
  readonly ago?: number;
  readonly lead?: Partial<LeadContent>;
  readonly deliveries?: Deliveries;
  readonly store?: LeadStore;
}

export class TestCli {
  readonly clock = new FakeClock();
  readonly store: LeadStore;
  readonly leads: { -readonly [K in keyof Leads]: Leads[K] };
  open: () => Promise<Leads> = () => Promise.resolve(this.leads);
  /** Answers questions; undefined without a terminal. */
  answer: ((question: string) => boolean) | undefined;
  writes = 0;
  columns = Infinity;
  #unusable: (error: UnusableLead) => void;

  constructor(readonly kv: Deno.Kv, unusable: (error: UnusableLead) => void = () => {}) {
    this.#unusable = unusable;
    this.store = this.storeWith([]);
    this.leads = { store: this.store, retentionMs: Infinity };
  }

  storeWith(keys: readonly SealingKey[]): LeadStore {
    return storeOn(this.kv, {
      now: this.clock.now,
      sealer: new Sealer(keys),
      unusable: (error) => this.#unusable(error),
    });
  }

  overrideStore(methods: Partial<LeadStore>): void {
    this.leads.store = { ...this.store, ...methods };
  }

  readonly put = async (
    { ago = 0, lead: some, deliveries = {}, store = this.store }: Sample = {},
  ): Promise<LeadRecord> => {
    const names = createPseudonyms(await this.store.secret());
    const lead: LeadContent = { ...LEAD, ...some };
    const same = names.content({ ...lead, message: crypto.randomUUID() });
    const index = { same, email: names.email(lead.email) };
    const receivedAt = this.clock.now() - ago;
    return await putLead({ store, clock: this.clock }, { receivedAt, lead, deliveries, index });
  };

  readonly run = async (...words: string[]): Promise<Ended> => {
    const written = { out: "", err: "" };
    const code = await runLeads(words, {
      out: (text) => {
        this.writes++;
        written.out += text;
      },
      err: (text) => written.err += text,
      confirm: this.answer,
      now: this.clock.now,
      columns: () => this.columns,
      open: (unusable) => {
        this.#unusable = unusable;
        return this.open();
      },
    });
    return { code, ...written };
  };

  readonly printed = async (...words: string[]): Promise<string> => {
    const { code, out, err } = await this.run(...words);
    equal(code, 0, err);
    return out;
  };
}

/** Registers a test with a command line and a database of its own. */
export function test(title: string, run: (cli: TestCli) => Promise<void>): void {
  Deno.test(title, async () => {
    using kv = await Deno.openKv(":memory:");
    await run(new TestCli(kv));
  });
}

export function delivered(at: number): Delivery {
  return { state: "delivered", due: at, attempts: [{ at, durationMs: 20, result: "ok" }] };
}

/** A delivery that failed once, an hour before it is due again. */
export function waiting(due: number): Delivery {
  return {
    state: "waiting",
    due,
    attempts: [{ at: due - HOUR, durationMs: 30, result: "http_503" }],
  };
}

export function dead(at: number): Delivery {
  return { state: "dead", due: at, attempts: [{ at, durationMs: 40, result: "http_410" }] };
}
