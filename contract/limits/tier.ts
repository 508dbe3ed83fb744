/**
 * @module The limits tier: instances with small limits, for exact allowances, headers, Retry-After,
 * recovery, free refusals, and how clients are identified.
 */

import { instanceTier, type Scenario } from "../instances.ts";
import type { Tier } from "../session.ts";
import { BURST, checkBurst, checkClients, CLIENTS } from "./burst.ts";
import { limitedAt, type LimitedService, type Policy } from "./client.ts";
import { checkSequence, SEQUENCE } from "./sequence.ts";
import { checkWaiting, waitingFor } from "./waiting.ts";

export const limitsTier: Tier = instanceTier({
  name: "limits",
  tries: "small limits: allowances, headers, Retry-After, recovery, forged addresses",
  scenarios({ instances: { settings, forged, clients }, rules }) {
    function scenario(
      { accepted, attempts, seconds }: Policy,
      check: (limited: LimitedService) => Promise<void>,
    ): Scenario {
      const env = {
        [settings.accepted]: `${accepted}/${seconds}s`,
        [settings.attempts]: `${attempts}/${seconds}s`,
      };
      return { env, check: (session) => check(limitedAt(session, rules)) };
    }
    /** By default no proxy is trusted. */
    function proxied({ env, check }: Scenario): Scenario {
      return { env: { ...env, [settings.proxies]: "1" }, check };
    }
    return [
      ...(["accepted", "attempts"] as const).map((limit) =>
        proxied(scenario(waitingFor(limit), (one) => checkWaiting(one, limit)))
      ),
      scenario(SEQUENCE, checkSequence),
      proxied(scenario(CLIENTS, (one) => checkClients(one, clients))),
      scenario(BURST, (one) => checkBurst(one, forged)),
    ];
  },
});
