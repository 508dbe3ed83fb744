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

/** @throws {CommitUnknown} when the deadline passes first; the commit may land later */
export function commitInTime(
  commit: Promise<Deno.KvCommitResult | Deno.KvCommitError>,
  deadlineMs: number = KV_DEADLINE_MS,
): Promise<Deno.KvCommitResult | Deno.KvCommitError> {
  const landed = commit.then(({ ok }) => ok, () => false);
  return inTime(commit, deadlineMs, () => new CommitUnknown(landed));
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
