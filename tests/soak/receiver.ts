/** @module The services' receiver, which fails a lead's first attempt in some phases. */

import { Webhook } from "standardwebhooks";
import type { Received } from "../support/receiver.ts";
import { pause } from "../support/until.ts";

export const SECRET = `whsec_${btoa("a secret of the soak, 27 bytes")}`;

/** Longer than LEAD_INLINE_TIMEOUT, shorter than the timeout of an attempt. */
const SLOW_MS = 3_000;
const STATUS = { prompt: 204, slow: 204, failing: 500, redirecting: 307 } as const;

/** A receiver that acknowledges every lead at the second attempt at the latest. */
export class FaultyReceiver implements AsyncDisposable {
  mood: keyof typeof STATUS = "prompt";
  /** All attempts, and the acknowledged ones. */
  readonly attempts: Received[] = [];
  readonly taken: Received[] = [];
  unsigned = 0;
  readonly #seen = new Set<string>();
  readonly #webhook = new Webhook(SECRET);
  readonly #server = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    onListen() {},
    onError: () => new Response(null, { status: 400 }), // the sender was killed while it sent
  }, (request) => this.#answer(request));

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}/leads`;
  }

  async #answer(request: Request): Promise<Response> {
    const headers = Object.fromEntries(request.headers);
    const body = await request.text();
    try {
      this.#webhook.verify(body, headers);
    } catch {
      this.unsigned++;
    }
    const id = headers["webhook-id"] ?? "";
    const mood = this.#seen.has(id) ? "prompt" : this.mood;
    this.#seen.add(id);
    if (mood === "slow") await pause(SLOW_MS);
    const attempt = { method: "POST", path: "", headers, body };
    this.attempts.push(attempt);
    if (STATUS[mood] === 204) this.taken.push(attempt);
    return new Response(null, { status: STATUS[mood], headers: { location: this.url } });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#server.shutdown();
  }
}
