/** @module The limits tier: instances with small limits. */

import { instanceTier } from "./instances.ts";
import type { Session, Tier } from "../../run/session.ts";
import { limitedAt, type LimitedService, type Policy } from "./limit_client.ts";
import {
  BURST,
  checkBurst,
  checkClients,
  checkSequence,
  CLIENTS,
  SEQUENCE,
} from "./limit_counting.ts";
import { checkWaiting, WAITS } from "./limit_waiting.ts";

type Check = readonly [Policy, (limited: LimitedService) => Promise<void>, proxies?: "1"];

export const limitsTier: Tier = instanceTier({
  name: "limits",
  tries: "small limits: allowances, headers, Retry-After, recovery, forged addresses",
}, ({ instances: { settings, forged, clients }, rules }) => {
  const checks: readonly Check[] = [
    ...WAITS.map((wait): Check => [wait.policy, (one) => checkWaiting(one, wait), "1"]),
    [SEQUENCE, checkSequence],
    [CLIENTS, (one) => checkClients(one, clients), "1"],
    [BURST, (one) => checkBurst(one, forged)],
  ];
  return checks.map(([{ accepted, attempts, seconds }, check, proxies]) => ({
    env: {
      [settings.accepted]: `${accepted}/${seconds}s`,
      [settings.attempts]: `${attempts}/${seconds}s`,
      ...proxies && { [settings.proxies]: proxies },
    },
    check: (session: Session) => check(limitedAt(session, rules)),
  }));
});
