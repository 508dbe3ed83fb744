/**
 * @module What this process remembers of each client that has sent a lead, bounded: the arrival time
 * of its lead limit, the versionstamp of its record, and its turn in line.
 *
 * Forgetting a client is safe: the lead limit is read back from KV when the next commit finds that the
 * record has changed. Whoever sends no lead leaves nothing here; attempts are counted in `attempts.ts`.
 *
 * Addresses are kept as keyed hashes, of 53 bits: that two of 100,000 clients are one has odds below
 * one to a million. V8 keeps a copy of each string that a map is asked for, but not of a number.
 */

import { keyedHash } from "./keyed_hash.ts";

/** One client. */
export interface Client {
  /** Theoretical arrival time of the lead limit, as last seen in KV or counted here without it. */
  leads: number;
  /** Versionstamp of the limit record when last seen; null: assumed absent. */
  versionstamp: string | null;
  /** Resolves when the last caller in line is done; undefined while there is none. */
  turn: Promise<unknown> | undefined;
}

/** About 200 bytes each: some 20 MB at the most. */
const REMEMBERED = 100_000;

/**
 * The clients seen last, in two generations: when the younger one is full, the older one is forgotten
 * and the younger one takes its place. Whoever comes often stays, and no request pays for tidying up.
 */
export class Clients {
  readonly #generation: number;
  readonly #key: readonly [low: number, high: number];
  #younger = new Map<number, Client>();
  #older = new Map<number, Client>();

  constructor(most: number = REMEMBERED) {
    this.#generation = Math.ceil(most / 2);
    const [low, high] = crypto.getRandomValues(new Int32Array(2));
    this.#key = [low!, high!];
  }

  /** What is remembered of an address, if anything. */
  find(address: string): Client | undefined {
    return this.#find(this.#nameOf(address));
  }

  /** What is remembered of an address, from now on at the latest. */
  of(address: string): Client {
    const name = this.#nameOf(address);
    const known = this.#find(name);
    if (known !== undefined) return known;
    const client: Client = { leads: 0, versionstamp: null, turn: undefined };
    this.#remember(name, client);
    return client;
  }

  #nameOf(address: string): number {
    const { low, high } = keyedHash(address, this.#key);
    return (high >>> 11) * 2 ** 32 + low;
  }

  #find(name: number): Client | undefined {
    const known = this.#younger.get(name);
    if (known !== undefined) return known;
    const seen = this.#older.get(name);
    if (seen !== undefined) this.#remember(name, seen);
    return seen;
  }

  #remember(name: number, client: Client): void {
    if (this.#younger.size >= this.#generation) {
      this.#older = this.#younger;
      this.#younger = new Map();
    }
    this.#younger.set(name, client);
  }

  /** How many are remembered, at the most: one that has just come back may count twice. */
  get size(): number {
    return this.#younger.size + this.#older.size;
  }
}

/**
 * Runs `work` when all earlier callers of this client are done, so that one client's leads do not
 * race each other for one record.
 */
export function inTurn<T>(client: Client, work: () => Promise<T>): Promise<T> {
  const result = client.turn === undefined ? work() : client.turn.then(work);
  const turn = result.then(leave, leave);
  client.turn = turn;
  return result;

  function leave(): void {
    if (client.turn === turn) client.turn = undefined;
  }
}
