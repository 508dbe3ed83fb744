/**
 * @module `deno task fuzz`: has Schemathesis generate requests from the service's own document, and
 * hold the answers to the document and to the checks of hooks.py. Finds Python, installs what is
 * missing, starts the service unless there is a URL. Exit code 0: held; 1: violated; 2: could not run.
 */

import { UnreachableError } from "./client.ts";
import { DocumentError } from "./document.ts";
import { FUZZ_USAGE, type FuzzOptions, parseFuzzOptions, repeatCommand } from "./fuzz/options.ts";
import { ensureEnvironment, findPython, PythonError, runCommand } from "./fuzz/python.ts";
import { runSchemathesis, type SchemathesisResult } from "./fuzz/schemathesis.ts";
import { UsageError } from "./options.ts";
import { ProfileError, readProfile } from "./profile.ts";
import { fetchDocument, UNLIMITED } from "./run.ts";
import { createLauncher, endOnSignals, StartError } from "./service.ts";

const CODES = { held: 0, violated: 1, "could not run": 2 } as const;

const HERE = new URL("./", import.meta.url);
const PROJECT = new URL("../", HERE);

async function main(args: readonly string[]): Promise<number> {
  const options = parseFuzzOptions(args);
  if (options.help) {
    say(FUZZ_USAGE);
    return CODES.held;
  }
  const started = performance.now();
  const bin = await ensureEnvironment({
    folder: new URL(".venv/fuzz/", PROJECT),
    requirements: new URL("requirements.txt", HERE),
    python: await findPython(runCommand),
    run: runCommand,
    progress: say,
  });
  const launcher = createLauncher(PROJECT);
  endOnSignals(launcher);
  const scratch = await Deno.makeTempDir({ prefix: "fuzz-" });
  try {
    const base = options.url ?? (await launcher.start(UNLIMITED)).url;
    const result = await fuzz(options, { base, bin, scratch });
    say(summary(options, { base, result, seconds: (performance.now() - started) / 1000 }));
    return CODES[result.outcome];
  } finally {
    await launcher.stopAll();
    await Deno.remove(scratch, { recursive: true });
  }
}

async function fuzz(
  { live, seed, examples, report }: FuzzOptions,
  { base, bin, scratch }: { readonly base: string; readonly bin: URL; readonly scratch: string },
): Promise<SchemathesisResult> {
  const { document: path } = await readProfile(new URL("cases/", HERE));
  const document = `${scratch}/openapi.json`;
  await Deno.writeTextFile(document, JSON.stringify((await fetchDocument(base, path)).value));
  const reports = report === undefined ? scratch : absolute(report);
  await Deno.mkdir(reports, { recursive: true });
  return await runSchemathesis({
    project: PROJECT,
    bin,
    base,
    document,
    live,
    seed,
    examples,
    reports,
    show: true,
  });
}

function absolute(path: string): string {
  return path.startsWith("/") ? path : `${Deno.cwd()}/${path}`;
}

function summary(
  options: FuzzOptions,
  { base, result, seconds }: {
    readonly base: string;
    readonly result: SchemathesisResult;
    readonly seconds: number;
  },
): string {
  const { outcome, calls, findings, reason } = result;
  const word = { held: "Held", violated: "Violated", "could not run": "Could not run" }[outcome];
  return [
    "",
    ...findings.map((finding) => `✗ ${finding}`),
    `${word}: ${base}, ${calls} requests, ${seconds.toFixed(1)} s, seed ${options.seed}` +
    (reason === undefined ? "" : ` (${reason})`),
    `Again: ${repeatCommand(options)}`,
  ].join("\n");
}

function say(text: string): void {
  // deno-lint-ignore no-console -- the program's output
  console.log(text);
}

try {
  Deno.exit(await main(Deno.args));
} catch (error) {
  const expected = error instanceof UsageError || error instanceof UnreachableError ||
    error instanceof DocumentError || error instanceof ProfileError ||
    error instanceof StartError || error instanceof PythonError;
  // deno-lint-ignore no-console -- the program's output
  console.error(expected ? error.message : error);
  if (error instanceof UsageError) say("deno task fuzz --help tells what it takes");
  Deno.exit(CODES["could not run"]);
}
