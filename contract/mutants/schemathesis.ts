/** @module What Schemathesis, with the checks of hooks.py, makes of a mutant on its own. */

import { ensureEnvironment, findPython, runCommand } from "../fuzz/python.ts";
import { runSchemathesis } from "../fuzz/schemathesis.ts";
import { readProfile } from "../profile.ts";
import { DocumentError } from "../document.ts";
import { fetchDocument, UNLIMITED } from "../run.ts";
import { createLauncher } from "../service.ts";
import { NO_FAULT, type Seeded, spoiltLauncher } from "./mutants.ts";

const EXAMPLES = 100;

/**
 * Installs Schemathesis where that is needed.
 *
 * @returns whether a fault is noticed by it; one whose document it cannot use is
 * @throws {Error} when it finds fault with the service as it is, so that what it says means nothing
 */
export async function createSchemathesisJudge(
  project: URL,
): Promise<(fault: Seeded) => Promise<boolean>> {
  const bin = await ensureEnvironment({
    folder: new URL(".venv/fuzz/", project),
    requirements: new URL("contract/requirements.txt", project),
    python: await findPython(runCommand),
    run: runCommand,
  });
  const { document: path } = await readProfile(new URL("contract/cases/", project));
  async function notices(fault: Seeded): Promise<boolean> {
    const launcher = spoiltLauncher(createLauncher(project), fault);
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
    } catch (error) {
      if (error instanceof DocumentError) return true;
      throw error;
    } finally {
      await launcher.stopAll();
      await Deno.remove(reports, { recursive: true });
    }
  }
  if (await notices(NO_FAULT)) {
    throw new Error("Schemathesis finds fault with the service as it is");
  }
  return notices;
}
