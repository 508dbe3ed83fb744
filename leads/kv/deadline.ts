/**
 * @module A bound on every KV call: the KV Connect client repeats failed calls without an end of
 * its own.
 */

import { CommitUnknown } from "../store.ts";

/** Longer than SQLite waits for another process's lock (5 s) is of no use to a waiting caller. */
export const KV_DEADLINE_MS = 5_000;

/** A read that took too long. */
export class KvTimeout extends Error {
  override readonly name = "KvTimeout";
  constructor() {
    super(`Cannot read from KV: no answer within ${KV_DEADLINE_MS} ms`);
  }
}

/** @throws {KvTimeout} when the deadline passes first */
export function readInTime<T>(read: Promise<T>, deadlineMs: number = KV_DEADLINE_MS): Promise<T> {
  return inTime(read, deadlineMs, () => new KvTimeout());
}

/**
 * Commits, again and again while another process holds the lock of a shared SQLite file: such a
 * commit has surely not happened.
 *
 * @throws {CommitUnknown} when the deadline passes first; the commit may land later
 */
export function commitInTime(
  operation: Pick<Deno.AtomicOperation, "commit">,
  deadlineMs: number = KV_DEADLINE_MS,
): Promise<Deno.KvCommitResult | Deno.KvCommitError> {
  let late = false;
  async function commit(): Promise<Deno.KvCommitResult | Deno.KvCommitError> {
    for (let pauseMs = 1;; pauseMs = Math.min(2 * pauseMs, 64)) {
      try {
        return await operation.commit();
      } catch (error) {
        if (late || !isLocked(error)) throw error;
        await new Promise((resolve) => setTimeout(resolve, pauseMs * Math.random()));
      }
    }
  }
  const committed = commit();
  const landed = committed.then(({ ok }) => ok, () => false);
  return inTime(committed, deadlineMs, () => {
    late = true;
    return new CommitUnknown(landed);
  });
}

/** SQLite does not wait where a read would have to become a write, but fails at once. */
function isLocked(error: unknown): boolean {
  return error instanceof Error && error.message.includes("database is locked");
}

async function inTime<T>(work: Promise<T>, deadlineMs: number, late: () => Error): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), deadlineMs);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
