/**
 * @module Every KV call goes through here: a bound on its time, and a clear word on its failure.
 *
 * The KV Connect client repeats failed calls without an end of its own, and a commit that fails may
 * have happened. So a call that gets no answer in time is given up, and every commit that did not
 * clearly fail is reported as unknown.
 */

import { type Clock, systemClock } from "../clock.ts";
import { CommitUnknown } from "../store.ts";
import { explained, isLocked, KvFailure } from "./cause.ts";

/** What the store needs of a database; one that can be closed is closed when it is replaced. */
export type KvAccess =
  & Pick<Deno.Kv, "get" | "getMany" | "list" | "atomic">
  & Partial<Pick<Deno.Kv, "close">>;

type CommitResult = Deno.KvCommitResult | Deno.KvCommitError;

/** Longer than SQLite waits for another process's lock (5 s) is of no use to a waiting caller. */
export const PATIENCE_MS = 5_000;

/** Once a call got no answer, the next ones do not wait as long, until one gets an answer. */
const LITTLE_PATIENCE_MS = 1_000;

/** A connection that has gone dead is not given up by the client: so often at the most it is by us. */
const REOPEN_EVERY_MS = 10_000;

/** A call that got no answer in time. */
export class KvTimeout extends KvFailure {
  override readonly name = "KvTimeout";
  constructor(ms: number) {
    super(`no answer within ${ms} ms`);
  }
}

/** Guards the calls to one database. */
export class KvGuard {
  readonly #open: () => Promise<KvAccess>;
  readonly #clock: Clock;
  #kv: Promise<KvAccess> | undefined;
  /** The same, once it is open: a commit then needs no bound on the time that opening takes. */
  #ready: KvAccess | undefined;
  /** A connection that is silent, until the one in its place is open. */
  #silent: Promise<KvAccess> | undefined;
  #openedAt = 0;
  #patienceMs = PATIENCE_MS;

  /** @param open opens the database: for the first call, after a failure, and when it is silent */
  constructor(open: () => Promise<KvAccess>, clock: Clock = systemClock) {
    this.#open = open;
    this.#clock = clock;
  }

  #opened(): Promise<KvAccess> {
    if (this.#kv === undefined) {
      this.#openedAt = this.#clock.now();
      const kv = this.#open();
      this.#kv = kv;
      kv.then((opened) => {
        if (this.#kv === kv) this.#ready = opened;
        return this.#closeSilent(opened);
      }, () => {
        if (this.#kv === kv) this.#kv = undefined;
      });
    }
    return this.#kv;
  }

  #noAnswer(ms: number): KvTimeout {
    this.#patienceMs = LITTLE_PATIENCE_MS;
    if (this.#clock.now() - this.#openedAt > REOPEN_EVERY_MS) {
      this.#silent ??= this.#kv;
      this.#kv = undefined;
      this.#ready = undefined;
    }
    return new KvTimeout(ms);
  }

  /**
   * A connection that is given up would go on asking its server how things are. A commit that is under
   * way on it is not cancelled by closing.
   */
  async #closeSilent(opened: KvAccess): Promise<void> {
    const silent = this.#silent;
    this.#silent = undefined;
    const before = await silent?.catch(() => undefined);
    if (before !== opened) before?.close?.(); // a file is opened once: it is the same again
  }

  /** @throws {KvTimeout} when no answer comes in time; {@link KvFailure}, or what the read throws */
  read<T>(work: (kv: KvAccess) => Promise<T>): Promise<T> {
    return this.#inTime(this.#opened().then(work));
  }

  /**
   * Commits, again and again while another process holds the lock of a shared SQLite file: such a
   * commit has surely not happened.
   *
   * @throws {CommitUnknown} when it may have happened, or may happen yet
   * @throws {KvTimeout} and whatever opening throws, when it has not been sent
   */
  async commit(build: (kv: KvAccess) => Deno.AtomicOperation): Promise<CommitResult> {
    const operation = build(
      this.#ready ?? await this.#inTime(this.#opened(), { isAnswer: false }),
    );
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

  /** @param options.isAnswer false where success says nothing of whether KV answers */
  async #inTime<T>(work: Promise<T>, { isAnswer = true } = {}): Promise<T> {
    const ms = this.#patienceMs;
    let cancel = () => {};
    const deadline = new Promise<never>((_, reject) => {
      cancel = this.#clock.after(ms, () => reject(this.#noAnswer(ms)));
    });
    // An answer that comes too late for its caller is an answer: KV is there, if slow.
    if (isAnswer) work.then(() => this.#patienceMs = PATIENCE_MS, () => {});
    try {
      return await Promise.race([work, deadline]);
    } catch (error) {
      throw explained(error);
    } finally {
      cancel();
    }
  }
}
