/** @module Fills a KV file with waiting leads, through the store itself. */

import { createTargets } from "../../leads/delivery/targets.ts";
import { contentOf } from "../../leads/lead.ts";
import { createKvStore } from "../../leads/kv/store.ts";
import { createLeadIds } from "../../leads/lead_id.ts";
import { createPseudonyms } from "../../leads/privacy.ts";
import { Sealer } from "../../leads/sealing.ts";

const AT_ONCE = 64;
const RETENTION_MS = 90 * 86_400_000;

/** What to fill in. */
export interface FillOptions {
  readonly leads: number;
  readonly dueInMs: number;
  /** The target they wait for; without one, a target that nobody works for. */
  readonly target?: string;
}

export async function fill(
  file: string,
  { leads, dueInMs, target }: FillOptions,
): Promise<void> {
  await Deno.mkdir(file.slice(0, file.lastIndexOf("/")), { recursive: true });
  const kv = await Deno.openKv(file);
  const store = createKvStore({
    open: () => Promise.resolve(kv),
    now: Date.now,
    sealer: new Sealer([]),
    retentionMs: RETENTION_MS,
  });
  const names = createPseudonyms(await store.secret());
  const urls = [new URL(target ?? "http://127.0.0.1:1/nobody")];
  const [waitedFor] = await createTargets(urls, { secrets: [], now: Date.now });
  const newId = createLeadIds();
  let next = 0;
  async function worker(): Promise<void> {
    while (next < leads) {
      const n = next++;
      const now = Date.now();
      const lead = contentOf({ email: `w${n}@example.com`, company: `Waiting ${n}`, locale: "de" });
      const record = {
        id: newId(now),
        receivedAt: now,
        expiresAt: now + RETENTION_MS,
        lead,
        deliveries: {
          [waitedFor!.id]: { state: "waiting" as const, due: now + dueInMs, tries: [] },
        },
        index: { same: names.content(lead), email: names.email(lead.email) },
      };
      await store.accept({ client: `filler-${n}`, arrival: now, seen: null }, record);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  kv.close();
}
