/**
 * @module Faults around the service and within it, on instances of their own: a database that is
 * out of reach or silent, targets that refuse, hang or are not there, a page that cannot be made.
 */

import { holdsFailure } from "../faults/failure.ts";
import {
  type Faulty,
  holdsDelivery,
  holdsNothing,
  holdsPartial,
  holdsWithoutDatabase,
  PATIENCE_MS,
} from "../faults/promises.ts";
import { startReceiver, startSilence } from "../faults/receiver.ts";
import { freePort } from "../service.ts";
import type { Session, Tier } from "../session.ts";
import { type Means, tierOfOwnInstances } from "../instances.ts";

export const faultsTier: Tier = tierOfOwnInstances({
  name: "faults",
  tries: "a database out of reach or silent, targets that fail, a page that cannot be made",
  without: "the profile names no operation that takes leads",
  run: runFaults,
});

/** Looks at everything, each on its own instance, all at the same time. */
async function runFaults(
  session: Session,
  { instances, launcher }: Means,
): Promise<void> {
  await using receiver = startReceiver();
  await using silence = startSilence();
  const { settings, broken } = instances;
  const nowhere = `http://127.0.0.1:${freePort()}/`;
  const limited = (accepted: number) => ({ [settings.accepted]: `${accepted}/3600s` });
  const patient = { [settings.patience]: `${PATIENCE_MS}ms` };
  const targets = (...urls: string[]) => ({ [settings.targets]: urls.join(" "), ...patient });
  const database = (url: string) => ({
    [settings.database]: url,
    [settings.token]: "contract-harness-token",
  });
  const pages = { [broken.file]: broken.text };
  const looks: readonly Look[] = [
    // Each lead takes its time here.
    {
      env: { ...database(silence.url), ...limited(2) },
      look: (one) => holdsNothing(one, { accepted: 2, how: "the database being silent" }),
    },
    {
      env: { ...database(nowhere), ...limited(3) },
      look: (one) => holdsNothing(one, { accepted: 3, how: "the database being out of reach" }),
    },
    {
      env: { ...database(nowhere), ...targets(receiver.url) },
      look: (one) => holdsWithoutDatabase(one, receiver),
    },
    { env: targets(receiver.url), look: (one) => holdsDelivery(one, receiver) },
    { env: targets(receiver.url, nowhere), look: (one) => holdsPartial(one, receiver) },
    { env: {}, files: pages, look: (one) => holdsFailure(one) },
  ];
  let done = 0;
  await Promise.all(looks.map(async ({ env, files, look }) => {
    const instance = await launcher.start(env, files);
    const operation = session.law.profile.limits!.operation;
    await look({ session: session.at(instance.url), instances, operation });
    await instance.stop();
    session.progress(++done, looks.length);
  }));
}

/** An instance, and what is looked at there. */
interface Look {
  readonly env: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly look: (faulty: Faulty) => Promise<void>;
}
