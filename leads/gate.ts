/**
 * @module Before a lead is read: who a client is, its attempts, and what is left of its limits. From
 * memory alone: every thread has a gate of its own, whether or not it has the store.
 */

import type { Attempts } from "./attempts.ts";
import type { Client, Clients } from "./clients.ts";
import type { Clock } from "./clock.ts";
import { type Allowance, left, type Remaining } from "./rate_limit.ts";

/** The two limits of a client and what is left of them. */
export type Limits = Readonly<Record<"lead" | "attempt", Remaining>>;

/** What the gate works with. */
export interface GateDeps {
  readonly clients: Clients;
  readonly attempts: Attempts;
  readonly clock: Pick<Clock, "now">;
  readonly leadLimit: Allowance;
  readonly attemptLimit: Allowance;
}

/** Lets requests in, or not, from memory. */
export class Gate {
  readonly #deps: GateDeps;

  constructor(deps: GateDeps) {
    this.#deps = deps;
  }

  /** What this thread remembers of an address. */
  client(address: string): Client {
    return this.#deps.clients.of(address);
  }

  /** Counts a request, valid or not. @returns false where the client is to be refused unread */
  attempt(client: Client): boolean {
    const { attempts, clock } = this.#deps;
    const verdict = attempts.take(client.address, clock.now());
    client.attempts = verdict.arrival;
    return verdict.allowed;
  }

  /** What is left of both limits, as far as this thread knows. Costs no KV call. */
  limits(client: Client): Limits {
    const { clock, attemptLimit, leadLimit } = this.#deps;
    const now = clock.now();
    return {
      lead: left(leadLimit, { arrival: client.leads, now }),
      attempt: left(attemptLimit, { arrival: client.attempts, now }),
    };
  }
}
