/**
 * @module Decides when a target gets no leads (a circuit breaker), for all processes: they share a pause
 * through the store, and the process that reserves its end makes the one attempt that decides.
 */

import type { AttemptTimes } from "./delivery_worker.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { LeadStore, Pause, Versioned } from "./ports.ts";
import type { DeliveryOutcome } from "./retry.ts";

/** So many failures in a row pause a target that has not asked for it. */
const FAILURES_IN_A_ROW = 5;

/** The first pause; each further one is twice as long, up to the longest. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 60_000;

/** The most that a target can ask for by Retry-After; the lead itself waits as long as it is told. */
const LONGEST_ASKED_MS = 3_600_000;

/** The receiver has no capacity at present (RFC 6585 §4, RFC 9110 §15.6.4, RFC 5321 §3.8). */
const OVERLOADED: ReadonlySet<string> = new Set(["http_429", "http_503", "smtp_421"]);

export interface CircuitBreakerDeps {
  readonly store: Pick<LeadStore, "pause" | "setPause">;
  readonly clock: Pick<Clock, "now">;
  readonly log: Pick<Log, "info">;
  readonly resumed: () => void;
}

export class CircuitBreaker {
  readonly #target: string;
  readonly #deps: CircuitBreakerDeps;
  #pause: Pause | null = null;
  /** The version of the stored pause last seen or written. */
  #seen: string | null = null;
  #failuresInARow = 0;
  #failingSince = 0;
  /** Attempts that began earlier say nothing new. */
  #changedAt = -Infinity;
  /** The last call of the store, or one that waits for it. */
  #turn: Promise<unknown> = Promise.resolve();
  /** A write that has not begun: there is one at most, however many changes a silent KV holds up. */
  #unsent: Promise<boolean> | undefined;

  constructor(target: string, deps: CircuitBreakerDeps) {
    this.#target = target;
    this.#deps = deps;
  }

  /** Whether the target gets leads without limit; otherwise one at a time, after the pause. */
  get isClosed(): boolean {
    return this.#pause === null;
  }

  /** In epoch milliseconds. */
  get pausedUntil(): number {
    return this.#pause?.until ?? -Infinity;
  }

  /** Takes over what other processes have stored since. */
  refresh(): Promise<void> {
    return this.#inTurn(async () => this.#learn(await this.#deps.store.pause(this.#target)));
  }

  /** Moves the end of the pause ahead, for one attempt. @returns false if another process was first */
  async reserve(until: number): Promise<boolean> {
    if (this.#pause === null) return true; // an attempt that had begun before has ended it
    this.#pause = { ...this.#pause, until };
    return await this.#store();
  }

  note(outcome: DeliveryOutcome, { startedAt, now }: AttemptTimes): void {
    if (startedAt < this.#changedAt) return;
    const wasClosed = this.isClosed;
    const pause = this.#pauseAfter(outcome, { startedAt, now });
    if (pause === this.#pause) return;
    this.#set(pause);
    if (wasClosed) {
      const until = new Date(this.pausedUntil).toISOString();
      const { result } = outcome;
      this.#deps.log.info("delivery.target_paused", { target: this.#target, result, until });
    }
    this.#store().catch(() => {}); // without KV this process alone knows it
  }

  #pauseAfter(
    { result, permanent, retryAfterMs = 0 }: DeliveryOutcome,
    { startedAt, now }: AttemptTimes,
  ): Pause | null {
    // A target that refuses a lead for good is well.
    if (result === "ok" || permanent) {
      this.#failuresInARow = 0;
      return null;
    }
    if (this.#failuresInARow++ === 0) this.#failingSince = startedAt;
    const isDown = OVERLOADED.has(result) || retryAfterMs > 0 ||
      this.#failuresInARow >= FAILURES_IN_A_ROW;
    if (this.isClosed && !isDown) return null;
    const failures = (this.#pause?.failures ?? 0) + 1;
    const backoff = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
    const asked = Math.min(retryAfterMs, LONGEST_ASKED_MS);
    const since = this.#pause?.since ?? this.#failingSince;
    return { until: now + Math.max(backoff, asked), failures, since };
  }

  #learn({ value, versionstamp }: Versioned<Pause>): void {
    const now = this.#deps.clock.now();
    const wasSetBack = now < this.#changedAt;
    if (versionstamp === this.#seen && !wasSetBack) {
      // KV has not taken the last change.
      if ((value === null) !== this.isClosed) this.#store().catch(() => {});
      return;
    }
    this.#seen = versionstamp;
    // A later end is that of a wrong clock.
    this.#set(value && { ...value, until: Math.min(value.until, now + LONGEST_ASKED_MS) });
  }

  #set(pause: Pause | null): void {
    const { clock, log, resumed } = this.#deps;
    const hasClosed = !this.isClosed && pause === null;
    this.#pause = pause;
    this.#changedAt = clock.now();
    if (pause === null) this.#failuresInARow = 0;
    if (!hasClosed) return;
    log.info("delivery.target_resumed", { target: this.#target });
    resumed();
  }

  /** @returns false if another process was first */
  #store(): Promise<boolean> {
    const { store } = this.#deps;
    return this.#unsent ??= this.#inTurn(async () => {
      this.#unsent = undefined;
      const pause = this.#pause;
      const versionstamp = await store.setPause(this.#target, pause, this.#seen);
      if (versionstamp === null) this.#learn(await store.pause(this.#target));
      else this.#seen = pause === null ? null : versionstamp;
      return versionstamp !== null;
    });
  }

  /** One call of the store at a time, so that each knows the version before. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }

  async idle(): Promise<void> {
    await this.#turn;
  }
}
