/** @module Limits over time: Retry-After, recovery. What a slow machine delays is not judged. */

import { type Attempt, LIMIT_RULES, type LimitedService, PLENTY } from "./limit_client.ts";

const COUNT = 2;
const SECONDS = 4;
const INTERVAL_MS = 1_000 * SECONDS / COUNT;

const OTHERWISE = { accepted: PLENTY, attempts: PLENTY, seconds: SECONDS };

/** For each limit, bodies that count against it alone, and the status within it. */
export const WAITS = [
  { limit: "accepted", body: "valid", admitted: 200, policy: { ...OTHERWISE, accepted: COUNT } },
  { limit: "attempts", body: "invalid", admitted: 400, policy: { ...OTHERWISE, attempts: COUNT } },
] as const;

type Wait = typeof WAITS[number];

/** How long before the end of an interval a request is too early. */
const EARLY_MS = 200;

/** Between the first request and the second refusal: Retry-After loses a second. */
const MEANWHILE_MS = 1_200;

export async function checkWaiting(limited: LimitedService, wait: Wait): Promise<void> {
  await Promise.all([checkRetryAfter(limited, wait), checkRecovery(limited, wait)]);
}

async function checkRetryAfter(
  { rules, report, client }: LimitedService,
  { limit, body, admitted }: Wait,
): Promise<void> {
  const check = LIMIT_RULES.limit_retry_after;
  const name = rules[limit];
  const send = client("192.0.2.1");
  const first = await send(body, `the first of ${name}`);
  for (let n = 1; n < COUNT; n++) await send(body, `within ${name}`);

  /** Retry-After is the remaining time in whole seconds, rounded up. */
  async function refusedAt(title: string): Promise<Attempt> {
    const before = first.sentAt + INTERVAL_MS;
    const seen = await send(body, `${title} beyond ${name}`, { want: 429, check, before });
    const { wait, isLate, exchange } = seen;
    if (wait === undefined || isLate) return seen; // a finding of the oracle, or noted
    const [least = 0, most = 0] = [seen.gotAt - first.sentAt, seen.sentAt - first.gotAt]
      .map((elapsed) => Math.max(1, Math.ceil((INTERVAL_MS - elapsed) / 1_000)));
    if (wait < least) report(check, `Retry-After of ${name} is shorter than the wait`, exchange);
    if (wait > most) report(check, `Retry-After of ${name} is longer than the wait`, exchange);
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
  await send(body, `after Retry-After of ${name}`, { want: admitted, check });
  const says = `two of ${name} are admitted instead of one`;
  const expected = { want: 429, says, before: first.sentAt + 2 * INTERVAL_MS };
  await send(body, `one more after Retry-After of ${name}`, expected);
}

/** After a window the whole allowance is restored, and no more. */
async function checkRecovery(
  { rules, client }: LimitedService,
  { limit, body, admitted }: Wait,
): Promise<void> {
  const check = LIMIT_RULES.limit_recovery;
  const name = rules[limit];
  const send = client("192.0.2.2");
  for (let n = 0; n <= COUNT; n++) await send(body, `all of ${name}`);
  await until(performance.now() + SECONDS * 1_000);
  const before = performance.now() + INTERVAL_MS;
  const title = `all of ${name} after its window`;
  for (let n = 0; n < COUNT; n++) {
    const says = `after its window ${name} is not fully restored`;
    await send(body, title, { want: admitted, check, says });
  }
  const says = `after its window ${name} allows more than before`;
  await send(body, title, { want: 429, check, says, before });
}

async function until(moment: number): Promise<void> {
  const ms = moment - performance.now();
  if (ms > 0) await new Promise((done) => setTimeout(done, Math.ceil(ms) + 1));
}
