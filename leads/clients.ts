/**
 * @module What this thread remembers of each client, bounded: its two arrival times, the
 * versionstamp of its limit record, and its turn in line.
 *
 * Forgetting a client is safe: attempts are counted elsewhere (`attempts.ts`), the lead limit is read
 * back from KV when the next commit finds that the record has changed.
 */

/** One client, by address. */
export interface Client {
  readonly address: string;
  /** Theoretical arrival time of the attempts limit, as last seen where it is counted. */
  attempts: number;
  /** Theoretical arrival time of the lead limit, as last seen in KV or counted here without it. */
  leads: number;
  /** Versionstamp of the limit record when last seen; null: assumed absent. */
  versionstamp: string | null;
  /** Resolves when the last caller in line is done. */
  turn: Promise<unknown>;
}

/** About 200 bytes each: some 20 MB at the most. */
const REMEMBERED = 100_000;

/**
 * The clients seen last, in two generations: when the younger one is full, the older one is forgotten
 * and the younger one takes its place. Whoever comes often stays, and no request pays for tidying up.
 */
export class Clients {
  readonly #generation: number;
  #younger = new Map<string, Client>();
  #older = new Map<string, Client>();

  constructor(most: number = REMEMBERED) {
    this.#generation = Math.ceil(most / 2);
  }

  /** What is remembered of an address, or a client never seen. */
  of(address: string): Client {
    const known = this.#younger.get(address);
    if (known !== undefined) return known;
    const client = this.#older.get(address) ??
      { address, attempts: 0, leads: 0, versionstamp: null, turn: Promise.resolve() };
    if (this.#younger.size >= this.#generation) {
      this.#older = this.#younger;
      this.#younger = new Map();
    }
    this.#younger.set(address, client);
    return client;
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
  const result = client.turn.then(work);
  client.turn = result.catch(() => {});
  return result;
}
