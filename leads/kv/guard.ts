/**
 * @module Guards every KV call: one deadline a call, and the connection is replaced after a timeout. A
 * commit that did not clearly fail is reported as ambiguous.
 */

import { type Clock, orLate, systemClock } from "../../lib/clock.ts";
import { AmbiguousCommit, KV_DEADLINE_MS, type Versioned } from "../ports.ts";
import { explained, isLocked, isTooLarge, isUndecodable, KvFailure } from "./error_reasons.ts";

export type KvAccess =
  & Pick<Deno.Kv, "get" | "getMany" | "list" | "atomic">
  & Partial<Pick<Deno.Kv, "close">>;

type CommitResult = Deno.KvCommitResult | Deno.KvCommitError;

export const NO_ANSWER = `no answer within ${KV_DEADLINE_MS} ms`;

/** Deno refuses a commit beyond the limits of KV before it sends it: it has certainly not happened. */
export class TooLarge extends KvFailure {
  override readonly name = "TooLarge";
  constructor(options: ErrorOptions) {
    super("it is larger than KV allows", options);
  }
}

export class KvGuard {
  readonly #open: () => Promise<KvAccess>;
  readonly #clock: Clock;
  #kv: Promise<KvAccess> | undefined;
  /** Connections that timed out, until their replacement is open. */
  #silent: Promise<KvAccess>[] = [];

  /** @param open opens the database: for the first call, after a failure and after a timeout */
  constructor(open: () => Promise<KvAccess>, clock: Clock = systemClock) {
    this.#open = open;
    this.#clock = clock;
  }

  /** @throws {KvFailure}, also after the deadline, or whatever else the read throws */
  read<T>(work: (kv: KvAccess) => Promise<T>): Promise<T> {
    const kv = this.#opened();
    return this.#inTime(kv, kv.then(work));
  }

  /** An entry; a damaged one is removed and counts as absent: it would fail every check. */
  async getOrRemove<T>(key: Deno.KvKey): Promise<Deno.KvEntryMaybe<T>> {
    try {
      return await this.read((kv) => kv.get<T>(key));
    } catch (error) {
      if (!isUndecodable(error)) throw error;
      await this.commit((kv) => kv.atomic().delete(key));
      return { key, value: null, versionstamp: null };
    }
  }

  /** Sets a value, or deletes it (null). @returns the version; null if another process was first */
  async replace(
    { key, value, versionstamp }: Versioned<unknown> & { readonly key: Deno.KvKey },
    options: { readonly expireIn?: number } = {},
  ): Promise<string | null> {
    const result = await this.commit((kv) => {
      const commit = kv.atomic().check({ key, versionstamp });
      return value === null ? commit.delete(key) : commit.set(key, value, options);
    });
    return result.ok ? result.versionstamp : null;
  }

  /**
   * Commits. A locked SQLite file has certainly not committed: then the commit is repeated.
   *
   * @throws {AmbiguousCommit} if it may have happened or may still happen
   * @throws {TooLarge}, {@link KvFailure} or whatever opening throws, if it was not sent
   */
  async commit(build: (kv: KvAccess) => Deno.AtomicOperation): Promise<CommitResult> {
    const kv = this.#opened();
    let isSent = false;
    let isOver = false;
    async function attempt(opened: KvAccess): Promise<CommitResult> {
      if (isOver) throw new KvFailure(NO_ANSWER);
      const operation = build(opened);
      isSent = true;
      for (let pauseMs = 1;; pauseMs = Math.min(2 * pauseMs, 64)) {
        try {
          return await operation.commit();
        } catch (error) {
          if (isTooLarge(error)) throw new TooLarge({ cause: error });
          if (isOver || !isLocked(error)) throw error;
          await new Promise((resolve) => setTimeout(resolve, pauseMs * Math.random()));
        }
      }
    }
    try {
      return await this.#inTime(kv, kv.then(attempt));
    } catch (error) {
      isOver = true;
      throw isSent && !(error instanceof TooLarge) ? new AmbiguousCommit({ cause: error }) : error;
    }
  }

  #opened(): Promise<KvAccess> {
    if (this.#kv === undefined) {
      const kv = this.#kv = this.#open();
      kv.then((opened) => {
        if (this.#kv === kv) this.#closeSilent(opened);
      }, () => {
        if (this.#kv === kv) this.#kv = undefined;
      });
    }
    return this.#kv;
  }

  /** An open connection keeps calling its server; closing it does not cancel a commit in flight. */
  #closeSilent(opened: KvAccess): void {
    for (const silent of this.#silent.splice(0)) {
      // A file is opened only once, so that it may be the same.
      silent.then((before) => before !== opened && before.close?.(), () => {});
    }
  }

  async #inTime<T>(kv: Promise<KvAccess>, work: Promise<T>): Promise<T> {
    const late = (): never => {
      if (this.#kv === kv) {
        this.#kv = undefined;
        this.#silent.push(kv);
      }
      throw new KvFailure(NO_ANSWER);
    };
    try {
      return await orLate(work, { ms: KV_DEADLINE_MS, clock: this.#clock, late });
    } catch (error) {
      throw explained(error);
    }
  }
}
