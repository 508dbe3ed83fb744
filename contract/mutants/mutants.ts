/** @module All mutants, and a launcher that starts services with a fault. */

import type { Instance, Launcher } from "../service.ts";
import { CODED } from "./coded.ts";
import type { Fault, Mutant } from "./mutant.ts";
import { startProxy } from "./proxy.ts";
import { readRows } from "./rows.ts";

/** All mutants. @throws {CannotRun} naming file and line of an invalid row */
export async function readMutants(): Promise<Mutant[]> {
  const all = [...await readRows(), ...CODED];
  return all.sort((one, other) => one.name < other.name ? -1 : 1);
}

/**
 * No fault: the proxy parses requests and answers and writes them unchanged. A run with it proves
 * that the proxy alone raises no alarm.
 */
export const NO_FAULT: Fault = {
  request: () => ({ headers: {} }),
  reply: (reply) => ({ ...reply }),
};

/** Wraps a launcher: its services have this fault. */
export function mutatedLauncher(launcher: Launcher, fault: Fault): Launcher {
  const running = new Set<Instance>();
  return {
    async start(env = {}, ...rest) {
      const service = await launcher.start(fault.env?.(env) ?? env, ...rest);
      const proxy = startProxy(service.url, fault);
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
