/**
 * @module The faults tier: a database that is unreachable or silent, targets that fail, a page that
 * fails to render.
 */

import { checkFailure } from "../faults/failure.ts";
import { checkPromises } from "../faults/promises.ts";
import { startReceiver, startSilentServer } from "../faults/receiver.ts";
import type { Session, Tier } from "../session.ts";
import { type InstanceContext, instanceTier, type Scenario } from "../instances.ts";

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
  { contract }: Session,
  { instances, runAll }: InstanceContext,
): Promise<void> {
  await using receiver = startReceiver();
  await using silence = startSilentServer();
  const { settings, broken, failing } = instances;
  const urls = { receiver: receiver.url, silent: silence.url, unreachable: UNREACHABLE };
  const operation = contract.profile.limits!.operation;
  const promises = failing.map((row): Scenario => ({
    env: {
      [settings.patience]: PATIENCE,
      ...row.database && { [settings.database]: urls[row.database], [settings.token]: TOKEN },
      ...row.accepted && { [settings.accepted]: `${row.accepted}/3600s` },
      ...row.targets.length > 0 &&
        { [settings.targets]: row.targets.map((name) => urls[name]).join(" ") },
    },
    check: (session) => checkPromises({ session, instances, operation, receiver }, row),
  }));
  const files = { [broken.file]: broken.text };
  const failure = { env: {}, files, check: (one: Session) => checkFailure(one, broken) };
  await runAll([...promises, failure]);
}
