/**
 * @module The attempts of all clients in a table of fixed size: a count-min sketch whose cells hold arrival
 * times of GCRA (`rate_limit.ts`) instead of counts.
 *
 * A client has one cell in each row, and the least of them counts. No cell is ever lower than what one of
 * its clients has used, so that no number of other addresses makes the table forget a client; time alone
 * empties it. The price are collisions: a client is refused because of others only if each of its cells
 * is shared with a client over the limit. Where 1,000 clients are over it at once, that happens to one new
 * client in 20 million; where 10,000 are, to one in 2,500. A flood from ever new addresses causes no
 * refusal up to 260,000 posts a second at 120/1m and 360 at 10/1h; twice as many refuse most new clients.
 */

import type { RateLimit } from "../config/settings.ts";
import { fromStored, left, type LimitState, type Remaining, take, toStored } from "./rate_limit.ts";

const ROWS = 4;

/** Cells of a row; 2 MB in all. */
const WIDTH = 2 ** 16;

export class AttemptTable {
  readonly #limit: RateLimit;
  readonly #cells = new Float64Array(ROWS * WIDTH);
  /** So that a client cannot look for addresses that share the cells of another one. */
  readonly #seeds = crypto.getRandomValues(new Uint32Array(2));

  constructor(limit: RateLimit) {
    this.#limit = limit;
  }

  /** Counts an attempt. @returns false if the client is over the limit */
  take(address: string, now: number): boolean {
    const cells = this.#cellsOf(address);
    // A later time than that of a whole window was stored before the clock was set back.
    const latest = now + this.#limit.windowMs;
    for (const cell of cells) this.#cells[cell] = Math.min(this.#cells[cell]!, latest);
    const { allowed, state } = take(this.#limit, { state: this.#least(cells), now });
    const { until } = toStored(state);
    for (const cell of cells) this.#cells[cell] = Math.max(this.#cells[cell]!, until);
    return allowed;
  }

  left(address: string, now: number): Remaining {
    return left(this.#limit, { state: this.#least(this.#cellsOf(address)), now });
  }

  #least(cells: readonly number[]): LimitState {
    return fromStored({ arrival: Math.min(...cells.map((cell) => this.#cells[cell]!)) });
  }

  #cellsOf(address: string): readonly number[] {
    const [one, other] = [hash(address, this.#seeds[0]!), hash(address, this.#seeds[1]!)];
    const columns = [one % WIDTH, one >>> 16, other % WIDTH, other >>> 16];
    return columns.map((column, row) => row * WIDTH + column);
  }
}

/** 32 bits: FNV-1a with a seed, and the finalizer of MurmurHash3. */
function hash(text: string, seed: number): number {
  let bits = seed;
  for (let n = 0; n < text.length; n++) bits = Math.imul(bits ^ text.charCodeAt(n), 0x01000193);
  bits = Math.imul(bits ^ bits >>> 16, 0x85ebca6b);
  bits = Math.imul(bits ^ bits >>> 13, 0xc2b2ae35);
  return (bits ^ bits >>> 16) >>> 0;
}
