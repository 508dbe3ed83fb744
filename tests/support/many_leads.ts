/** @module A database file with many leads, written in large commits, and what a client of its service sees. */

import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { type StoredLead, toStored, writeLead } from "../../leads/kv/codec.ts";
import type { LeadContent } from "../../leads/lead.ts";
import { createLeadIds } from "../../leads/lead_id.ts";
import { createPseudonyms } from "../../leads/pseudonyms.ts";
import { Sealer } from "../../leads/sealing.ts";
import { storeOn } from "./kv_with.ts";
import { leadRequest, RawClient } from "./raw_client.ts";
import { LEAD } from "./test_app.ts";
import { pause } from "./until.ts";

const { values } = parseArgs({
  args: Deno.args,
  options: { leads: { type: "string", default: "20000" } },
});
export const LEADS: number = Number(values.leads);

const DAY = 86_400_000;

/** Leads in one commit: 800 KiB are allowed. */
const TOGETHER = 150;

/** Over how many days they have arrived. */
const DAYS = 80;

interface Many {
  readonly leads: number;
  readonly content?: (n: number) => Partial<LeadContent>;
  /** How long ago the last one arrived; by default now. */
  readonly daysAgo?: number;
}

/** Delivered leads of one after the other; each hundredth is dead. They expire after 90 days. */
export async function fill(
  file: string,
  { leads, content = () => ({}), daysAgo = 0 }: Many,
): Promise<void> {
  await Deno.mkdir(file.replace(/\/[^/]*$/, ""), { recursive: true });
  const until = Date.now() - daysAgo * DAY;
  const kv = await Deno.openKv(file);
  const names = createPseudonyms(await storeOn(kv).secret());
  const newId = createLeadIds();
  function leadOf(n: number): StoredLead {
    const receivedAt = Math.floor(until - (leads - n) * DAYS * DAY / leads);
    const message = "How much is it, and when can we have it? ".repeat(2 + n % 12);
    const person = { email: `person${n}@example.com`, company: `Company ${n}`, message };
    const lead: LeadContent = { ...LEAD, ...person, ...content(n) };
    const attempts = [{ at: receivedAt, durationMs: 20, result: "ok" }];
    const state = n % 100 === 0 ? "dead" : "delivered";
    return toStored({
      id: newId(receivedAt),
      receivedAt,
      expiresAt: receivedAt + 90 * DAY,
      lead,
      deliveries: { crm: { state, due: receivedAt, attempts } },
      index: { same: names.content(lead), email: names.email(lead.email) },
    }, new Sealer([]));
  }
  for (let n = 0; n < leads;) {
    const commit = kv.atomic();
    for (const end = Math.min(n + TOGETHER, leads); n < end; n++) {
      writeLead(commit, leadOf(n), until - DAYS * DAY); // KV expires nothing yet
    }
    await commit.commit();
  }
  kv.close();
  using db = new DatabaseSync(file);
  db.prepare("UPDATE kv SET expiration_ms = expiration_ms - ? WHERE expiration_ms > 0")
    .run((DAYS + daysAgo) * DAY);
}

export interface Waits {
  /** Of the answers, by status. */
  readonly answers: Readonly<Record<number, number>>;
  readonly longestMs: number;
}

/** Posts a lead every few milliseconds while something happens. Needs TRUSTED_PROXY_HOPS=1. */
export async function postDuring(port: number, work: Promise<unknown>): Promise<Waits> {
  let isOver = false;
  const over = work.finally(() => isOver = true);
  const answers: Record<number, number> = {};
  let longestMs = 0;
  async function post(client: number): Promise<void> {
    const connection = await RawClient.connect(port);
    for (let n = 0; !isOver; n++) {
      const body = JSON.stringify({ ...LEAD, company: `Meanwhile ${crypto.randomUUID()}` });
      const began = performance.now();
      const { status } = await connection.ask(
        leadRequest(body, `10.${client}.${n >> 8}.${n & 255}`),
      );
      longestMs = Math.max(longestMs, performance.now() - began);
      answers[status] = (answers[status] ?? 0) + 1;
      await pause(10);
    }
    connection.close();
  }
  await Promise.all([over, ...[1, 2, 3, 4].map(post)]);
  return { answers, longestMs: Math.round(longestMs) };
}
