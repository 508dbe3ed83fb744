/**
 * @module Checks concurrent requests: the policy admits exactly its number, refusals cost nothing,
 * forged headers do not count as another client, and addresses behind a trusted proxy do.
 */

import type { Instances } from "../instances.ts";
import { type Attempt, type Client, type LimitedService, PLENTY } from "./client.ts";

/** A window long enough that nothing is restored during the test; attempts are not limited. */
export const BURST = { accepted: 20, attempts: PLENTY, seconds: 86_400 };

export const CLIENTS = { accepted: 2, attempts: 20, seconds: 86_400 };

const AT_ONCE = 50;
/** Enough times {@link AT_ONCE} to show whether refusals change the wait. */
const REFUSALS = 40;

/** Runs on an instance with {@link BURST}. */
export async function checkBurst(
  limited: LimitedService,
  forged: Instances["forged"],
): Promise<void> {
  const { session, report } = limited;
  const send = limited.client();
  const burst = await atOnce(() => send("valid", `${AT_ONCE} at once`));
  checkCount(limited, { tries: burst, admitted: 200, count: BURST.accepted });
  const first = await send("valid", "the first refusal");
  for (let n = 0; n < REFUSALS; n++) {
    const expected = { want: 429, check: "limit_refusals" };
    await atOnce(() => send("valid", "one refusal of many", expected));
  }
  const last = await send("valid", "a refusal after many");
  const seconds = (last.gotAt - first.sentAt) / 1_000;
  session.note(`${REFUSALS * AT_ONCE} refusals in ${seconds.toFixed(1)} s`);
  // RateLimit has the same time, or that is a finding.
  const waited = (first.wait ?? 0) - (last.wait ?? 0);
  if (waited < 0) report("limit_refusals", "refusals extend the wait", last.exchange);
  if (waited > seconds + 1) report("limit_refusals", "refusals shorten the wait", last.exchange);
  for (const header of forged) {
    const [, name, value] = /^(.*?): (.*)$/.exec(header) ?? [];
    const says = `a forged ${name} counts as another client`;
    const expected = { want: 429, check: "limit_clients", says };
    await send("valid", `a forged ${name}`, { ...expected, headers: [[name!, value!]] });
  }
}

function atOnce(send: () => ReturnType<Client>): Promise<Attempt[]> {
  return Promise.all(Array.from({ length: AT_ONCE }, send));
}

/** Exactly `count` requests are admitted, and all others get 429. */
function checkCount({ report }: LimitedService, { tries, admitted, count }: {
  readonly tries: readonly Attempt[];
  /** The status of admitted requests. */
  readonly admitted: number;
  readonly count: number;
}): void {
  const got = tally(tries.map(({ status }) => status));
  const wanted = tally(tries.map((_, index) => index < count ? admitted : 429));
  if (got === wanted) return;
  const last = tries.findLast(({ status }) => status === admitted)?.exchange;
  report("limit_allowance", `${AT_ONCE} at once got ${got} instead of ${wanted}`, last);
}

/** How often each status occurs, such as `20 × 200 and 30 × 429`. */
function tally(statuses: readonly number[]): string {
  const groups = Map.groupBy(statuses.toSorted(), (status) => status);
  return [...groups].map(([status, { length }]) => `${length} × ${status}`).join(" and ");
}

/** Runs on an instance with {@link CLIENTS} that trusts one proxy. */
export async function checkClients(
  limited: LimitedService,
  rows: Instances["clients"],
): Promise<void> {
  for (const { client, same, other } of rows) {
    for (let n = 0; n <= CLIENTS.accepted; n++) {
      const want = n < CLIENTS.accepted ? 200 : 429;
      await limited.client(client)("valid", `the leads of ${client}`, { want });
    }
    for (const address of [...same, ...other]) {
      const isSame = same.includes(address);
      const says = `${address} is counted ${isSame ? "apart from" : "as"} ${client}`;
      const expected = { want: isSame ? 429 : 200, check: "limit_clients", says };
      await limited.client(address)("valid", `${address}, after ${client}`, expected);
    }
  }
  const send = limited.client("192.0.2.250");
  const tries = await atOnce(() => send("invalid", `${AT_ONCE} attempts at once`));
  checkCount(limited, { tries, admitted: 400, count: CLIENTS.attempts });
}
