/** @module How the services' receiver answers: in some phases it fails a lead's first attempt. */

import { Webhook } from "standardwebhooks";
import type { Received } from "../support/receiver.ts";
import { pause } from "../support/until.ts";

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
