/**
 * @module The whole app on a fresh KV in memory, with a clock of the test's own; without a port, unless
 * something has to reach it by URL.
 */

import { type Config, parseConfig } from "../../config/config.ts";
import { createKvStore } from "../../leads/kv/store.ts";
import type { LeadStore } from "../../leads/store.ts";
import type { KvAccess } from "../../leads/kv/guard.ts";
import { createLeads, type Leads } from "../../leads/leads.ts";
import type { Log, LogFields } from "../../leads/log.ts";
import { Sealer } from "../../leads/sealing.ts";
import { createApp } from "../../routes/app.ts";
import { assetFiles, pageFiles } from "../../site/files.ts";
import { FakeClock } from "./fake_clock.ts";
import { connectionFrom } from "./send.ts";

/** One log line as it was written. */
export interface LogLine extends LogFields {
  readonly level: "info" | "error";
  readonly event: string;
}

/** What a test has in hand. */
export interface TestApp {
  readonly config: Config;
  readonly kv: Deno.Kv;
  readonly store: LeadStore;
  readonly leads: Leads;
  readonly clock: FakeClock;
  readonly lines: LogLine[];
  /** Sends a request from an address, by default 192.0.2.1 (RFC 5737). */
  request(path: string, init?: RequestInit, address?: string): Promise<Response>;
  /** Posts a JSON value to /api/lead. */
  postLead(body: unknown, address?: string): Promise<Response>;
}

/** What a test may change. */
export interface TestAppOptions {
  /** Variables of the environment. */
  readonly env?: Record<string, string>;
  /** Puts something between the store and KV. */
  readonly wrapKv?: (kv: Deno.Kv) => KvAccess;
}

/** The app's SITE_URL, unless a test sets another. */
export const SITE_URL = "https://www.example.com";

/** A valid LeadRequest. */
export const LEAD = { email: "ada@example.com", company: "Example GmbH", locale: "en" } as const;

/** Runs a test with an app of its own and clears up behind it. */
export async function withApp(
  test: (app: TestApp) => Promise<void>,
  { env = {}, wrapKv = (kv) => kv }: TestAppOptions = {},
): Promise<void> {
  const config = parseConfig({ SITE_URL, ...env });
  const clock = new FakeClock();
  const lines: LogLine[] = [];
  const log: Log = {
    info: (event, fields) => lines.push({ level: "info", event, ...fields }),
    error: (event, fields) => lines.push({ level: "error", event, ...fields }),
    count: () => {},
  };
  const kv = await Deno.openKv(":memory:");
  const access = wrapKv(kv);
  const leads = await createLeads(config, { open: () => Promise.resolve(access), log, clock });
  const pipeline = () => Promise.resolve(leads);
  const app = await createApp({
    config,
    leads: pipeline,
    pages: pageFiles,
    assets: assetFiles,
    log,
    stopping: new AbortController().signal,
    now: clock.now,
  });

  async function request(path: string, init?: RequestInit, address?: string) {
    return await app.fetch(new Request(SITE_URL + path, init), connectionFrom(address));
  }
  try {
    await test({
      config,
      kv,
      store: createKvStore({
        open: () => Promise.resolve(kv),
        now: clock.now,
        sealer: new Sealer(config.leadEncryptionKeys),
        retentionMs: config.leadRetentionMs,
      }),
      leads,
      clock,
      lines,
      request,
      postLead: (body, address) =>
        request("/api/lead", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        }, address),
    });
  } finally {
    const stopped = leads.outbox.stop(1_000);
    clock.advance(1_000);
    await stopped;
    kv.close();
  }
}

/** Runs a test with the URL at which an app is served. Hints and links keep the app's own SITE_URL. */
export async function withServedApp(
  { request }: Pick<TestApp, "request">,
  test: (url: string) => Promise<void>,
): Promise<void> {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async ({ url, method, headers, body }) => {
      const { pathname, search } = new URL(url);
      const sent = body === null ? null : await new Response(body).bytes();
      return await request(`${pathname}${search}`, { method, headers, body: sent });
    },
  );
  try {
    await test(`http://127.0.0.1:${server.addr.port}`);
  } finally {
    await server.shutdown();
  }
}
