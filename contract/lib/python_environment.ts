/** @module A virtual environment of Python with the packages of a requirements.txt, by hash. */

import { fileURLToPath } from "node:url";
import { CannotRun, print } from "./cannot_run.ts";
import { outputOf } from "./programs.ts";

/** Debian packages `ensurepip` separately; without it `venv` creates half an environment. */
const PROBE = "import ensurepip, sys, venv; print('%d.%d.%d' % sys.version_info[:3]);" +
  "sys.exit(sys.version_info < (3, 11))";

const NEEDED = "Cannot run: Python 3.11 or newer with venv is needed as python3 " +
  "(Debian, Ubuntu: apt-get install python3 python3-venv; macOS: brew install python3)";

/** The file of an environment that records its sources. */
const MARK = "made_from.txt";

/**
 * Creates it if it is missing, or Python or requirements.txt has changed; writes the mark last.
 * @returns the folder of its programs @throws {CannotRun} with the output of venv or pip
 */
export async function ensureEnvironment(
  { folder, requirements, python = "python3" }: {
    readonly folder: URL;
    readonly requirements: URL;
    readonly python?: string;
  },
): Promise<URL> {
  const bin = new URL("bin/", folder);
  const version = await outputOf(python, { args: ["-c", PROBE] }).catch((error) => {
    throw new CannotRun(`${NEEDED}: ${error.message}`);
  });
  const hash = await crypto.subtle.digest("SHA-256", await Deno.readFile(requirements));
  const mark = `python ${version}\nsha256 ${new Uint8Array(hash).toHex()}\n`;
  const made = new URL(MARK, folder);
  if (await Deno.readTextFile(made).catch(() => "") === mark) return bin;

  print(`Installing Python packages below ${fileURLToPath(folder)}`);
  await outputOf(python, { args: ["-m", "venv", "--clear", fileURLToPath(folder)] });
  const pip = ["-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check"];
  // No builds: installing must run no foreign code.
  const safely = ["--require-hashes", "--only-binary=:all:"];
  await outputOf(fileURLToPath(new URL("python", bin)), {
    args: [...pip, ...safely, "--requirement", fileURLToPath(requirements)],
  });
  await Deno.writeTextFile(made, mark);
  return bin;
}

/** Installs Schemathesis below .venv/ if it is missing. @returns the folder of its programs */
export function installSchemathesis(project: URL): Promise<URL> {
  const requirements = new URL("contract/requirements.txt", project);
  return ensureEnvironment({ folder: new URL(".venv/fuzz/", project), requirements });
}
