/** @module The operator's program on a fresh KV in memory, without a process, at a fixed time. */

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

/** Milliseconds. */
export const MINUTE = 60_000;
/** Milliseconds. */
export const HOUR = 60 * MINUTE;
/** Milliseconds. */
export const DAY = 24 * HOUR;

/** The id of a target. */
export const CRM = "webhook:crm.example:1a2b3c4d";
/** The id of another one. */
export const MAIL = "smtp:mail.example:99aa00ff";

/** A lead to be put into the store; what is left out is unremarkable. */
interface Sample {
  readonly ago?: number;
  readonly lead?: Partial<LeadContent>;
  readonly deliveries?: Deliveries;
}

/** What a test has in hand. */
export interface TestCli {
  readonly clock: FakeClock;
  readonly kv: Deno.Kv;
  readonly store: LeadStore;
  /** What the commands work with, to be changed by a test. */
  readonly leads: { -readonly [K in keyof Leads]: Leads[K] };
  /** The answers to questions; undefined without a terminal. */
  answer: ((question: string) => boolean) | undefined;
  /** Gets each text that is written to standard output. */
  written: (text: string) => void;
  /** A store on the same KV with other keys. */
  storeWith(keys: readonly SealingKey[]): LeadStore;
  /** Stores a lead as the intake would have. */
  put(sample?: Sample): Promise<LeadRecord>;
  run(...words: string[]): Promise<Ended>;
  /** Runs a command line that has to end well; what it prints. */
  printed(...words: string[]): Promise<string>;
}

/** Runs a test with a program of its own. */
export async function withCli(test: (cli: TestCli) => Promise<void>): Promise<void> {
  const kv = await Deno.openKv(":memory:");
  const clock = new FakeClock();
  const storeWith = (keys: readonly SealingKey[]) =>
    createKvStore({
      open: () => Promise.resolve(kv),
      now: clock.now,
      sealer: new Sealer(keys),
      retentionMs: Infinity,
    });
  const store = storeWith([]);
  const cli: TestCli = {
    clock,
    kv,
    store,
    leads: { store },
    answer: undefined,
    written: () => {},
    storeWith,
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
        open: () => Promise.resolve(cli.leads),
      });
      return { code, ...written };
    },
    async printed(...words) {
      const { code, out, err } = await cli.run(...words);
      equal(code, 0, err);
      return out;
    },
  };
  try {
    await test(cli);
  } finally {
    kv.close();
  }
}

/** Every lead has a client of its own. */
async function putLead(
  store: LeadStore,
  { now, ago = 0, lead, deliveries = {} }: Sample & { readonly now: number },
): Promise<LeadRecord> {
  const names = createPseudonyms(await store.secret());
  const receivedAt = now - ago;
  const content: LeadContent = {
    email: "ada@example.com",
    company: "Example GmbH",
    locale: "en",
    ...lead,
  };
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

/** A delivery that was acknowledged at its first try. */
export function delivered(at: number): Delivery {
  return { state: "delivered", due: at, tries: [{ at, durationMs: 20, result: "ok" }] };
}

/** A delivery that has failed once, an hour before it is due again. */
export function waiting(due: number): Delivery {
  return { state: "waiting", due, tries: [{ at: due - HOUR, durationMs: 30, result: "http_503" }] };
}

/** A delivery that was refused for good. */
export function dead(at: number): Delivery {
  return { state: "dead", due: at, tries: [{ at, durationMs: 40, result: "http_410" }] };
}

/** All that KV holds, as text. */
export async function dump(kv: Deno.Kv): Promise<string> {
  const entries = await Array.fromAsync(kv.list({ prefix: [] }));
  return Deno.inspect(entries, {
    depth: Infinity,
    iterableLimit: Infinity,
    strAbbreviateSize: 1e9,
  });
}
