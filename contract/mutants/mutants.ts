/** @module All mutants, and a launcher that starts services with a fault. */

import type { Instance, Launcher } from "../service.ts";
import { ACCEPTANCE } from "./acceptance.ts";
import { CLIENTS } from "./clients.ts";
import { CONNECTIONS } from "./connections.ts";
import { COMPLETENESS, DOCUMENTS } from "./documents.ts";
import { ERRORS } from "./errors.ts";
import { LIMITS } from "./limits.ts";
import type { Fault, Mutant, MutantTable, Slow } from "./mutant.ts";
import { PROMISES } from "./promises.ts";
import { PROTOCOL } from "./protocol.ts";
import { startProxy } from "./proxy.ts";
import { REFUSALS } from "./refusals.ts";

export const MUTANTS: readonly Mutant[] = [
  ...mutantsOf({ ...DOCUMENTS, ...ACCEPTANCE, ...REFUSALS, ...ERRORS, ...PROTOCOL }),
  ...mutantsOf(COMPLETENESS, "matrix"),
  ...mutantsOf(CONNECTIONS, "raw"),
  ...mutantsOf({ ...LIMITS, ...CLIENTS }, "limits"),
  ...mutantsOf(PROMISES, "faults"),
];

function mutantsOf(table: MutantTable, by?: Slow): Mutant[] {
  return Object.entries(table).map(([name, row]) => {
    const [change, check] = "length" in row && typeof row !== "function" ? row : [row];
    const fault = typeof change === "function" ? { reply: change } : change;
    return { name, ...fault, ...(by && { by }), ...(check && { check }) };
  });
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
