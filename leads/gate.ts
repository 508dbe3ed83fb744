/**
 * @module Before a lead is read: who a client is, its attempts, and what is left of its limits. From
 * memory alone.
 */

import type { Allowance } from "../schemas/values.ts";
import type { Attempts } from "./attempts.ts";
import type { Client, Clients } from "./clients.ts";
import type { Clock } from "./clock.ts";
import { clampArrival, left, type Remaining, take } from "./rate_limit.ts";

/** The two limits of a client and what is left of them. */
export type Limits = Readonly<Record<"lead" | "attempt", Remaining>>;

/** Who sends a request. */
export interface Sender {
  readonly address: string;
  /** Theoretical arrival time of the attempts limit, as last seen where it is counted. */
  attempts: number;
  /** What is remembered of the address, once somebody has looked it up and found it. */
  client: Client | undefined;
}

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

  /** The sender of a request that comes from an address. */
  sender(address: string): Sender {
    return { address, attempts: 0, client: undefined };
  }

  /** Counts a request, valid or not. @returns false where its sender is to be refused unread */
  attempt(sender: Sender): boolean {
    const { attempts, clock } = this.#deps;
    const verdict = attempts.take(sender.address, clock.now());
    sender.attempts = verdict.arrival;
    return verdict.allowed;
  }

  /** Whether the lead limit is known to be used up, so that nothing need be computed or asked. */
  isOut(sender: Sender): boolean {
    const { clock, leadLimit } = this.#deps;
    return !take(leadLimit, { arrival: this.leadArrival(sender), now: clock.now() }).allowed;
  }

  /**
   * Theoretical arrival time of a sender's lead limit, as far as this process knows. Kept as clamped,
   * so that a client gets its allowance back after the clock has been set back.
   */
  leadArrival(sender: Sender): number {
    const { clients, clock, leadLimit } = this.#deps;
    const client = sender.client ??= clients.find(sender.address);
    if (client === undefined) return 0;
    return client.leads = clampArrival(leadLimit, { arrival: client.leads, now: clock.now() });
  }

  /** What is remembered of a sender, from now on at the latest. */
  protected clientOf(sender: Sender): Client {
    return sender.client ??= this.#deps.clients.of(sender.address);
  }

  /** What is left of both limits, as far as this process knows. Costs no KV call. */
  limits(sender: Sender): Limits {
    const { clock, attemptLimit, leadLimit } = this.#deps;
    const now = clock.now();
    return {
      lead: left(leadLimit, { arrival: this.leadArrival(sender), now }),
      attempt: left(attemptLimit, { arrival: sender.attempts, now }),
    };
  }
}
