/** @module Every mutant, and a launcher whose services have one in front of them. */

import type { Instance, Launcher } from "../service.ts";
import { ACCEPTANCE } from "./acceptance.ts";
import { CLIENTS } from "./clients.ts";
import { CONNECTIONS } from "./connections.ts";
import { DOCUMENTS } from "./documents.ts";
import { ERRORS } from "./errors.ts";
import { LIMITS } from "./limits.ts";
import type { Mutant, Seeded } from "./mutant.ts";
import { PROMISES } from "./promises.ts";
import { PROTOCOL } from "./protocol.ts";
import { startProxy } from "./proxy.ts";
import { REFUSALS } from "./refusals.ts";

/** Every mutant. */
export const MUTANTS: readonly Mutant[] = [
  ...DOCUMENTS,
  ...ACCEPTANCE,
  ...REFUSALS,
  ...ERRORS,
  ...PROTOCOL,
  ...CONNECTIONS,
  ...LIMITS,
  ...CLIENTS,
  ...PROMISES,
];

/**
 * No fault: everything that a mutant is shown is taken apart and put together again, and nothing
 * changed. A run with it proves that a proxy alone raises no alarm.
 */
export const NO_FAULT: Seeded = {
  request: () => ({ headers: {} }),
  reply: (reply) => ({ ...reply }),
};

/** A launcher whose services stand behind a proxy with this fault. */
export function spoiltLauncher(launcher: Launcher, mutant: Seeded): Launcher {
  const running = new Set<Instance>();
  return {
    async start(env = {}, ...rest) {
      const service = await launcher.start(mutant.env?.(env) ?? env, ...rest);
      const proxy = startProxy(service.url, mutant);
      const instance: Instance = {
        url: proxy.url,
        output: service.output,
        async stop() {
          running.delete(instance);
          try {
            await proxy.stop();
          } finally {
            await service.stop();
          }
        },
      };
      running.add(instance);
      return instance;
    },
    async stopAll() {
      await Promise.all([...running].map((instance) => instance.stop()));
      await launcher.stopAll();
    },
  };
}
