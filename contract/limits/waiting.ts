/**
 * @module Time: who comes before Retry-After says is refused, who comes then is admitted, and after
 * a whole window the whole allowance is there again. Only what is certain is held against a
 * service: a request that a slow machine delays says nothing.
 */

import { type Kind, type Limited, type Try } from "./client.ts";

/** An allowance that comes back soon, and another that is never met. */
export const WAITING = { count: 2, seconds: 4 };

type Which = "accepted" | "attempts";

/** What a client sends to meet one limit and not the other, and what it gets for it. */
const SENDS: Readonly<Record<Which, { readonly kind: Kind; readonly admitted: number }>> = {
  accepted: { kind: "valid", admitted: 200 },
  attempts: { kind: "wrong", admitted: 400 },
};

/** One request more is admitted after so many milliseconds. */
const INTERVAL_MS = 1_000 * WAITING.seconds / WAITING.count;

/** A request is sent so long before it would be admitted. */
const EARLY_MS = 200;

/**
 * Between the first request and the second refusal: another number of whole seconds remains then.
 */
const MEANWHILE_MS = 1_200;

/** Holds Retry-After to its word, on an instance that is set to {@link WAITING}. */
export async function holdsRetryAfter(limited: Limited, which: Which): Promise<void> {
  const { say } = limited;
  const name = limited.rules[which];
  const { kind, admitted } = SENDS[which];
  const client = limited.client("192.0.2.1");
  const first = await client.try(kind, `the first of ${name}`);
  for (let n = 1; n < WAITING.count; n++) await client.try(kind, `within ${name}`);

  /** Refused for certain, unless the answer came so late that one more might have been admitted. */
  async function refusedAt(title: string): Promise<Try | undefined> {
    const seen = await client.try(kind, title);
    if (seen.gotAt - first.sentAt >= INTERVAL_MS) return inconclusive(limited, title);
    if (seen.status !== 429) {
      say("limit_retry_after", `${title} got ${seen.status} instead of 429`, seen.exchange);
    } else holdsSeconds(limited, { seen, first });
    return seen;
  }

  if (await refusedAt(`at once beyond ${name}`) === undefined) return;
  await until(first.sentAt + MEANWHILE_MS);
  const refusal = await refusedAt(`a second later beyond ${name}`);
  if (refusal?.wait === undefined) return;
  await until(first.sentAt + INTERVAL_MS - EARLY_MS);
  // If it was sent too late to be too early, it may have been admitted in place of the next one.
  if (await refusedAt(`too early beyond ${name}`) === undefined) return;
  await until(refusal.gotAt + refusal.wait * 1_000);
  const then = await client.try(kind, `after Retry-After of ${name}`);
  if (then.status !== admitted) {
    const message = `after Retry-After of ${name} came ${then.status} instead of ${admitted}`;
    say("limit_retry_after", message, then.exchange);
  }
  const more = await client.try(kind, `one more after Retry-After of ${name}`);
  if (more.gotAt - first.sentAt >= 2 * INTERVAL_MS) {
    return void inconclusive(limited, `one more after Retry-After of ${name}`);
  }
  if (more.status !== 429) {
    say("limit_allowance", `two of ${name} are admitted in place of one`, more.exchange);
  }
}

/** Retry-After is the whole seconds that remain, rounded up: neither more nor less. */
function holdsSeconds(
  { say, rules }: Limited,
  { seen, first }: { readonly seen: Try; readonly first: Try },
): void {
  if (seen.wait === undefined) return; // the oracle has said so
  const least = INTERVAL_MS - (seen.gotAt - first.sentAt);
  const most = INTERVAL_MS - (seen.sentAt - first.gotAt);
  const [from, to] = [least, most].map((ms) => Math.max(1, Math.ceil(ms / 1_000)));
  if (seen.wait >= from! && seen.wait <= to!) return;
  const more = seen.wait > to! ? "longer" : "shorter";
  say(
    "limit_retry_after",
    `Retry-After of ${rules.operation} is ${more} than it takes`,
    seen.exchange,
  );
}

/** Holds that the whole allowance is there again after a window, and no more than that. */
export async function holdsRecovery(limited: Limited, which: Which): Promise<void> {
  const { say } = limited;
  const name = limited.rules[which];
  const { kind, admitted } = SENDS[which];
  const client = limited.client("192.0.2.2");
  let last: Try | undefined;
  for (let n = 0; n <= WAITING.count; n++) last = await client.try(kind, `all of ${name}`);
  await until(last!.gotAt + WAITING.seconds * 1_000);
  const again: Try[] = [];
  for (let n = 0; n <= WAITING.count; n++) {
    again.push(await client.try(kind, `all of ${name} after its window`));
  }
  for (const seen of again.slice(0, WAITING.count)) {
    if (seen.status === admitted) continue;
    say("limit_recovery", `after its window not all of ${name} is there again`, seen.exchange);
  }
  const beyond = again.at(-1)!;
  if (beyond.gotAt - again[0]!.sentAt >= INTERVAL_MS) {
    return void inconclusive(limited, `beyond ${name} after its window`);
  }
  if (beyond.status === 429) return;
  say("limit_recovery", `after its window more than all of ${name} is there`, beyond.exchange);
}

/** A machine that is too slow to tell. */
function inconclusive({ session }: Limited, title: string): undefined {
  session.note(`not certain, the machine was too slow: ${title}`);
}

/** @param moment as `performance.now()` has it */
async function until(moment: number): Promise<void> {
  const ms = moment - performance.now();
  if (ms > 0) await new Promise((done) => setTimeout(done, Math.ceil(ms) + 1));
}
