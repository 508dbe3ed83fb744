/**
 * @module Checks limits over time: a client is refused before Retry-After, admitted after it, and has
 * its whole allowance again after a window. Skips requests that a slow machine delays.
 */

import { type Attempt, type Kind, type LimitedService } from "./client.ts";

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

/** Checks Retry-After on an instance with {@link WAITING}. */
export async function checkRetryAfter(limited: LimitedService, limit: Limit): Promise<void> {
  const { report } = limited;
  const name = limited.rules[limit];
  const { kind, admitted } = SENDS[limit];
  const client = limited.client("192.0.2.1");
  const first = await client.send(kind, `the first of ${name}`);
  for (let n = 1; n < WAITING.count; n++) await client.send(kind, `within ${name}`);

  /** Undefined if the answer came so late that one more request may have been admitted. */
  async function refusedAt(title: string): Promise<Attempt | undefined> {
    const seen = await client.send(kind, title);
    if (seen.gotAt - first.sentAt >= INTERVAL_MS) return inconclusive(limited, title);
    if (seen.status !== 429) {
      report("limit_retry_after", `${title} got ${seen.status} instead of 429`, seen.exchange);
    } else checkSeconds(limited, { seen, first });
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
  const then = await client.send(kind, `after Retry-After of ${name}`);
  if (then.status !== admitted) {
    const message = `after Retry-After, ${name} got ${then.status} instead of ${admitted}`;
    report("limit_retry_after", message, then.exchange);
  }
  const more = await client.send(kind, `one more after Retry-After of ${name}`);
  if (more.gotAt - first.sentAt >= 2 * INTERVAL_MS) {
    return void inconclusive(limited, `one more after Retry-After of ${name}`);
  }
  if (more.status !== 429) {
    report("limit_allowance", `two of ${name} are admitted instead of one`, more.exchange);
  }
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
export async function checkRecovery(limited: LimitedService, limit: Limit): Promise<void> {
  const { report } = limited;
  const name = limited.rules[limit];
  const { kind, admitted } = SENDS[limit];
  const client = limited.client("192.0.2.2");
  let last: Attempt | undefined;
  for (let n = 0; n <= WAITING.count; n++) last = await client.send(kind, `all of ${name}`);
  await until(last!.gotAt + WAITING.seconds * 1_000);
  const again: Attempt[] = [];
  for (let n = 0; n <= WAITING.count; n++) {
    again.push(await client.send(kind, `all of ${name} after its window`));
  }
  for (const seen of again.slice(0, WAITING.count)) {
    if (seen.status === admitted) continue;
    report("limit_recovery", `after its window ${name} is not fully restored`, seen.exchange);
  }
  const beyond = again.at(-1)!;
  if (beyond.gotAt - again[0]!.sentAt >= INTERVAL_MS) {
    return void inconclusive(limited, `beyond ${name} after its window`);
  }
  if (beyond.status === 429) return;
  report("limit_recovery", `after its window ${name} allows more than before`, beyond.exchange);
}

function inconclusive({ session }: LimitedService, title: string): undefined {
  session.note(`inconclusive, the machine was too slow: ${title}`);
}

async function until(moment: number): Promise<void> {
  const ms = moment - performance.now();
  if (ms > 0) await new Promise((done) => setTimeout(done, Math.ceil(ms) + 1));
}
