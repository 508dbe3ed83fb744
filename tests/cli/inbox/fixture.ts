/** @module The inbox in this process, on a fresh KV in memory, at a fixed time. */

import { strictEqual as equal } from "node:assert/strict";
import { createInbox } from "../../../cli/inbox/app.ts";
import type { Leads } from "../../../cli/leads/context.ts";
import type { Deliveries, LeadContent } from "../../../leads/lead.ts";
import type { LeadStore } from "../../../leads/ports.ts";
import { createPseudonyms } from "../../../leads/pseudonyms.ts";
import { Sealer } from "../../../leads/sealing.ts";
import { putLead } from "../../support/delivering.ts";
import { FakeClock } from "../../support/fake_clock.ts";
import { storeOn } from "../../support/kv_with.ts";
import { LEAD } from "../../support/test_app.ts";

export const HOST = "127.0.0.1:4711";
export const KEYS = { printed: "printed-key", once: "once-key" };

export type Init = RequestInit & { readonly headers?: Record<string, string> };

export class Inbox {
  readonly clock = new FakeClock();
  readonly unusable = new Map<string, string>();
  readonly store: LeadStore;
  readonly leads: { -readonly [K in keyof Leads]: Leads[K] };
  readonly app: ReturnType<typeof createInbox>;
  cookie = "";

  constructor(readonly kv: Deno.Kv) {
    this.store = this.storeWith(new Sealer([]));
    this.leads = { store: this.store, retentionMs: Infinity, targets: [{ id: "crm" }] };
    const { leads, unusable, clock: { now } } = this;
    // The page asks for the store with each request, so that a test can replace it.
    const store = new Proxy({}, {
      get: (_, name: keyof LeadStore) => this.leads.store[name],
    }) as LeadStore;
    const own = { ...leads, store };
    this.app = createInbox({ leads: own, unusable, host: HOST, keys: KEYS, now, every: 3 });
  }

  storeWith(sealer: Sealer): LeadStore {
    const unusable = ({ id, message }: Error & { id: string }) => this.unusable.set(id, message);
    return storeOn(this.kv, { now: this.clock.now, sealer, unusable });
  }

  async put(
    some: Partial<LeadContent> = {},
    { deliveries = {}, ago = 0, store = this.store }: {
      readonly deliveries?: Deliveries;
      readonly ago?: number;
      readonly store?: LeadStore;
    } = {},
  ): Promise<string> {
    const lead: LeadContent = { ...LEAD, ...some };
    const email = createPseudonyms(await this.store.secret()).email(lead.email);
    const index = { same: crypto.randomUUID(), email };
    const receivedAt = this.clock.now() - ago;
    return (await putLead({ store, clock: this.clock }, { lead, deliveries, receivedAt, index }))
      .id;
  }

  async ask(path: string, { headers = {}, ...init }: Init = {}): Promise<Response> {
    const all = { host: HOST, cookie: this.cookie, ...headers };
    return await this.app.request(`http://${HOST}${path}`, { headers: all, ...init });
  }

  async open(key = KEYS.printed): Promise<Response> {
    const answer = await this.ask(`/?key=${key}`);
    const cookie = answer.headers.get("set-cookie") ?? "";
    if (cookie !== "") this.cookie = cookie.split(";")[0]!;
    return answer;
  }

  async page(path: string): Promise<string> {
    const answer = await this.ask(path);
    equal(answer.status, 200, path);
    return await answer.text();
  }

  /** Posts a form as a browser does, and follows to the page with the result. */
  async post(path: string, values: Record<string, string> = {}): Promise<string> {
    const headers = {
      origin: `http://${HOST}`,
      "sec-fetch-site": "same-origin",
      "content-type": "application/x-www-form-urlencoded",
    };
    const body = new URLSearchParams(values).toString();
    const answer = await this.ask(path, { method: "POST", headers, body });
    equal(answer.status, 303, await answer.text());
    return await this.page(answer.headers.get("location")!);
  }
}

/** Registers a test with an inbox of its own, in a browser that has opened it. */
export function test(title: string, run: (inbox: Inbox) => Promise<void>): void {
  Deno.test(title, async () => {
    using kv = await Deno.openKv(":memory:");
    const inbox = new Inbox(kv);
    await inbox.open();
    await run(inbox);
  });
}
