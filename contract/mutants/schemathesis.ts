/** @module What Schemathesis, with the checks of hooks.py, makes of a mutant on its own. */

import { DocumentError } from "../document.ts";
import { installSchemathesis, runSchemathesis } from "../fuzz/schemathesis.ts";
import { UNLIMITED } from "../run.ts";
import type { Launcher } from "../service.ts";
import type { Seeded } from "./mutant.ts";
import { NO_FAULT } from "./mutants.ts";

const SEED = 42;
const EXAMPLES = 100;

/**
 * Installs Schemathesis where that is needed.
 *
 * @param launcherWith makes the launcher of a service that has a fault
 * @returns whether a fault is noticed by it; one whose document it cannot use is
 * @throws {Error} when it finds fault with the service as it is, so that what it says means nothing
 */
export async function createSchemathesisJudge(
  project: URL,
  launcherWith: (fault: Seeded) => Launcher,
): Promise<(fault: Seeded) => Promise<boolean>> {
  const bin = await installSchemathesis(project);
  async function notices(fault: Seeded): Promise<boolean> {
    const launcher = launcherWith(fault);
    try {
      const { url: base } = await launcher.start(UNLIMITED);
      const { outcome } = await runSchemathesis({
        project,
        bin,
        base,
        live: false,
        seed: SEED,
        examples: EXAMPLES,
        report: undefined,
        show: false,
      });
      return outcome !== "held";
    } catch (error) {
      if (error instanceof DocumentError) return true;
      throw error;
    } finally {
      await launcher.stopAll();
    }
  }
  if (await notices(NO_FAULT)) {
    throw new Error("Schemathesis finds fault with the service as it is");
  }
  return notices;
}
