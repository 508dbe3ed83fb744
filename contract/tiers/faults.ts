/**
 * @module The faults tier: a database that is unreachable or silent, targets that fail, a page that
 * fails to render.
 */

import { checkFailure } from "../faults/failure.ts";
import { checkPromises, type FaultyService } from "../faults/promises.ts";
import { startReceiver, startSilentServer } from "../faults/receiver.ts";
import type { Session, Tier } from "../session.ts";
import { type InstanceContext, instanceTier } from "../instances.ts";

/** Nothing listens on a reserved port; a free one may be taken by another process meanwhile. */
const UNREACHABLE = "http://127.0.0.1:2/";

/** How long an answer waits for targets; the rows of instances.yaml count on it. */
const PATIENCE = "500ms";

const TOKEN = "contract-harness-token";

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
  const { settings, broken, failing } = instances;
  const urls = { receiver: receiver.url, silent: silence.url, unreachable: UNREACHABLE };
  const operation = session.contract.profile.limits!.operation;
  const scenarios: readonly Scenario[] = [
    ...failing.map((row): Scenario => ({
      env: {
        [settings.patience]: PATIENCE,
        ...(row.database && { [settings.database]: urls[row.database], [settings.token]: TOKEN }),
        ...(row.accepted && { [settings.accepted]: `${row.accepted}/3600s` }),
        ...(row.targets.length > 0 &&
          { [settings.targets]: row.targets.map((name) => urls[name]).join(" ") }),
      },
      check: (service) => checkPromises(service, { failing: row, receiver }),
    })),
    { env: {}, files: { [broken.file]: broken.text }, check: checkFailure },
  ];
  let done = 0;
  await Promise.all(scenarios.map(async ({ env, files, check }) => {
    const instance = await launcher.start(env, files);
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
