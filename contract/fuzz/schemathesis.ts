/**
 * @module Runs Schemathesis as a process and reads its report. What it checks is in
 * schemathesis.toml and hooks.py.
 */

import { fileURLToPath } from "node:url";
import { z } from "zod";
import { readProfile } from "../profile.ts";
import { fetchDocument } from "../run.ts";
import type { FuzzOptions } from "./options.ts";
import { ensureEnvironment, findPython, runCommand } from "./python.ts";

interface SchemathesisPlan extends Pick<FuzzOptions, "live" | "seed" | "examples" | "report"> {
  /** The folder with deno.json, to which paths in schemathesis.toml are relative. */
  readonly project: URL;
  readonly bin: URL;
  readonly base: string;
}

export interface SchemathesisResult {
  readonly outcome: "held" | "violated" | "could not run";
  /** Requests, without those that its checks send. */
  readonly calls: number;
  readonly findings: readonly string[];
  readonly reason?: string | undefined;
}

/** The part of Schemathesis' JSON report that is read. */
const Report = z.object({
  complete: z.boolean(),
  operations: z.object({ total: z.number(), tested: z.number() }).nullable(),
  test_cases: z.object({ generated: z.number() }),
  failures: z.array(z.object({ title: z.string(), operations: z.array(z.string()) })),
  errors: z.array(z.object({ title: z.string() })),
  warnings: z.record(z.string(), z.array(z.unknown())),
});

/**
 * Installs Schemathesis below .venv/ where it is not there.
 *
 * @returns the folder of its programs
 * @throws {CannotRun} saying what is missing
 */
export async function installSchemathesis(
  project: URL,
  progress?: (text: string) => void,
): Promise<URL> {
  return await ensureEnvironment({
    folder: new URL(".venv/fuzz/", project),
    requirements: new URL("contract/requirements.txt", project),
    python: await findPython(runCommand),
    run: runCommand,
    progress,
  });
}

/**
 * Runs Schemathesis against a service.
 * @throws {UnreachableError | DocumentError} when the service or its document is not there
 */
export async function runSchemathesis(plan: SchemathesisPlan): Promise<SchemathesisResult> {
  const { project, bin, base, live } = plan;
  const { document: path } = await readProfile(new URL("contract/cases/", project));
  const { value } = await fetchDocument(base, path);
  const scratch = await Deno.makeTempDir({ prefix: "fuzz-" });
  try {
    const reports = plan.report ?? scratch;
    await Deno.mkdir(reports, { recursive: true });
    // As a file: read by its URL, the operation that serves it would be left out.
    const document = `${scratch}/openapi.json`;
    await Deno.writeTextFile(document, JSON.stringify(value));
    const { code } = await new Deno.Command(fileURLToPath(new URL("st", bin)), {
      args: argumentsOf(plan, { document, reports }),
      cwd: fileURLToPath(project),
      env: {
        HYPOTHESIS_STORAGE_DIRECTORY: `${scratch}/.hypothesis`,
        PYTHONDONTWRITEBYTECODE: "1",
        CONTRACT_LIVE: live ? "1" : "0",
      },
      stdin: "null",
      stdout: "inherit",
      stderr: "inherit",
    }).output();
    const text = await Deno.readTextFile(`${reports}/fuzz.json`).catch(() => "null");
    return resultOf(code, JSON.parse(text));
  } finally {
    await Deno.remove(scratch, { recursive: true });
  }
}

function argumentsOf(
  { base, live, seed, examples }: SchemathesisPlan,
  { document, reports }: Readonly<Record<"document" | "reports", string>>,
): string[] {
  return [
    "--config-file=contract/schemathesis.toml",
    "run",
    document,
    `--url=${base}`,
    `--seed=${seed}`,
    `--max-examples=${examples}`,
    `--report-junit-path=${reports}/junit.xml`,
    `--report-json-path=${reports}/fuzz.json`,
    `--report-ndjson-path=${reports}/fuzz.ndjson`,
    // In production each request counts: none twice, and a refused one waits as long as it is told.
    ...(live ? ["--rate-limit=auto", "--generation-unique-inputs"] : []),
  ];
}

/**
 * Reads the outcome from exit code and report. Schemathesis 4.32 ends with 0 although operations
 * were left out when one of its threads has died, so that the report has the last word.
 */
export function resultOf(code: number, value: unknown): SchemathesisResult {
  const report = Report.safeParse(value);
  if (!report.success) {
    const reason = `Schemathesis ended with ${code} and without a report`;
    return { outcome: "could not run", calls: 0, findings: [], reason };
  }
  const { complete, operations, test_cases, failures, errors, warnings } = report.data;
  const calls = test_cases.generated;
  const findings = [
    ...failures.map(({ title, operations }) => `${title}: ${operations.join(", ")}`),
    ...errors.map(({ title }) => title),
    ...Object.entries(warnings).filter(([, about]) => about.length > 0).map(([kind]) => kind),
  ];
  if (code === 1) return { outcome: "violated", calls, findings };
  const { tested, total } = operations ?? { tested: 0, total: 0 };
  const whole = code === 0 && complete && total > 0 && tested === total;
  if (whole) return { outcome: "held", calls, findings };
  const reason = `Schemathesis ended with ${code} after ${tested} of ${total} operations`;
  return { outcome: "could not run", calls, findings, reason };
}
