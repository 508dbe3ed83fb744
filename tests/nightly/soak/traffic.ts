/** @module Mixed traffic at a steady rate, with a verdict on each answer; and how the receiver answers. */

import { Webhook } from "standardwebhooks";
import type { Ledger } from "../../support/ledger.ts";
import type { Received } from "../../support/receiver.ts";
import { pause } from "../../support/until.ts";

export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Destination {
  readonly name: string;
  readonly url: string;
  /** It is being restarted: connections are refused and break off. */
  readonly down: readonly Span[];
  /** It cannot reach KV. */
  readonly withoutKv: readonly Span[];
}

const ASKED: readonly (readonly [path: string, init: RequestInit, expected: number])[] = [
  ["/docs", {}, 200],
  ["/de/docs", { headers: { accept: "text/markdown" } }, 200],
  ["/openapi.json", {}, 200],
  ["/api/none", {}, 404],
  ["/api/site", { method: "DELETE" }, 405],
];

const REQUESTS_PER_S = 40;
const TICK_MS = 10;

export class Traffic {
  readonly faults: Record<string, number> = {};
  sent = 0;
  phase = "";
  readonly #pending = new Set<Promise<void>>();
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(services: readonly Destination[], ledger: Ledger) {
    const began = Date.now();
    this.#timer = setInterval(() => {
      while (this.sent < (Date.now() - began) * REQUESTS_PER_S / 1_000) {
        const service = services[this.sent % services.length]!;
        const visit = this.#visit(service, ledger).finally(() => this.#pending.delete(visit));
        this.#pending.add(visit);
        this.sent++;
      }
    }, TICK_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#pending);
  }

  /** Half are leads: most from new clients, some from a busy one, some duplicates. */
  async #visit(service: Destination, ledger: Ledger): Promise<void> {
    const n = this.sent >> 1;
    const { phase } = this;
    const [path, init, expected] = ASKED[n % ASKED.length]!;
    const isLead = Math.random() < 0.5;
    const isBusy = n % 5 === 0;
    const lead = isBusy
      ? { client: "192.0.2.1" }
      : n % 5 === 1
      ? { company: `Twice ${n >> 6}` }
      : {};
    const from = Date.now();
    const status = isLead
      ? (await ledger.post({ url: service.url, targeted: true }, lead)).status
      : await fetch(service.url + path, init).then(statusOf, () => 0);
    const right = !isLead ? [expected] : isBusy ? [200, 429] : [200];
    const time = { from, to: Date.now() };
    if (right.includes(status) || isExcused({ status, time, isLead }, service)) return;
    const fault = `${isLead ? "lead" : path} at ${service.name}, ${phase}: ${status}`;
    this.faults[fault] = (this.faults[fault] ?? 0) + 1;
  }
}

/** Requests everything once, because first requests load code. */
export async function warmUp(url: string): Promise<void> {
  for (const [path, init] of ASKED) await fetch(url + path, init).then(statusOf);
}

async function statusOf(response: Response): Promise<number> {
  await response.bytes();
  return response.status;
}

/** During a restart no answer is expected; a lead may be answered 502 then, and without KV. */
export function isExcused(
  { status, time, isLead }: {
    readonly status: number;
    readonly time: Span;
    readonly isLead: boolean;
  },
  { down, withoutKv }: Pick<Destination, "down" | "withoutKv">,
): boolean {
  if (status === 0) return meets(time, down);
  return status === 502 && isLead && meets(time, [...down, ...withoutKv]);
}

function meets(time: Span, spans: readonly Span[]): boolean {
  return spans.some(({ from, to }) => time.from <= to && from <= time.to);
}

export const SECRET = `whsec_${btoa("a secret of the soak, 27 bytes")}`;

/** Longer than LEAD_INLINE_TIMEOUT, shorter than the timeout of an attempt. */
const SLOW_MS = 3_000;
const STATUS = { prompt: 204, slow: 204, failing: 500, redirecting: 307 } as const;

/** A receiver that acknowledges every lead at the second attempt at the latest. */
export class FaultyReceiver {
  mood: keyof typeof STATUS = "prompt";
  unsigned = 0;
  readonly #seen = new Set<string | undefined>();
  readonly #webhook = new Webhook(SECRET);

  async answer({ headers, body }: Received): Promise<Response> {
    try {
      this.#webhook.verify(body, headers);
    } catch {
      this.unsigned++;
    }
    const id = headers["webhook-id"];
    const mood = this.#seen.has(id) ? "prompt" : this.mood;
    this.#seen.add(id);
    if (mood === "slow") await pause(SLOW_MS);
    return new Response(null, { status: STATUS[mood], headers: { location: "/leads" } });
  }
}
