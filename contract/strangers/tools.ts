/** @module Runs the harness and Schemathesis against a service, and reads what each has found. */

import { fileURLToPath } from "node:url";

export interface Target {
  readonly base: string;
  /** A URL or a file. */
  readonly document: string;
  readonly headers: readonly string[];
}

/** One cause that a tool has named. */
export interface Found {
  readonly severity: "breach" | "advice" | "coverage";
  /** The same for the same cause in another run. */
  readonly key: string;
}

export interface ToolRun {
  readonly found: readonly Found[];
  readonly seconds: number;
  /** Why the figures are not those of a whole run. */
  readonly fault: string | undefined;
}

/** Runs a tool; ends it with the program. */
export type Tool = (target: Target, signal: AbortSignal) => Promise<ToolRun>;

const CONTRACT = new URL("../", import.meta.url);
const SEED = "42";
/** Seconds after which a tool is ended. */
const LIMIT_S = 180;
/** Examples of a Schemathesis run, so that it takes about as long as the harness. */
const EXAMPLES = "20";

/** The harness, as a stranger calls it: `deno task contract --url URL --generic`. */
export const runHarness: Tool = (target, signal) =>
  inFolder(async (folder) => {
    const { base, document, headers } = target;
    const outcome = await timed(Deno.execPath(), {
      args: ["task", "-q", "contract", "--url", base, "--generic", "--document", document]
        .concat(headers.flatMap((header) => ["--header", header]), "--report", folder),
      cwd: CONTRACT,
      signal,
    });
    const text = await Deno.readTextFile(`${folder}/report.json`).catch(() => undefined);
    if (text === undefined) return { ...outcome, found: [], fault: outcome.fault ?? "no report" };
    const { open } = JSON.parse(text) as { open: Record<string, string>[] };
    const found = open.map(({ check, severity, where, message }) => ({
      severity: (severity ?? "breach") as Found["severity"],
      key: masked(`${where}: ${message} (${check})`),
    }));
    return { ...outcome, found };
  });

/** @param bin the folder of its programs */
export function schemathesisIn(bin: URL): Tool {
  return ({ base, document, headers }, signal) =>
    inFolder(async (folder) => {
      const report = `${folder}/st.ndjson`;
      const outcome = await timed(fileURLToPath(new URL("st", bin)), {
        args: ["run", document, "--url", base, "--seed", SEED, "--max-examples", EXAMPLES]
          .concat(headers.flatMap((header) => ["-H", header]), "--report-ndjson-path", report),
        cwd: new URL(`file://${folder}/`),
        signal,
      });
      const text = await Deno.readTextFile(report).catch(() => "");
      // Of a run that was ended, the last line may be incomplete.
      const lines = text.split("\n").filter((line) => line.endsWith("}"));
      const keys = new Set(lines.flatMap((line) => failuresOf(JSON.parse(line))));
      return { ...outcome, found: [...keys].map((key) => ({ severity: "breach", key })) };
    });
}

// deno-lint-ignore no-explicit-any -- an event of Schemathesis, read without a schema
function failuresOf(event: any): string[] {
  const { label, checks = {} } = event.ScenarioFinished?.recorder ?? {};
  // deno-lint-ignore no-explicit-any -- as above
  return Object.values<any>(checks).flat().filter(({ status }) => status === "failure")
    .map(({ failure_info: { failure } }) =>
      masked(`${failure.operation ?? label}: ${failure.title}: ${failure.message.split("\n\n")[0]}`)
    );
}

/** A text without what differs between runs: ports, UUIDs, moments, how many more there are. */
function masked(text: string): string {
  return text.replace(/127\.0\.0\.1:\d+/g, "HOST")
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "UUID")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+/g, "MOMENT").replace(/ and \d+ more/g, "");
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await Deno.makeTempDir({ prefix: "strangers-" });
  try {
    return await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function timed(
  command: string,
  { args, cwd, signal }: {
    readonly args: string[];
    readonly cwd: URL;
    readonly signal: AbortSignal;
  },
): Promise<{ readonly seconds: number; readonly fault: string | undefined }> {
  const started = performance.now();
  const limit = AbortSignal.timeout(LIMIT_S * 1_000);
  const { code, stderr } = await new Deno.Command(command, {
    args,
    cwd,
    env: { PYTHONDONTWRITEBYTECODE: "1", NO_COLOR: "1" },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
    signal: AbortSignal.any([signal, limit]),
  }).output();
  const said = new TextDecoder().decode(stderr).trim().split("\n").at(-1);
  const fault = limit.aborted
    ? `ended after ${LIMIT_S} s`
    : code > 1
    ? `exit ${code}: ${said}`
    : undefined;
  return { seconds: (performance.now() - started) / 1_000, fault };
}
