/**
 * @module The limits tier: instances with small limits, for exact allowances, headers, Retry-After,
 * recovery, free refusals, and how clients are identified.
 */

import { BURST, checkBurst, checkClients, CLIENTS } from "../limits/burst.ts";
import { limitedAt, type LimitedService } from "../limits/client.ts";
import { checkSequence, SEQUENCE } from "../limits/sequence.ts";
import { checkRecovery, checkRetryAfter, WAITING } from "../limits/waiting.ts";
import type { Session, Tier } from "../session.ts";
import { type InstanceContext, type Instances, instanceTier } from "../instances.ts";

/** A limit that no request reaches. */
const PLENTY = { count: 900_000, seconds: 3_600 };

export const limitsTier: Tier = instanceTier({
  name: "limits",
  tries: "small limits: allowances, headers, Retry-After, recovery, forged addresses",
  without: "the profile names no limits",
  run: runLimits,
});

interface Setting {
  readonly accepted: { readonly count: number; readonly seconds: number };
  readonly attempts: { readonly count: number; readonly seconds: number };
  readonly proxies?: number;
}

async function runLimits(
  session: Session,
  { instances, launcher }: InstanceContext,
): Promise<void> {
  const lasting = ({ accepted, attempts, seconds }: Record<keyof typeof BURST, number>) => ({
    accepted: { count: accepted, seconds },
    attempts: { count: attempts, seconds },
  });
  const scenarios: readonly (readonly [Setting, (limited: LimitedService) => Promise<unknown>])[] =
    [
      [
        { accepted: WAITING, attempts: PLENTY, proxies: 1 },
        (limited) => checkWaiting(limited, "accepted"),
      ],
      [
        { accepted: PLENTY, attempts: WAITING, proxies: 1 },
        (limited) => checkWaiting(limited, "attempts"),
      ],
      [lasting(SEQUENCE), checkSequence],
      [{ ...lasting(CLIENTS), proxies: 1 }, (limited) => checkClients(limited, instances.clients)],
      [lasting(BURST), (limited) => checkBurst(limited, instances)],
    ];
  let done = 0;
  await Promise.all(scenarios.map(async ([setting, check]) => {
    const instance = await launcher.start(envOf(setting, instances));
    await check(limitedAt(session.at(instance.url), session.contract.profile.limits!));
    await instance.stop();
    session.progress(++done, scenarios.length);
  }));
}

function checkWaiting(limited: LimitedService, which: "accepted" | "attempts"): Promise<unknown> {
  return Promise.all([checkRetryAfter(limited, which), checkRecovery(limited, which)]);
}

function envOf(
  { accepted, attempts, proxies }: Setting,
  { settings }: Instances,
): Record<string, string> {
  return {
    [settings.accepted]: `${accepted.count}/${accepted.seconds}s`,
    [settings.attempts]: `${attempts.count}/${attempts.seconds}s`,
    // By default the service must trust no proxy.
    ...(proxies === undefined ? {} : { [settings.proxies]: String(proxies) }),
  };
}
