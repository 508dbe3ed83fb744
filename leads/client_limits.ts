/**
 * @module The two limits of each client, in bounded memory.
 *
 * Every request counts as an attempt, in this process only (`attempt_table.ts`). Leads are counted in KV
 * and cached here; evicting a client is safe, because its next commit conflicts and the limit is read
 * back. Clients at the limit are evicted last, because they cost KV calls then.
 */

import { BoundedMap } from "../lib/bounded_map.ts";
import { type Clock, orLate } from "../lib/clock.ts";
import { clamp, left, type LimitState, NEW_CLIENT, type Remaining } from "./rate_limit.ts";
import { AttemptTable } from "./attempt_table.ts";
import type { RateLimit } from "../config/settings.ts";

/** Clients remembered: 3 MB; five times as many take 30 MB. */
const REMEMBERED = 10_000;

export type Limits = Readonly<Record<"lead" | "attempt", Remaining>>;

export interface Client {
  /** State of the lead limit, as last seen in KV or counted here without KV. */
  leads: LimitState;
  /** Versionstamp of the limit record when last seen; null: assumed absent. */
  versionstamp: string | null;
  /** Resolves when the last queued work is done; undefined if nothing is queued. */
  turn: Promise<void> | undefined;
}

interface ClientLimitsDeps {
  readonly clock: Pick<Clock, "now">;
  readonly leadLimit: RateLimit;
  readonly attemptLimit: RateLimit;
}

export class ClientLimits {
  readonly #deps: ClientLimitsDeps;
  readonly #clients: BoundedMap<Client>;
  readonly #attempts: AttemptTable;

  constructor(deps: ClientLimitsDeps, { max = REMEMBERED }: { readonly max?: number } = {}) {
    this.#deps = deps;
    this.#attempts = new AttemptTable(deps.attemptLimit);
    const keep = ({ leads, turn }: Client) =>
      turn !== undefined || this.#leadsLeft(leads).remaining === 0;
    this.#clients = new BoundedMap({ max, keep });
  }

  /** Counts a request, valid or not. @returns false if the client is over the attempt limit */
  attempt(address: string): boolean {
    const now = this.#deps.clock.now();
    const client = this.#clients.get(address);
    // So that the quota recovers after the clock was set back.
    if (client) client.leads = clamp(this.#deps.leadLimit, { state: client.leads, now });
    return this.#attempts.take(address, now);
  }

  /** The rest of both limits, as far as this process knows. */
  limits(address: string): Limits {
    return {
      lead: this.#leadsLeft(this.#clients.get(address)?.leads ?? NEW_CLIENT),
      attempt: this.#attempts.left(address, this.#deps.clock.now()),
    };
  }

  /** The entry of a client that sends a lead; added if absent. */
  client(address: string): Client {
    const client = this.#clients.get(address) ??
      { leads: NEW_CLIENT, versionstamp: null, turn: undefined };
    this.#clients.set(address, client);
    return client;
  }

  #leadsLeft(state: LimitState): Remaining {
    const { clock, leadLimit } = this.#deps;
    return left(leadLimit, { state, now: clock.now() });
  }
}

/**
 * Runs `work` after all earlier work of this client, so that its leads do not race for one limit record.
 * After `ms` the result is that of `late`: work that has begun continues, and other work is skipped.
 */
export function inTurn<T>(
  client: Client,
  work: () => Promise<T>,
  { clock, ms, late }: {
    readonly clock: Pick<Clock, "after">;
    readonly ms: number;
    readonly late: (hasBegun: boolean) => T;
  },
): Promise<T> {
  let hasBegun = false;
  let skipped: { readonly result: T } | undefined;
  async function run(): Promise<T> {
    if (skipped) return skipped.result;
    hasBegun = true;
    return await work();
  }
  const result = client.turn === undefined ? run() : client.turn.then(run);
  const done = () => {
    if (client.turn === turn) client.turn = undefined;
  };
  const turn = client.turn = result.then(done, done);
  return orLate(result, { ms, clock, late: () => (skipped = { result: late(hasBegun) }).result });
}
