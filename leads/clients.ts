/**
 * @module What this instance remembers of each client, bounded: its two arrival times, the
 * versionstamp of its limit record, and its turn in line.
 *
 * Forgetting a client is safe: the attempts limit starts anew, the lead limit is read back from KV
 * when the next commit finds that the record has changed.
 */

/** One client, by address. */
export interface Client {
  readonly address: string;
  /** Theoretical arrival time of the attempts limit (in memory only). */
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

/** The clients seen last. */
export class Clients {
  readonly #clients = new Map<string, Client>();
  readonly #most: number;

  constructor(most: number = REMEMBERED) {
    this.#most = most;
  }

  /** The client of an address, moved to the end of those that will be forgotten. */
  of(address: string): Client {
    let client = this.#clients.get(address);
    if (client !== undefined) {
      this.#clients.delete(address);
    } else {
      if (this.#clients.size >= this.#most) this.#forgetOldest();
      client = { address, attempts: 0, leads: 0, versionstamp: null, turn: Promise.resolve() };
    }
    this.#clients.set(address, client);
    return client;
  }

  /** How many are remembered. */
  get size(): number {
    return this.#clients.size;
  }

  #forgetOldest(): void {
    for (const address of this.#clients.keys()) {
      this.#clients.delete(address);
      return;
    }
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
