/**
 * @module The faults tier: a database that is unreachable or silent, targets that fail, a page that
 * fails to render.
 */

import { checkFailure } from "../faults/failure.ts";
import {
  checkDelivery,
  checkNothing,
  checkPartial,
  checkWithoutDatabase,
  type FaultyService,
  INLINE_TIMEOUT_MS,
} from "../faults/promises.ts";
import { startReceiver, startSilentServer } from "../faults/receiver.ts";
import type { Session, Tier } from "../session.ts";
import { type InstanceContext, instanceTier } from "../instances.ts";

/** Nothing listens on a reserved port; a free one may be taken by another process meanwhile. */
const UNREACHABLE = "http://127.0.0.1:2/";

export const faultsTier: Tier = instanceTier({
  name: "faults",
  tries: "a database that is unreachable or silent, targets that fail, a page that fails",
  without: "the profile names no operation that accepts leads",
  run: runFaults,
});

async function runFaults(
  session: Session,
  { instances, launcher }: InstanceContext,
): Promise<void> {
  await using receiver = startReceiver();
  await using silence = startSilentServer();
  const { settings, broken } = instances;
  const limited = (accepted: number) => ({ [settings.accepted]: `${accepted}/3600s` });
  const timeout = { [settings.patience]: `${INLINE_TIMEOUT_MS}ms` };
  const targets = (...urls: string[]) => ({ [settings.targets]: urls.join(" "), ...timeout });
  const database = (url: string) => ({
    [settings.database]: url,
    [settings.token]: "contract-harness-token",
  });
  const pages = { [broken.file]: broken.text };
  const scenarios: readonly Scenario[] = [
    {
      env: { ...database(silence.url), ...limited(2) },
      check: (one) => checkNothing(one, { accepted: 2, how: "with a silent database" }),
    },
    {
      env: { ...database(UNREACHABLE), ...limited(3) },
      check: (one) => checkNothing(one, { accepted: 3, how: "with an unreachable database" }),
    },
    {
      env: { ...database(UNREACHABLE), ...targets(receiver.url) },
      check: (one) => checkWithoutDatabase(one, receiver),
    },
    { env: targets(receiver.url), check: (one) => checkDelivery(one, receiver) },
    { env: targets(receiver.url, UNREACHABLE), check: (one) => checkPartial(one, receiver) },
    { env: {}, files: pages, check: (one) => checkFailure(one) },
  ];
  let done = 0;
  await Promise.all(scenarios.map(async ({ env, files, check }) => {
    const instance = await launcher.start(env, files);
    const operation = session.contract.profile.limits!.operation;
    await check({ session: session.at(instance.url), instances, operation });
    await instance.stop();
    session.progress(++done, scenarios.length);
  }));
}

interface Scenario {
  readonly env: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly check: (faulty: FaultyService) => Promise<void>;
}
