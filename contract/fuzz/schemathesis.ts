/**
 * @module Runs Schemathesis, configured by schemathesis.toml and hooks.py, and reads its report.
 */

import { fileURLToPath } from "node:url";
import { z } from "zod";
import { readProfile } from "../profile.ts";
import { fetchDocument } from "../locate.ts";
import type { FuzzOptions } from "./options.ts";
import { ensureEnvironment } from "./python.ts";

interface SchemathesisPlan extends Pick<FuzzOptions, "live" | "seed" | "examples" | "report"> {
  /** The folder with deno.json; paths in schemathesis.toml are relative to it. */
  readonly project: URL;
  readonly bin: URL;
  readonly base: string;
}

export interface SchemathesisResult {
  readonly outcome: "held" | "violated" | "could not run";
  /** Requests, without those sent by checks. */
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
 * Installs Schemathesis below .venv/ if it is missing.
 * @returns the folder of its programs
 * @throws {CannotRun} if Python is missing or the installation fails
 */
export function installSchemathesis(project: URL, progress: (text: string) => void): Promise<URL> {
  const folder = new URL(".venv/fuzz/", project);
  const requirements = new URL("contract/requirements.txt", project);
  return ensureEnvironment({ folder, requirements, progress });
}

/**
 * Runs Schemathesis against a service.
 * @throws {UnreachableError | DocumentError} if the service or its document is unavailable
 */
export async function runSchemathesis(plan: SchemathesisPlan): Promise<SchemathesisResult> {
  const { project, bin, base, live } = plan;
  const { document: path } = await readProfile(new URL("contract/cases/", project));
  const { value } = await fetchDocument(base, { path });
  const scratch = await Deno.makeTempDir({ prefix: "fuzz-" });
  try {
    const reports = plan.report ?? scratch;
    await Deno.mkdir(reports, { recursive: true });
    // A file, because Schemathesis skips the operation whose URL it loads the document from.
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
    // In production every request counts: send none twice, and obey Retry-After.
    ...(live ? ["--rate-limit=auto", "--generation-unique-inputs"] : []),
  ];
}

/**
 * Reads the outcome from exit code and report. The report decides: Schemathesis 4.32 exits with 0
 * after a thread has died and operations were skipped.
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
  const isComplete = code === 0 && complete && total > 0 && tested === total;
  if (isComplete) return { outcome: "held", calls, findings };
  const reason = `Schemathesis ended with ${code} after ${tested} of ${total} operations`;
  return { outcome: "could not run", calls, findings, reason };
}
