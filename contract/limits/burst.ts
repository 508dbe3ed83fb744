/**
 * @module Many at once: exactly as many are admitted as the policy says; refusals cost nothing and
 * change nothing; and no header that a client writes itself makes it another client.
 */

import type { Instances } from "../instances.ts";
import { type Client, type Limited, type Try } from "./client.ts";

/** Allowances of which next to nothing comes back meanwhile; tries are no obstacle. */
export const BURST = { accepted: 20, attempts: 100_000, seconds: 86_400 };

/** Requests that are under way at the same time. */
const AT_ONCE = 50;
/** Enough that what a refusal adds to the wait, or takes from it, is seen. */
const REFUSALS = 2_000;
const LANES = 8;

/** Runs all of it on an instance that is set to {@link BURST}. */
export async function holdsBurst(
  limited: Limited,
  { forged }: { readonly forged: readonly string[] },
): Promise<void> {
  const { say } = limited;
  const client = limited.client();
  const burst = await Promise.all(
    Array.from({ length: AT_ONCE }, () => client.try("valid", `${AT_ONCE} at once`)),
  );
  holdsCount(limited, { tries: burst, admitted: 200, count: BURST.accepted });
  const first = await client.try("valid", "the first refusal");
  await refuseMany(limited, client);
  const last = await client.try("valid", "a refusal after many");
  const [before, after] = [first, last].map(({ limits }) => limits.get(limited.rules.accepted));
  const elapsed = (last.gotAt - first.sentAt) / 1_000;
  for (const [was, is] of [[first.wait, last.wait], [before?.reset, after?.reset]]) {
    if (was === undefined || is === undefined) continue;
    if (is > was) say("limit_refusals", "refusals extend the wait", last.exchange);
    if (is < was - elapsed - 1) say("limit_refusals", "refusals shorten the wait", last.exchange);
  }
  for (const header of forged) {
    const [name = "", ...value] = header.split(": ");
    const seen = await client.try("valid", `a forged ${name}`, [[name, value.join(": ")]]);
    if (seen.status === 429) continue;
    say("limit_clients", `a forged ${name} makes another client`, seen.exchange);
  }
}

/** Exactly so many are admitted, and all others are refused for the limit's sake. */
export function holdsCount(limited: Limited, { tries, admitted, count }: {
  readonly tries: readonly Try[];
  /** The status of those that are admitted. */
  readonly admitted: number;
  readonly count: number;
}): void {
  const got = (status: number) => tries.filter((one) => one.status === status).length;
  if (got(admitted) === count && got(429) === tries.length - count) return;
  const last = tries.findLast(({ status }) => status === admitted)?.exchange;
  const wanted = `${count} × ${admitted} and ${tries.length - count} × 429`;
  const seen = [...new Set(tries.map(({ status }) => status))].toSorted()
    .map((status) => `${got(status)} × ${status}`).join(" and ");
  limited.say("limit_allowance", `${tries.length} at once got ${seen} instead of ${wanted}`, last);
}

async function refuseMany({ session, say }: Limited, client: Client): Promise<void> {
  const started = performance.now();
  let refused = 0;
  async function lane(): Promise<void> {
    while (refused < REFUSALS) {
      refused++;
      const seen = await client.try("valid", "one refusal of many");
      if (seen.status === 429) continue;
      say("limit_refusals", `one refusal of many got ${seen.status}`, seen.exchange);
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane));
  const seconds = (performance.now() - started) / 1_000;
  const rate = Math.round(REFUSALS / seconds);
  session.note(`${REFUSALS} refusals in ${seconds.toFixed(1)} s: ${rate} a second`);
}

/** Small allowances that last; each client that is looked at has its own. */
export const CLIENTS = { accepted: 2, attempts: 20, seconds: 86_400 };

/** Runs all of it on an instance that is set to {@link CLIENTS} and trusts one proxy. */
export async function holdsClients(limited: Limited, rows: Instances["clients"]): Promise<void> {
  const { say } = limited;
  for (const { client, same, other } of rows) {
    for (let n = 0; n <= CLIENTS.accepted; n++) {
      const seen = await limited.client(client).try("valid", `the leads of ${client}`);
      const want = n < CLIENTS.accepted ? 200 : 429;
      if (seen.status === want) continue;
      say("limit_allowance", `${client} got ${seen.status} instead of ${want}`, seen.exchange);
    }
    for (const address of same) {
      const seen = await limited.client(address).try("valid", `${address} is ${client}`);
      if (seen.status === 429) continue;
      say("limit_clients", `${address} is taken for another than ${client}`, seen.exchange);
    }
    for (const address of other) {
      const seen = await limited.client(address).try("valid", `${address} is not ${client}`);
      if (seen.status === 200) continue;
      say("limit_clients", `${address} is taken for ${client}`, seen.exchange);
    }
  }
  const client = limited.client("192.0.2.250");
  const tries = await Promise.all(
    Array.from({ length: AT_ONCE }, () => client.try("wrong", `${AT_ONCE} tries at once`)),
  );
  holdsCount(limited, { tries, admitted: 400, count: CLIENTS.attempts });
}
