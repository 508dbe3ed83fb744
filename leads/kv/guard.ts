/**
 * @module Every KV call goes through here: a bound on its time, and a clear word on its failure.
 *
 * The KV Connect client repeats failed calls without an end of its own, and a commit that fails may
 * have happened. So a call that gets no answer in time is given up, and every commit that did not
 * clearly fail is reported as unknown.
 */

import { CommitUnknown } from "../store.ts";

/** What the store needs of a database. */
export type KvAccess = Pick<Deno.Kv, "get" | "getMany" | "list" | "atomic">;

type CommitResult = Deno.KvCommitResult | Deno.KvCommitError;

/** Longer than SQLite waits for another process's lock (5 s) is of no use to a waiting caller. */
const PATIENCE_MS = 5_000;

/** Once a call got no answer, the next ones do not wait as long, until one gets an answer. */
const LITTLE_PATIENCE_MS = 1_000;

/** A call that got no answer in time. */
export class KvTimeout extends Error {
  override readonly name = "KvTimeout";
  constructor(ms: number) {
    super(`Cannot reach KV: no answer within ${ms} ms`);
  }
}

/** Guards the calls to one database. */
export class KvGuard {
  readonly #open: () => Promise<KvAccess>;
  #patienceMs = PATIENCE_MS;

  /** @param open opens the database with the first call, and again with the next after a failure */
  constructor(open: () => Promise<KvAccess>) {
    this.#open = open;
  }

  /** @throws {KvTimeout} when no answer comes in time; and whatever the read throws */
  read<T>(work: (kv: KvAccess) => Promise<T>): Promise<T> {
    return this.#inTime(this.#open().then(work));
  }

  /**
   * Commits, again and again while another process holds the lock of a shared SQLite file: such a
   * commit has surely not happened.
   *
   * @throws {CommitUnknown} when it may have happened, or may happen yet
   * @throws {KvTimeout} and whatever opening throws, when it has not been sent
   */
  async commit(build: (kv: KvAccess) => Deno.AtomicOperation): Promise<CommitResult> {
    const operation = build(await this.#inTime(this.#open()));
    let givenUp = false;
    async function attempt(): Promise<CommitResult> {
      for (let pauseMs = 1;; pauseMs = Math.min(2 * pauseMs, 64)) {
        try {
          return await operation.commit();
        } catch (error) {
          if (givenUp || !isLocked(error)) throw error;
          await new Promise((resolve) => setTimeout(resolve, pauseMs * Math.random()));
        }
      }
    }
    const commit = attempt();
    try {
      return await this.#inTime(commit);
    } catch (error) {
      givenUp = true;
      throw new CommitUnknown(commit.then(() => {}, () => {}), { cause: error });
    }
  }

  async #inTime<T>(work: Promise<T>): Promise<T> {
    const ms = this.#patienceMs;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        this.#patienceMs = LITTLE_PATIENCE_MS;
        reject(new KvTimeout(ms));
      }, ms);
    });
    try {
      const result = await Promise.race([work, deadline]);
      this.#patienceMs = PATIENCE_MS;
      return result;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** SQLite does not wait where a read would have to become a write, but fails at once. */
function isLocked(error: unknown): boolean {
  return error instanceof Error && error.message.includes("database is locked");
}
