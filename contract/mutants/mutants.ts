/** @module Every mutant, and a launcher whose services have one in front of them. */

import type { Instance, Launcher } from "../service.ts";
import { ACCEPTANCE } from "./acceptance.ts";
import { DOCUMENTS } from "./documents.ts";
import type { Mutant } from "./mutant.ts";
import { PROMISES_AND_LIMITS } from "./promises.ts";
import { PROTOCOL } from "./protocol.ts";
import { startProxy } from "./proxy.ts";
import { SHAPES } from "./shapes.ts";

export const MUTANTS: readonly Mutant[] = [
  ...DOCUMENTS,
  ...ACCEPTANCE,
  ...SHAPES,
  ...PROTOCOL,
  ...PROMISES_AND_LIMITS,
];

/** A launcher whose services stand behind a proxy; without a mutant it changes nothing. */
export function spoiltLauncher(launcher: Launcher, mutant?: Mutant): Launcher {
  const running = new Set<Instance>();
  const { reply, request, also } = mutant ?? {};
  return {
    ...launcher,
    async start(env = {}, ...rest) {
      const service = await launcher.start(mutant?.env?.(env) ?? env, ...rest);
      const proxy = await startProxy(service.url, {
        ...(reply === undefined ? {} : { reply }),
        ...(request === undefined ? {} : { request }),
        ...(also === undefined ? {} : { also }),
      });
      const instance: Instance = {
        url: proxy.url,
        output: service.output,
        async stop() {
          running.delete(instance);
          await proxy.stop();
          await service.stop();
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
