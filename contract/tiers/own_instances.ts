/**
 * @module A tier that works on instances of its own, set up as `instances.yaml` says: what it needs
 * for that, and what it says where it is not there.
 */

import { type Instances, readInstances } from "../instances.ts";
import type { Launcher } from "../service.ts";
import type { Session, Tier } from "../session.ts";

/** What such a tier starts its instances by. */
export interface Means {
  readonly instances: Instances;
  readonly launcher: Launcher;
}

/**
 * Makes such a tier.
 *
 * @param what.without what is wrong with a profile that has no `limits`
 */
export function tierOfOwnInstances({ name, tries, without, run }: Pick<Tier, "name" | "tries"> & {
  readonly without: string;
  readonly run: (session: Session, means: Means) => Promise<void>;
}): Tier {
  return {
    name,
    tries,
    live: false,
    unable({ launcher, law }) {
      if (law.profile.limits === undefined) return without;
      return launcher === undefined
        ? "needs instances of its own, and the harness has not started the service"
        : undefined;
    },
    async run(session) {
      const { launcher } = session;
      const instances = await readInstances(session.cases);
      if (instances === undefined || launcher === undefined) {
        return session.note(name, "there is no instances.yaml");
      }
      await run(session, { instances, launcher });
    },
  };
}
