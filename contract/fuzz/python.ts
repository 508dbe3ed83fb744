/**
 * @module Finds Python for Schemathesis, and creates a virtual environment with exactly the packages
 * of requirements.txt, each verified by its hash.
 */

import { fileURLToPath } from "node:url";
import { CannotRun } from "../cannot_run.ts";

export interface Python {
  readonly command: string;
  readonly version: string;
}

export interface Outcome {
  readonly code: number;
  readonly output: string;
}

/** Runs a command. @throws {Deno.errors.NotFound} if the program does not exist */
export type Runner = (command: string, args: readonly string[]) => Promise<Outcome>;

const COMMAND = "python3";
const OLDEST = { major: 3, minor: 11 } as const;
const NEEDED = `Schemathesis needs Python ${OLDEST.major}.${OLDEST.minor} or newer`;
const INSTALL = "Debian, Ubuntu: apt-get install python3 python3-venv; macOS: brew install python3";

/** Debian packages `ensurepip` separately; without it `venv` creates half an environment. */
const PROBE = "import importlib.util as u, sys;" +
  "print(*sys.version_info[:3], u.find_spec('venv') and u.find_spec('ensurepip') and 'venv')";

/** The file of an environment that records its sources. */
const MARK = "made_from.txt";

export async function runCommand(command: string, args: readonly string[]): Promise<Outcome> {
  const { code, stdout, stderr } = await new Deno.Command(command, {
    args: [...args],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes).trim());
  return { code, output: [out, err].filter((text) => text !== "").join("\n") };
}

/** Finds Python on the PATH. @throws {CannotRun} naming the package to install */
export async function findPython(run: Runner): Promise<Python> {
  let outcome;
  try {
    outcome = await run(COMMAND, ["-c", PROBE]);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new CannotRun(`Cannot fuzz: ${NEEDED}, and there is no ${COMMAND} (${INSTALL})`);
  }
  const [, major, minor, patch, venv] = /^(\d+) (\d+) (\d+) (\w+)$/.exec(outcome.output) ?? [];
  if (outcome.code !== 0 || major === undefined) {
    throw new CannotRun(`Cannot fuzz: ${COMMAND} does not work: ${outcome.output} (${INSTALL})`);
  }
  const version = `${major}.${minor}.${patch}`;
  if (Number(major) < OLDEST.major || Number(minor) < OLDEST.minor) {
    throw new CannotRun(`Cannot fuzz: ${NEEDED}, and ${COMMAND} is ${version} (${INSTALL})`);
  }
  if (venv !== "venv") {
    throw new CannotRun(
      `Cannot fuzz: ${COMMAND} ${version} cannot create virtual environments ` +
        "(Debian, Ubuntu: apt-get install python3-venv)",
    );
  }
  return { command: COMMAND, version };
}

interface EnvironmentPlan {
  readonly folder: URL;
  readonly requirements: URL;
  readonly python: Python;
  readonly run: Runner;
  readonly progress?: ((text: string) => void) | undefined;
}

/**
 * Creates the environment if it is missing, or if Python or requirements.txt have changed. The mark
 * is written last, so that an interrupted installation is repeated.
 *
 * @returns the folder of its programs
 * @throws {CannotRun} with the output of venv or pip
 */
export async function ensureEnvironment(plan: EnvironmentPlan): Promise<URL> {
  const { folder, requirements, python, run } = plan;
  const bin = new URL("bin/", folder);
  const mark = await markOf(requirements, python);
  const made = new URL(MARK, folder);
  if (await Deno.readTextFile(made).catch(() => "") === mark) return bin;

  plan.progress?.(`Installing Schemathesis below ${fileURLToPath(folder)}`);
  await Deno.remove(folder, { recursive: true }).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
  await runStep(run, python.command, ["-m", "venv", fileURLToPath(folder)]);
  await runStep(run, fileURLToPath(new URL("python", bin)), [
    "-m",
    "pip",
    "install",
    "--quiet",
    "--no-input",
    "--disable-pip-version-check",
    "--require-hashes",
    "--only-binary=:all:", // no builds: installing must run no foreign code
    "--requirement",
    fileURLToPath(requirements),
  ]);
  await Deno.writeTextFile(made, mark);
  return bin;
}

async function runStep(run: Runner, command: string, args: readonly string[]): Promise<void> {
  const { code, output } = await run(command, args);
  if (code === 0) return;
  const tail = output.split("\n").slice(-5).join("\n");
  throw new CannotRun(`Cannot fuzz: ${args.slice(0, 3).join(" ")} has failed:\n${tail}`);
}

async function markOf(requirements: URL, { version }: Python): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", await Deno.readFile(requirements));
  return `python ${version}\nsha256 ${new Uint8Array(hash).toHex()}\n`;
}
