/**
 * @module Checks limits over time: a client is refused before Retry-After, admitted after it, and has
 * its whole allowance again after a window. Does not judge requests that a slow machine delays.
 */

import { type Attempt, type Kind, type LimitedService, PLENTY, type Policy } from "./client.ts";

/** A window that is short enough to wait for. */
const COUNT = 2;
const WINDOW_MS = 4_000;
const INTERVAL_MS = WINDOW_MS / COUNT;

/** How long before the end of an interval a request is too early. */
const EARLY_MS = 200;

/** Between the first request and the second refusal: Retry-After loses a second. */
const MEANWHILE_MS = 1_200;

export type Limit = "accepted" | "attempts";

/** Bodies that count against one limit alone, and the status within it. */
const SENDS: Readonly<Record<Limit, { readonly kind: Kind; readonly admitted: number }>> = {
  accepted: { kind: "valid", admitted: 200 },
  attempts: { kind: "invalid", admitted: 400 },
};

/** The policy for {@link checkWaiting}. */
export function waitingFor(limit: Limit): Policy {
  return { accepted: PLENTY, attempts: PLENTY, [limit]: COUNT, seconds: WINDOW_MS / 1_000 };
}

/** Runs on an instance that limits one kind of requests. */
export async function checkWaiting(limited: LimitedService, limit: Limit): Promise<void> {
  await Promise.all([checkRetryAfter(limited, limit), checkRecovery(limited, limit)]);
}

async function checkRetryAfter(limited: LimitedService, limit: Limit): Promise<void> {
  const check = "limit_retry_after";
  const name = limited.rules[limit];
  const { kind, admitted } = SENDS[limit];
  const send = limited.client("192.0.2.1");
  const first = await send(kind, `the first of ${name}`);
  for (let n = 1; n < COUNT; n++) await send(kind, `within ${name}`);

  async function refusedAt(title: string): Promise<Attempt> {
    const before = first.sentAt + INTERVAL_MS;
    const seen = await send(kind, `${title} beyond ${name}`, { want: 429, check, before });
    if (seen.status === 429 && !seen.isLate) checkSeconds(limited, { seen, first });
    return seen;
  }

  if ((await refusedAt("at once")).isLate) return;
  await until(first.sentAt + MEANWHILE_MS);
  const { isLate, wait, gotAt } = await refusedAt("a second later");
  if (isLate || wait === undefined) return;
  await until(first.sentAt + INTERVAL_MS - EARLY_MS);
  // A request that was sent too late may have been admitted in place of the next one.
  if ((await refusedAt("too early")).isLate) return;
  await until(gotAt + wait * 1_000);
  await send(kind, `after Retry-After of ${name}`, { want: admitted, check });
  const says = `two of ${name} are admitted instead of one`;
  const expected = { want: 429, says, before: first.sentAt + 2 * INTERVAL_MS };
  await send(kind, `one more after Retry-After of ${name}`, expected);
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
async function checkRecovery({ rules, client }: LimitedService, limit: Limit): Promise<void> {
  const check = "limit_recovery";
  const name = rules[limit];
  const { kind, admitted } = SENDS[limit];
  const send = client("192.0.2.2");
  let last: Attempt;
  for (let n = 0; n <= COUNT; n++) last = await send(kind, `all of ${name}`);
  await until(last!.gotAt + WINDOW_MS);
  const before = performance.now() + INTERVAL_MS;
  const title = `all of ${name} after its window`;
  for (let n = 0; n < COUNT; n++) {
    const says = `after its window ${name} is not fully restored`;
    await send(kind, title, { want: admitted, check, says });
  }
  const says = `after its window ${name} allows more than before`;
  await send(kind, title, { want: 429, check, says, before });
}

async function until(moment: number): Promise<void> {
  const ms = moment - performance.now();
  if (ms > 0) await new Promise((done) => setTimeout(done, Math.ceil(ms) + 1));
}
