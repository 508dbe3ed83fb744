/** @module Behind a trusted proxy: which addresses are one client and which are another. */

import { holdsCount } from "./burst.ts";
import type { Limited } from "./client.ts";

/** Small allowances that last; each client that is looked at has its own. */
export const CLIENTS = { accepted: 2, attempts: 20, seconds: 86_400 };

/** An address, how else it may be written, and who is somebody else. X-Forwarded-For fields. */
export interface AddressRow {
  readonly client: string;
  readonly same: readonly string[];
  readonly other: readonly string[];
}

/** Tries of one client that are under way at the same time. */
const AT_ONCE = 50;

/** Runs all of it on an instance that is set to {@link CLIENTS} and trusts one proxy. */
export async function holdsClients(limited: Limited, rows: readonly AddressRow[]): Promise<void> {
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
