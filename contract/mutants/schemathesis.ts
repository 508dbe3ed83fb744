/** @module What Schemathesis, with the checks of hooks.py, makes of a mutant on its own. */

import { ensureEnvironment, findPython, runCommand } from "../fuzz/python.ts";
import { runSchemathesis } from "../fuzz/schemathesis.ts";
import { readProfile } from "../profile.ts";
import { fetchDocument, UNLIMITED } from "../run.ts";
import { createLauncher } from "../service.ts";
import type { Mutant } from "./mutant.ts";
import { spoiltLauncher } from "./mutants.ts";

const EXAMPLES = 100;

/**
 * Installs Schemathesis where that is needed.
 *
 * @returns whether a mutant is noticed by it; one whose document it cannot use is
 */
export async function createSchemathesisJudge(
  project: URL,
): Promise<(mutant: Mutant | undefined) => Promise<boolean>> {
  const bin = await ensureEnvironment({
    folder: new URL(".venv/fuzz/", project),
    requirements: new URL("contract/requirements.txt", project),
    python: await findPython(runCommand),
    run: runCommand,
  });
  const { document: path } = await readProfile(new URL("contract/cases/", project));
  return async (mutant) => {
    const launcher = spoiltLauncher(createLauncher(project), mutant);
    const reports = await Deno.makeTempDir({ prefix: "fuzz-" });
    try {
      const { url: base } = await launcher.start(UNLIMITED);
      const document = `${reports}/openapi.json`;
      await Deno.writeTextFile(document, JSON.stringify((await fetchDocument(base, path)).value));
      const { outcome } = await runSchemathesis({
        project,
        bin,
        base,
        document,
        live: false,
        seed: 42,
        examples: EXAMPLES,
        reports,
        show: false,
      });
      return outcome !== "held";
    } finally {
      await launcher.stopAll();
      await Deno.remove(reports, { recursive: true });
    }
  };
}
