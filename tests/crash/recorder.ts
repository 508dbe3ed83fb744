/**
 * @module Numbers every call of an instance to KV and its targets, and lets it die at one of them: before
 * or after the effect of the call. Later calls have no effect, and reject so that timers end.
 */

import type { KvAccess } from "../../leads/kv/guard.ts";
import { kvWith } from "../support/kv_with.ts";
import { pause } from "../support/until.ts";

export class Recorder {
  readonly calls: string[] = [];
  readonly #deathPoint: number;
  dead = false;
  #underWay = 0;
  #turn: Promise<unknown> = Promise.resolve();

  /** @param deathPoint counted from 0; the n-th call has the points 2n and 2n + 1 */
  constructor(deathPoint: number) {
    this.#deathPoint = deathPoint;
  }

  get place(): string {
    const side = this.#deathPoint % 2 === 0 ? "before" : "after";
    return `${side} call ${this.calls.length} (${this.calls.at(-1)}) of ${this.calls.join(", ")}`;
  }

  async call<T>(name: string, effect: () => Promise<T>): Promise<T> {
    this.#underWay++;
    try {
      if (this.dead) throw new Error("Died");
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

  async quiet(): Promise<void> {
    // There are only microtasks between two calls: after two idle turns it is idle.
    for (let idle = 0; idle < 2; idle = this.#underWay === 0 ? idle + 1 : 0) await pause(0);
  }

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
    if (point === this.#deathPoint) this.dead = true;
    if (this.dead) throw new Error("Died");
  }
}
