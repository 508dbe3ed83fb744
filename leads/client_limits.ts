/**
 * @module The two limits of a client as far as this process knows them, in memory and bounded.
 *
 * Every request counts as an attempt, here alone: a restart forgets attempts, and instances do not
 * share them. Leads are counted in KV; what is remembered of them saves asking it. To forget a client
 * is safe: its lead limit is read back when the next commit finds that the record has changed.
 *
 * Clients at a limit are forgotten last, so that a flood of other addresses does not free them.
 * Addresses are held in memory only, never logged.
 */

import { BoundedMap } from "./bounded_map.ts";
import type { Clock } from "./clock.ts";
import { clampArrival, left, type Remaining, take } from "./rate_limit.ts";
import type { Allowance } from "../schemas/values.ts";

/** Most clients remembered for each limit, 3 MB in all; five times as many take 30 MB. */
const REMEMBERED = 10_000;

/** What is left of a client's two limits. */
export type Limits = Readonly<Record<"lead" | "attempt", Remaining>>;

/** A client that has sent a lead. */
export interface Client {
  /** Theoretical arrival time of the lead limit, as last seen in KV or counted here without it. */
  leads: number;
  /** Versionstamp of the limit record when last seen; null: assumed absent. */
  versionstamp: string | null;
  /** Resolves when the last queued caller is done; undefined if the queue is empty. */
  turn: Promise<unknown> | undefined;
}

/** The client that sends a request. */
export interface Sender {
  readonly address: string;
  /** Theoretical arrival time of the attempts limit, as last seen. */
  attempts: number;
}

interface ClientLimitsDeps {
  readonly clock: Pick<Clock, "now">;
  readonly leadLimit: Allowance;
  readonly attemptLimit: Allowance;
}

/** What is remembered of clients, by address. */
export class ClientLimits {
  readonly #deps: ClientLimitsDeps;
  /** Theoretical arrival times of the attempts limit. */
  readonly #attempts: BoundedMap<number>;
  readonly #clients: BoundedMap<Client>;

  /** @param options.max most clients remembered for each limit */
  constructor(deps: ClientLimitsDeps, { max = REMEMBERED }: { readonly max?: number } = {}) {
    this.#deps = deps;
    const { clock, attemptLimit, leadLimit } = deps;
    const isSpent = (limit: Allowance, arrival: number) =>
      left(limit, { arrival, now: clock.now() }).remaining === 0;
    this.#attempts = new BoundedMap({ max, keep: (arrival) => isSpent(attemptLimit, arrival) });
    this.#clients = new BoundedMap({
      max,
      keep: ({ leads, turn }) => turn !== undefined || isSpent(leadLimit, leads),
    });
  }

  sender(address: string): Sender {
    return { address, attempts: 0 };
  }

  /** Counts a request, valid or not. @returns false if the client is over the attempt limit */
  attempt(sender: Sender): boolean {
    const { attemptLimit, clock } = this.#deps;
    const { address } = sender;
    const arrival = this.#attempts.get(address) ?? 0;
    const verdict = take(attemptLimit, { arrival, now: clock.now() });
    this.#attempts.set(address, verdict.arrival);
    sender.attempts = verdict.arrival;
    return verdict.allowed;
  }

  /** Whether the lead limit is known to be used up, so that KV need not be asked. */
  isOut({ address }: Sender): boolean {
    const { clock, leadLimit } = this.#deps;
    return !take(leadLimit, { arrival: this.#leadArrival(address), now: clock.now() }).allowed;
  }

  /** What is left of both limits. Costs no KV call. */
  limits({ address, attempts }: Sender): Limits {
    const { clock, attemptLimit, leadLimit } = this.#deps;
    const now = clock.now();
    return {
      lead: left(leadLimit, { arrival: this.#leadArrival(address), now }),
      attempt: left(attemptLimit, { arrival: attempts, now }),
    };
  }

  /** What is remembered of an address that sends a lead, from now on at the latest. */
  client(address: string): Client {
    const client = this.#clients.get(address) ?? { leads: 0, versionstamp: null, turn: undefined };
    this.#clients.set(address, client);
    return client;
  }

  /** Kept as clamped, so that a client gets its allowance back after the clock has been set back. */
  #leadArrival(address: string): number {
    const { clock, leadLimit } = this.#deps;
    const client = this.#clients.get(address);
    if (client === undefined) return 0;
    return client.leads = clampArrival(leadLimit, { arrival: client.leads, now: clock.now() });
  }
}

/**
 * Runs `work` when all earlier callers of this client are done, so that one client's leads do not race
 * each other for one record. After `ms` the caller gets what `late` gives instead: work that has begun
 * goes on without it, and work that has not is left out.
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
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  let hasBegun = false;
  let isLate = false;
  const cancel = clock.after(ms, () => {
    isLate = true;
    resolve(late(hasBegun));
  });
  async function run(): Promise<void> {
    if (isLate) return;
    hasBegun = true;
    try {
      resolve(await work());
    } catch (error) {
      reject(error);
    } finally {
      cancel();
    }
  }
  const turn = (client.turn === undefined ? run() : client.turn.then(run)).then(() => {
    if (client.turn === turn) client.turn = undefined;
  });
  client.turn = turn;
  return promise;
}
