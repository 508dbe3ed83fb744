/**
 * @module Checks concurrent requests: the policy admits exactly its number, refusals cost nothing,
 * forged headers do not count as another client, and addresses behind a trusted proxy do.
 */

import type { Instances } from "../instances.ts";
import type { Attempt, Client, LimitedService } from "./client.ts";

/** A window long enough that nothing is restored during the test; attempts are not limited. */
export const BURST = { accepted: 20, attempts: 100_000, seconds: 86_400 };

const AT_ONCE = 50;
/** Enough to show whether refusals change the wait. */
const REFUSALS = 2_000;
const WORKERS = 8;

/** Runs on an instance with {@link BURST}. */
export async function checkBurst(
  limited: LimitedService,
  { forged }: { readonly forged: readonly string[] },
): Promise<void> {
  const { report } = limited;
  const client = limited.client();
  const burst = await Promise.all(
    Array.from({ length: AT_ONCE }, () => client.send("valid", `${AT_ONCE} at once`)),
  );
  checkCount(limited, { tries: burst, admitted: 200, count: BURST.accepted });
  const first = await client.send("valid", "the first refusal");
  await refuseMany(limited, client);
  const last = await client.send("valid", "a refusal after many");
  const [before, after] = [first, last].map(({ limits }) => limits.get(limited.rules.accepted));
  const elapsed = (last.gotAt - first.sentAt) / 1_000;
  for (const [was, is] of [[first.wait, last.wait], [before?.reset, after?.reset]]) {
    if (was === undefined || is === undefined) continue;
    if (is > was) report("limit_refusals", "refusals extend the wait", last.exchange);
    if (is < was - elapsed - 1) {
      report("limit_refusals", "refusals shorten the wait", last.exchange);
    }
  }
  for (const header of forged) {
    const [name = "", ...value] = header.split(": ");
    const seen = await client.send("valid", `a forged ${name}`, [[name, value.join(": ")]]);
    const says = `a forged ${name} counts as another client`;
    limited.expect(seen, { want: 429, check: "limit_clients", says });
  }
}

/** Exactly `count` requests are admitted, and all others get 429. */
function checkCount(limited: LimitedService, { tries, admitted, count }: {
  readonly tries: readonly Attempt[];
  /** The status of admitted requests. */
  readonly admitted: number;
  readonly count: number;
}): void {
  const got = (status: number) => tries.filter((one) => one.status === status).length;
  if (got(admitted) === count && got(429) === tries.length - count) return;
  const last = tries.findLast(({ status }) => status === admitted)?.exchange;
  const wanted = `${count} × ${admitted} and ${tries.length - count} × 429`;
  const seen = [...new Set(tries.map(({ status }) => status))].toSorted()
    .map((status) => `${got(status)} × ${status}`).join(" and ");
  const message = `${tries.length} at once got ${seen} instead of ${wanted}`;
  limited.report("limit_allowance", message, last);
}

async function refuseMany({ session, expect }: LimitedService, client: Client): Promise<void> {
  const started = performance.now();
  let refused = 0;
  async function work(): Promise<void> {
    while (refused < REFUSALS) {
      refused++;
      const seen = await client.send("valid", "one refusal of many");
      expect(seen, { want: 429, check: "limit_refusals" });
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, work));
  const seconds = (performance.now() - started) / 1_000;
  const rate = Math.round(REFUSALS / seconds);
  session.note(`${REFUSALS} refusals in ${seconds.toFixed(1)} s: ${rate} a second`);
}

export const CLIENTS = { accepted: 2, attempts: 20, seconds: 86_400 };

/** Runs on an instance with {@link CLIENTS} that trusts one proxy. */
export async function checkClients(
  limited: LimitedService,
  rows: Instances["clients"],
): Promise<void> {
  for (const { client, same, other } of rows) {
    for (let n = 0; n <= CLIENTS.accepted; n++) {
      const seen = await limited.client(client).send("valid", `the leads of ${client}`);
      limited.expect(seen, { want: n < CLIENTS.accepted ? 200 : 429 });
    }
    for (const address of [...same, ...other]) {
      const isSame = same.includes(address);
      const seen = await limited.client(address).send("valid", `${address}, after ${client}`);
      const says = `${address} is counted ${isSame ? "apart from" : "as"} ${client}`;
      limited.expect(seen, { want: isSame ? 429 : 200, check: "limit_clients", says });
    }
  }
  const client = limited.client("192.0.2.250");
  const tries = await Promise.all(
    Array.from({ length: AT_ONCE }, () => client.send("invalid", `${AT_ONCE} attempts at once`)),
  );
  checkCount(limited, { tries, admitted: 400, count: CLIENTS.attempts });
}
