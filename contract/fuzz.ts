/** @module `deno task fuzz`: runs Schemathesis; schemathesis.toml and hooks.py configure it. */

import { fileURLToPath } from "node:url";
import { resolve } from "node:path";
import { z } from "zod";
import {
  baseUrl,
  checkLive,
  commandFor,
  runProgram,
  UsageError,
  wholeNumber,
} from "./lib/command_line.ts";
import { print } from "./lib/cannot_run.ts";
import { fetchDocument } from "./run/locate.ts";
import { SEED } from "./run/options.ts";
import { readProfile } from "./oracle/profile.ts";
import { installSchemathesis } from "./lib/python_environment.ts";
import { endOnSignals } from "./lib/programs.ts";
import { createLauncher } from "./service/instances/launcher.ts";

const PROJECT = new URL("../", import.meta.url);
const SERVICE = new URL("service/", import.meta.url);

const EXAMPLES = 100;
/** A service in production accepts few leads: twenty at once, then two a minute. */
const LIVE_EXAMPLES = 10;

const ABOUT = `Fuzzes a service with Schemathesis, by its own OpenAPI document.

Needs Python 3.11 or newer. Installs Schemathesis below .venv/ from contract/requirements.txt. Without
--url, starts the project's own service on a free port with a temporary database.`;

const COUNT = `requests per operation (default: ${EXAMPLES}; with --live ${LIVE_EXAMPLES})`;

const COMMAND = commandFor("fuzz", ABOUT, "0: passed; 1: violated; 2: could not run")
  .option("--url <url>", "test the service at this base URL", baseUrl)
  .option("--live", "for production: few requests, .invalid addresses only, limits obeyed", false)
  .option("--seed <n>", "random seed", wholeNumber, SEED)
  .option("--examples <n>", COUNT, wholeNumber)
  .option("--report <folder>", "write junit.xml, fuzz.json, fuzz.ndjson (every exchange) to it");

type Options = ReturnType<typeof COMMAND.opts> & { readonly examples: number };

export function parseFuzzOptions(args: readonly string[]): Options {
  const values = COMMAND.parse(args, { from: "user" }).opts();
  checkLive(values);
  const { examples = values.live ? LIVE_EXAMPLES : EXAMPLES } = values;
  if (examples === 0) throw new UsageError("--examples takes 1 or more");
  return { ...values, examples };
}

const CODES = { Passed: 0, Violated: 1, "Could not run": 2 };

interface Result {
  readonly outcome: keyof typeof CODES;
  /** Requests, without those sent by checks. */
  readonly calls: number;
  readonly findings: readonly string[];
  readonly reason?: string;
}

async function main(args: readonly string[]): Promise<number> {
  const options = parseFuzzOptions(args);
  const started = performance.now();
  const program = fileURLToPath(new URL("st", await installSchemathesis(PROJECT)));
  const launcher = createLauncher(PROJECT);
  const { document, limits } = await readProfile(SERVICE);
  endOnSignals(launcher);
  const scratch = await Deno.makeTempDir({ prefix: "fuzz-" });
  try {
    const base = options.url ?? (await launcher.start(limits?.unlimited)).url;
    const result = await runSchemathesis(options, { program, base, scratch, path: document });
    const { outcome, calls, findings, reason } = result;
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    const why = reason === undefined ? "" : ` (${reason})`;
    print(["", ...findings.map((finding) => `✗ ${finding}`)].join("\n"));
    print(`${outcome}: ${base}, ${calls} requests, ${seconds} s, seed ${options.seed}${why}`);
    return CODES[outcome];
  } finally {
    await launcher.stopAll();
    await Deno.remove(scratch, { recursive: true });
  }
}

async function runSchemathesis(
  { report, live, seed, examples }: Options,
  { program, base, path, scratch }: Readonly<
    Record<"program" | "base" | "path" | "scratch", string>
  >,
): Promise<Result> {
  const { value } = await fetchDocument(base, { path });
  // A file, because Schemathesis skips the operation whose URL it loads the document from.
  const document = `${scratch}/openapi.json`;
  await Deno.writeTextFile(document, JSON.stringify(value));
  const reports = report === undefined ? scratch : resolve(report);
  await Deno.mkdir(reports, { recursive: true });
  const { code } = await new Deno.Command(program, {
    args: [
      "--config-file=contract/service/schemathesis.toml",
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
    ],
    cwd: fileURLToPath(PROJECT), // paths in schemathesis.toml are relative to it
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
}

const Report = z.object({
  complete: z.boolean(),
  operations: z.object({ total: z.number(), tested: z.number() }).nullable(),
  test_cases: z.object({ generated: z.number() }),
  failures: z.array(z.object({ title: z.string(), operations: z.array(z.string()) })),
  errors: z.array(z.object({ title: z.string() })),
  warnings: z.record(z.string(), z.array(z.unknown())),
});

/** The report decides: Schemathesis 4.32 exits with 0 after a thread has died. */
export function resultOf(code: number, value: unknown): Result {
  const { data } = Report.safeParse(value);
  const ended = `Schemathesis ended with ${code}`;
  const failed = { outcome: "Could not run", calls: 0, findings: [] } as const;
  if (data === undefined) return { ...failed, reason: `${ended} without a report` };
  const { complete, operations, test_cases: { generated: calls } } = data;
  const findings = [
    ...data.failures.map(({ title, operations }) => `${title}: ${operations.join(", ")}`),
    ...data.errors.map(({ title }) => title),
    ...Object.entries(data.warnings).filter(([, about]) => about.length > 0).map(([kind]) => kind),
  ];
  if (code === 1) return { outcome: "Violated", calls, findings };
  const { tested, total } = operations ?? { tested: 0, total: 0 };
  const isComplete = code === 0 && complete && total > 0 && tested === total;
  if (isComplete) return { outcome: "Passed", calls, findings };
  return { ...failed, calls, findings, reason: `${ended} after ${tested} of ${total} operations` };
}

if (import.meta.main) await runProgram(COMMAND, main);
