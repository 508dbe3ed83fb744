/** @module A test with the real service as a process of its own, which is ended behind it. */

import { type Service, startService, withFolder } from "./service.ts";

/** Runs a test with a service; `env` is what is set for it. */
export function withRunningService(
  test: (service: Service) => Promise<void>,
  env: Record<string, string> = {},
): Promise<void> {
  return withFolder(async (folder) => {
    const service = await startService(folder, env);
    try {
      await test(service);
    } finally {
      await service.end();
    }
  });
}
