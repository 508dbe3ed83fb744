/** @module The inbox in this process, on a fresh KV in memory, at a fixed time. */

import { strictEqual as equal } from "node:assert/strict";
import { createInbox } from "../../../cli/inbox/app.ts";
import type { LeadStore } from "../../../leads/ports.ts";
import { TestCli } from "../leads/fixture.ts";

export const HOST = "127.0.0.1:4711";
export const KEYS = { printed: "printed-key", once: "once-key" };

export type Init = RequestInit & { readonly headers?: Record<string, string> };

export class Inbox extends TestCli {
  readonly unusable = new Map<string, string>();
  readonly app: ReturnType<typeof createInbox>;
  cookie = "";

  constructor(kv: Deno.Kv) {
    super(kv, ({ id, message }) => this.unusable.set(id, message));
    this.leads.targets = [{ id: "crm" }];
    const { leads, unusable, clock: { now } } = this;
    // The page asks for the store with each request, so that a test can replace it.
    const store = new Proxy({}, {
      get: (_, name: keyof LeadStore) => this.leads.store[name],
    }) as LeadStore;
    const own = { ...leads, store };
    this.app = createInbox({ leads: own, unusable, host: HOST, keys: KEYS, now, every: 3 });
  }

  async ask(path: string, { headers = {}, ...init }: Init = {}): Promise<Response> {
    const all = { host: HOST, cookie: this.cookie, ...headers };
    return await this.app.request(`http://${HOST}${path}`, { headers: all, ...init });
  }

  async visit(key = KEYS.printed): Promise<Response> {
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
    await inbox.visit();
    await run(inbox);
  });
}
