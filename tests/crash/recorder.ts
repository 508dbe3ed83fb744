/**
 * @module Numbers every call that an instance makes to what it depends on, and lets the instance die
 * at one of them.
 *
 * Each call has two points: before it takes effect, and after it took effect but before the caller
 * hears of it. Whatever a dead instance does has no effect. Its calls reject rather than hang, so
 * that its timers end with it.
 */

import type { KvAccess } from "../../leads/kv/guard.ts";
import { kvWith } from "../support/kv_with.ts";
import { pause } from "../support/until.ts";

/** What a dead instance's calls reject with. */
class Died extends Error {
  override readonly name = "Died";
}

/** The life of one instance, as far as it shows outside. */
export class Recorder {
  /** A word for each call so far. */
  readonly calls: string[] = [];
  readonly #deathPoint: number;
  #dead = false;
  #underWay = 0;
  #turn: Promise<unknown> = Promise.resolve();

  /** @param deathPoint counted from 0; the n-th call has the points 2n and 2n + 1 */
  constructor(deathPoint: number) {
    this.#deathPoint = deathPoint;
  }

  get dead(): boolean {
    return this.#dead;
  }

  /** Where it died, for people. */
  get place(): string {
    const side = this.#deathPoint % 2 === 0 ? "before" : "after";
    return `${side} call ${this.calls.length} (${this.calls.at(-1)}) of ${this.calls.join(", ")}`;
  }

  /** From now on nothing has an effect. */
  die(): void {
    this.#dead = true;
  }

  /** Numbers and makes a call. */
  async call<T>(name: string, effect: () => Promise<T>): Promise<T> {
    this.#underWay++;
    try {
      if (this.#dead) throw new Died();
      const point = 2 * this.calls.push(name) - 2;
      this.#pass(point);
      try {
        return await effect();
      } finally {
        this.#pass(point + 1);
      }
    } finally {
      this.#underWay--;
    }
  }

  /** Like `call`, one at a time in the order of arrival, so that every run has the same order. */
  inOrder<T>(name: string, effect: () => Promise<T>): Promise<T> {
    this.#underWay++;
    const result = this.#turn.then(() => this.call(name, effect)).finally(() => this.#underWay--);
    this.#turn = result.catch(() => {});
    return result;
  }

  /** Resolves when the instance does nothing more by itself. */
  async quiet(): Promise<void> {
    // Between two calls lie only microtasks: two idle turns of the event loop are the end.
    for (let idle = 0; idle < 2; idle = this.#underWay === 0 ? idle + 1 : 0) {
      await pause(0);
    }
  }

  /** The database as the instance sees it. */
  kv(kv: KvAccess): KvAccess {
    return kvWith(kv, {
      get: (...args) => this.inOrder("get", () => kv.get(...args)),
      getMany: (...args) => this.inOrder("getMany", () => kv.getMany(...args)),
      list: <T>(...args: Parameters<Deno.Kv["list"]>) => this.#list(() => kv.list<T>(...args)),
      commit: (commit) => this.inOrder("commit", commit),
    });
  }

  /** A list is one call: what it reads at once is what the caller asked for. */
  #list<T>(list: () => Deno.KvListIterator<T>): Deno.KvListIterator<T> {
    const call = () => this.inOrder("list", () => Array.fromAsync(list()));
    async function* entries() {
      yield* await call();
    }
    return entries() as unknown as Deno.KvListIterator<T>;
  }

  #pass(point: number): void {
    if (point === this.#deathPoint) this.die();
    if (this.#dead) throw new Died();
  }
}
