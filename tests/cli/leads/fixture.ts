/** @module `deno task leads` in this process, on a fresh KV in memory, at a fixed time. */

import { strictEqual as equal } from "node:assert/strict";
import type { Leads } from "../../../cli/leads/context.ts";
import { runLeads } from "../../../cli/leads/program.ts";
import { createKvStore } from "../../../leads/kv/store.ts";
import type { LeadStore } from "../../../leads/store.ts";
import type { Deliveries, Delivery, LeadContent, LeadRecord } from "../../../leads/lead.ts";
import { createLeadIds } from "../../../leads/lead_id.ts";
import { createPseudonyms } from "../../../leads/privacy.ts";
import { Sealer } from "../../../leads/sealing.ts";
import type { SealingKey } from "../../../schemas/values.ts";
import type { Ended } from "../../support/command.ts";
import { FakeClock } from "../../support/fake_clock.ts";
import { LEAD } from "../../support/test_app.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Ids of targets. */
export const CRM = "webhook:crm.example:1a2b3c4d";
export const MAIL = "smtp:mail.example:99aa00ff";

/** A lead to store; `ago` in milliseconds. */
interface Sample {
  readonly ago?: number;
  readonly lead?: Partial<LeadContent>;
  readonly deliveries?: Deliveries;
}

export interface TestCli {
  readonly clock: FakeClock;
  readonly kv: Deno.Kv;
  readonly store: LeadStore;
  /** What the commands open; a test may replace its parts. */
  readonly leads: { -readonly [K in keyof Leads]: Leads[K] };
  /** Opens {@link TestCli.leads}; a test may replace it. */
  open: () => Promise<Leads>;
  /** Answers questions; undefined without a terminal. */
  answer: ((question: string) => boolean) | undefined;
  /** Is called with each write to standard output. */
  written: (text: string) => void;
  /** A store on the same KV with other keys. */
  storeWith(keys: readonly SealingKey[]): LeadStore;
  /** Replaces methods of the store that the commands open. */
  overrideStore(methods: Partial<LeadStore>): void;
  /** Stores a lead as the intake does. */
  put(sample?: Sample): Promise<LeadRecord>;
  run(...words: string[]): Promise<Ended>;
  /** The output of a command that has to succeed. */
  printed(...words: string[]): Promise<string>;
}

export async function withCli(test: (cli: TestCli) => Promise<void>): Promise<void> {
  using kv = await Deno.openKv(":memory:");
  const clock = new FakeClock();
  const open = () => Promise.resolve(kv);
  const storeWith = (keys: readonly SealingKey[]) =>
    createKvStore({ open, now: clock.now, sealer: new Sealer(keys), retentionMs: Infinity });
  const store = storeWith([]);
  const cli: TestCli = {
    clock,
    kv,
    store,
    leads: { store },
    open: () => Promise.resolve(cli.leads),
    answer: undefined,
    written: () => {},
    storeWith,
    overrideStore: (methods) =>
      cli.leads.store = Object.assign(
        Object.create(store),
        { change: store.change.bind(store) },
        methods,
      ),
    put: (sample = {}) => putLead(store, { ...sample, now: clock.now() }),
    async run(...words) {
      const written = { out: "", err: "" };
      const code = await runLeads(words, {
        out(text) {
          cli.written(text);
          written.out += text;
        },
        err: (text) => written.err += text,
        confirm: cli.answer,
        now: clock.now,
        open: cli.open,
      });
      return { code, ...written };
    },
    async printed(...words) {
      const { code, out, err } = await cli.run(...words);
      equal(code, 0, err);
      return out;
    },
  };
  await test(cli);
}

/** Each lead has a client of its own. */
async function putLead(
  store: LeadStore,
  { now, ago = 0, lead, deliveries = {} }: Sample & { readonly now: number },
): Promise<LeadRecord> {
  const names = createPseudonyms(await store.secret());
  const receivedAt = now - ago;
  const content: LeadContent = { ...LEAD, ...lead };
  const id = createLeadIds()(receivedAt);
  const record: LeadRecord = {
    id,
    receivedAt,
    expiresAt: receivedAt + 90 * DAY,
    lead: content,
    deliveries,
    index: { same: names.content({ ...content, message: id }), email: names.email(content.email) },
  };
  await store.accept({ client: crypto.randomUUID(), arrival: now, seen: null }, record);
  return record;
}

/** A delivery acknowledged at the first attempt. */
export function delivered(at: number): Delivery {
  return { state: "delivered", due: at, tries: [{ at, durationMs: 20, result: "ok" }] };
}

/** A delivery that failed once, an hour before it is due again. */
export function waiting(due: number): Delivery {
  return { state: "waiting", due, tries: [{ at: due - HOUR, durationMs: 30, result: "http_503" }] };
}

/** A delivery rejected for good. */
export function dead(at: number): Delivery {
  return { state: "dead", due: at, tries: [{ at, durationMs: 40, result: "http_410" }] };
}

/** The whole content of KV as text. */
export async function dump(kv: Deno.Kv): Promise<string> {
  const entries = await Array.fromAsync(kv.list({ prefix: [] }));
  return Deno.inspect(entries, {
    depth: Infinity,
    iterableLimit: Infinity,
    strAbbreviateSize: 1e9,
  });
}
