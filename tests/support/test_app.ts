/** @module The whole app on a fresh KV in memory and with a fake clock, without a port. */

import { type Config, parseConfig } from "../../config/config.ts";
import type { LeadStore } from "../../leads/ports.ts";
import type { KvAccess } from "../../leads/kv/guard.ts";
import { createLeads, type Leads } from "../../leads/pipeline.ts";
import type { Log, LogFields } from "../../lib/log.ts";
import { TEST_LEADS } from "../../schemas/lead.ts";
import { Sealer } from "../../leads/sealing.ts";
import { createApp } from "../../routes/app.ts";
import { assetFiles, pageFiles } from "../../site/files.ts";
import { FakeClock } from "./fake_clock.ts";
import { storeOn } from "./kv_with.ts";
import { connectionFrom } from "./send.ts";

interface LogLine extends LogFields {
  readonly level: "info" | "error";
  readonly event: string;
}

/** Its disposal waits for deliveries in flight. */
export interface TestApp extends AsyncDisposable {
  readonly config: Config;
  readonly kv: Deno.Kv;
  readonly store: LeadStore;
  readonly leads: Leads;
  readonly clock: FakeClock;
  readonly lines: LogLine[];
  /** Sends a request from an address, by default 192.0.2.1 (RFC 5737). */
  request(path: string, init?: RequestInit, address?: string): Promise<Response>;
  postLead(body: unknown, address?: string): Promise<Response>;
}

export interface TestAppOptions {
  readonly env?: Record<string, string>;
  readonly wrapKv?: (kv: Deno.Kv) => KvAccess;
}

export const SITE_URL = "https://www.example.com";
export const LEAD = {
  ...TEST_LEADS.minimal,
  ...{ email: "ada@example.com", company: "Example GmbH", locale: "en" },
} as const;

export async function startApp(
  { env = {}, wrapKv = (kv) => kv }: TestAppOptions = {},
): Promise<TestApp> {
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
  return {
    config,
    kv,
    store: storeOn(kv, {
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
    async [Symbol.asyncDispose]() {
      const stopped = leads.outbox.stop(1_000);
      clock.advance(1_000);
      await stopped;
      kv.close();
    },
  };
}
