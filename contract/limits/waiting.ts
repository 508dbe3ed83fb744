/**
 * @module Checks limits over time: a client is refused before Retry-After, admitted after it, and has
 * its whole allowance again after a window. Skips requests that a slow machine delays.
 */

import type { Attempt, Kind, LimitedService } from "./client.ts";

/** A limit whose window is short enough to wait for. */
export const WAITING = { count: 2, seconds: 4 };

type Limit = "accepted" | "attempts";

/** Bodies that count against one limit alone, and the status within it. */
const SENDS: Readonly<Record<Limit, { readonly kind: Kind; readonly admitted: number }>> = {
  accepted: { kind: "valid", admitted: 200 },
  attempts: { kind: "invalid", admitted: 400 },
};

const INTERVAL_MS = 1_000 * WAITING.seconds / WAITING.count;

/** How long before the end of an interval a request is too early. */
const EARLY_MS = 200;

/** Between the first request and the second refusal: Retry-After loses a second. */
const MEANWHILE_MS = 1_200;

/** Checks both on an instance with {@link WAITING}. */
export async function checkWaiting(limited: LimitedService, limit: Limit): Promise<void> {
  await Promise.all([checkRetryAfter(limited, limit), checkRecovery(limited, limit)]);
}

async function checkRetryAfter(limited: LimitedService, limit: Limit): Promise<void> {
  const check = "limit_retry_after";
  const name = limited.rules[limit];
  const { kind, admitted } = SENDS[limit];
  const client = limited.client("192.0.2.1");
  const first = await client.send(kind, `the first of ${name}`);
  for (let n = 1; n < WAITING.count; n++) await client.send(kind, `within ${name}`);

  /** Undefined if the answer came so late that one more request may have been admitted. */
  async function refusedAt(title: string): Promise<Attempt | undefined> {
    const seen = await client.send(kind, title);
    if (isLate(limited, { seen, first })) return undefined;
    limited.expect(seen, { want: 429, check });
    if (seen.status === 429) checkSeconds(limited, { seen, first });
    return seen;
  }

  if (await refusedAt(`at once beyond ${name}`) === undefined) return;
  await until(first.sentAt + MEANWHILE_MS);
  const refusal = await refusedAt(`a second later beyond ${name}`);
  if (refusal?.wait === undefined) return;
  await until(first.sentAt + INTERVAL_MS - EARLY_MS);
  // A request that was sent too late may have been admitted in place of the next one.
  if (await refusedAt(`too early beyond ${name}`) === undefined) return;
  await until(refusal.gotAt + refusal.wait * 1_000);
  limited.expect(await client.send(kind, `after Retry-After of ${name}`), {
    want: admitted,
    check,
  });
  const more = await client.send(kind, `one more after Retry-After of ${name}`);
  if (isLate(limited, { seen: more, first, intervals: 2 })) return;
  limited.expect(more, { want: 429, says: `two of ${name} are admitted instead of one` });
}

/** Retry-After is the remaining time in whole seconds, rounded up. */
function checkSeconds(
  { report, rules }: LimitedService,
  { seen, first }: { readonly seen: Attempt; readonly first: Attempt },
): void {
  if (seen.wait === undefined) return; // a finding of the oracle
  const least = INTERVAL_MS - (seen.gotAt - first.sentAt);
  const most = INTERVAL_MS - (seen.sentAt - first.gotAt);
  const [from, to] = [least, most].map((ms) => Math.max(1, Math.ceil(ms / 1_000)));
  if (seen.wait >= from! && seen.wait <= to!) return;
  const more = seen.wait > to! ? "longer" : "shorter";
  const message = `Retry-After of ${rules.operation} is ${more} than the wait`;
  report("limit_retry_after", message, seen.exchange);
}

/** After a window the whole allowance is restored, and no more. */
async function checkRecovery(limited: LimitedService, limit: Limit): Promise<void> {
  const name = limited.rules[limit];
  const { kind, admitted } = SENDS[limit];
  const client = limited.client("192.0.2.2");
  async function sendAll(title: string): Promise<Attempt[]> {
    const sent: Attempt[] = [];
    for (let n = 0; n <= WAITING.count; n++) sent.push(await client.send(kind, title));
    return sent;
  }
  const before = await sendAll(`all of ${name}`);
  await until(before.at(-1)!.gotAt + WAITING.seconds * 1_000);
  const again = await sendAll(`all of ${name} after its window`);
  const beyond = again.pop()!;
  const check = "limit_recovery";
  for (const seen of again) {
    const says = `after its window ${name} is not fully restored`;
    limited.expect(seen, { want: admitted, check, says });
  }
  if (isLate(limited, { seen: beyond, first: again[0]! })) return;
  const says = `after its window ${name} allows more than before`;
  limited.expect(beyond, { want: 429, check, says });
}

/** Whether so much time has passed that one more may be admitted; such requests are noted. */
function isLate({ session }: LimitedService, { seen, first, intervals = 1 }: {
  readonly seen: Attempt;
  readonly first: Attempt;
  readonly intervals?: number;
}): boolean {
  const isLate = seen.gotAt - first.sentAt >= intervals * INTERVAL_MS;
  const { title } = seen.exchange;
  if (isLate) session.note(`inconclusive, the machine was too slow: ${title}`);
  return isLate;
}

async function until(moment: number): Promise<void> {
  const ms = moment - performance.now();
  if (ms > 0) await new Promise((done) => setTimeout(done, Math.ceil(ms) + 1));
}
