/**
 * @module The limits tier: instances with small limits, for exact allowances, headers, Retry-After,
 * recovery, free refusals, and how clients are identified.
 */

import { type InstanceContext, instanceTier, type Scenario } from "../instances.ts";
import { BURST, checkBurst, checkClients, CLIENTS } from "../limits/burst.ts";
import { limitedAt, type LimitedService } from "../limits/client.ts";
import { checkSequence, SEQUENCE } from "../limits/sequence.ts";
import { checkWaiting, WAITING } from "../limits/waiting.ts";
import type { Session, Tier } from "../session.ts";

const SHORT = `${WAITING.count}/${WAITING.seconds}s`;
/** A limit that no request reaches. */
const PLENTY = "900000/3600s";

export const limitsTier: Tier = instanceTier({
  name: "limits",
  tries: "small limits: allowances, headers, Retry-After, recovery, forged addresses",
  without: "the profile names no limits",
  run: runLimits,
});

function runLimits(session: Session, { instances, runAll }: InstanceContext): Promise<void> {
  const rules = session.contract.profile.limits!;
  function scenario(
    settings: Partial<Record<"accepted" | "attempts" | "proxies", string>>,
    check: (limited: LimitedService) => Promise<void>,
  ): Scenario {
    const env = Object.entries(settings)
      .map(([name, value]) => [instances.settings[name as keyof typeof settings], value]);
    return { env: Object.fromEntries(env), check: (one) => check(limitedAt(one, rules)) };
  }
  const lasting = ({ accepted, attempts, seconds }: typeof BURST) => ({
    accepted: `${accepted}/${seconds}s`,
    attempts: `${attempts}/${seconds}s`,
  });
  const proxies = "1"; // by default none is trusted
  const few = { accepted: SHORT, attempts: PLENTY, proxies };
  return runAll([
    scenario(few, (one) => checkWaiting(one, "accepted")),
    scenario({ ...few, accepted: PLENTY, attempts: SHORT }, (one) => checkWaiting(one, "attempts")),
    scenario(lasting(SEQUENCE), checkSequence),
    scenario({ ...lasting(CLIENTS), proxies }, (one) => checkClients(one, instances.clients)),
    scenario(lasting(BURST), (one) => checkBurst(one, instances)),
  ]);
}
