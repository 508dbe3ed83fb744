/**
 * @module What an accepted lead's time goes into: reading, parsing, checking, pseudonyms, sealing,
 * commit and answer, each measured apart.
 *
 * A real server takes leads over a real connection, one after the other, and calls the service's own
 * functions in the order in which `routes/lead.ts` and `leads/intake.ts` call them, with a clock
 * between them; what goes on between those functions, such as the limits, is left out.
 */

import { createPseudonyms } from "../../leads/privacy.ts";
import { contentOf } from "../../leads/lead.ts";
import { createLeadIds } from "../../leads/lead_id.ts";
import { createKvStore } from "../../leads/kv/store.ts";
import { Sealer } from "../../leads/sealing.ts";
import { LEAD_BODY, readBounded } from "../../routes/http/bounded_body.ts";
import { prebuildPlain, withHeaders } from "../../routes/http/prebuilt.ts";
import { createRateLimitHeaders } from "../../routes/http/rate_limit_headers.ts";
import { parseLead } from "../../schemas/lead.ts";
import { withFolder } from "../support/service.ts";
import { median } from "./stats.ts";

const WARM_UP = 2_000;
const LEADS = 5_000;
const RETENTION_MS = 90 * 86_400_000;
const PARTS = ["read", "parse", "check", "pseudonyms", "seal", "commit", "answer"] as const;

/** One part of the way of a lead. */
export interface Part {
  readonly name: typeof PARTS[number];
  /** Of all parts together, by medians. */
  readonly share: number;
}

type Times = Record<typeof PARTS[number], number>;

async function measure(folder: string): Promise<Part[]> {
  const kv = await Deno.openKv(`${folder}/parts.sqlite`);
  const key = { id: "bench", key: crypto.getRandomValues(new Uint8Array(32)) };
  const sealer = new Sealer([key]);
  const store = createKvStore({
    open: () => Promise.resolve(kv),
    now: Date.now,
    sealer: new Sealer([]), // sealing is measured apart
    retentionMs: RETENTION_MS,
  });
  const names = createPseudonyms(await store.secret());
  const rateLimit = createRateLimitHeaders({
    lead: { count: 20, windowMs: 600_000 },
    attempt: { count: 120, windowMs: 60_000 },
  });
  const accepted = prebuildPlain(JSON.stringify({ ok: true, delivered: false }), 200, {
    "content-type": "application/json",
    "cache-control": "no-store",
    ...rateLimit.policy,
  });
  const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const newId = createLeadIds();
  const all: Times[] = [];

  async function take(request: Request): Promise<Response> {
    const times = {} as Times;
    let mark = performance.now();
    function done(part: keyof Times): void {
      const now = performance.now();
      times[part] = (now - mark) * 1_000;
      mark = now;
    }
    const bytes = await readBounded(request, LEAD_BODY);
    if (typeof bytes === "string") throw new Error(bytes);
    done("read");
    const json = JSON.parse(utf8.decode(bytes));
    done("parse");
    const parsed = parseLead(json);
    if ("issues" in parsed) throw new Error("Cannot measure: the lead is none");
    done("check");
    const lead = contentOf(parsed.lead);
    const client = names.address(request.headers.get("x-forwarded-for") ?? "");
    const index = { same: names.content(lead), email: names.email(lead.email) };
    done("pseudonyms");
    const now = Date.now();
    const id = newId(now);
    sealer.seal(lead, id);
    done("seal");
    const record = {
      id,
      receivedAt: now,
      expiresAt: now + RETENTION_MS,
      lead,
      deliveries: {},
      index,
    };
    const stored = await store.accept({ client, arrival: now + 30_000, seen: null }, record);
    if (stored === null) throw new Error("Cannot measure: the lead was not stored");
    done("commit");
    const limit = { remaining: 19, restoreMs: 1_000 };
    const response = withHeaders(accepted, {
      ...rateLimit.of({ lead: limit, attempt: limit }),
      "x-request-id": crypto.randomUUID(),
    });
    done("answer");
    all.push(times);
    return response;
  }

  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, take);
  for (let n = 0; n < WARM_UP + LEADS; n++) {
    const response = await fetch(`http://127.0.0.1:${server.addr.port}/`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-forwarded-for": `10.0.${n >> 8}.${n & 255}`,
      },
      body: JSON.stringify({
        email: `lead-${n}@example.com`,
        company: `Company ${n}`,
        message: "We would like to see how this works for a team of thirty in two places.",
        plan: "business",
        locale: "en",
      }),
    });
    await response.body?.cancel();
    if (response.status !== 200) throw new Error(`Cannot measure: answered ${response.status}`);
  }
  await server.shutdown();
  kv.close();
  const medians = PARTS.map((name) => ({
    name,
    micros: median(all.slice(WARM_UP).map((times) => times[name])),
  }));
  const whole = medians.reduce((sum, { micros }) => sum + micros, 0);
  return medians.map(({ name, micros }) => ({ name, share: micros / whole }));
}

/** The shares as lines of text. */
export function sharesOf(parts: readonly Part[]): string {
  return [
    "What the time of a lead sent alone goes into",
    ...parts.map(({ name, share }) =>
      `  ${name.padEnd(12)}${(share * 100).toFixed(0).padStart(3)} %`
    ),
  ].join("\n");
}

/** Measures in this process. */
export async function leadParts(): Promise<Part[]> {
  let parts: Part[] = [];
  await withFolder(async (folder) => {
    parts = await measure(folder);
  });
  return parts;
}
