/** @module Runs the harness and Schemathesis against a service, and reads what each has found. */

import { fileURLToPath } from "node:url";
import { type Severity, severityOf } from "../rules.ts";

export interface Target {
  readonly base: string;
  /** A URL or a file. */
  readonly document: string;
  readonly headers: readonly string[];
}

export interface ToolRun {
  /** One for each cause and place; the text is the same in another run. */
  readonly found: readonly { readonly severity: Severity; readonly text: string }[];
  readonly seconds: number;
  /** Why these are not the figures of a whole run. */
  readonly fault: string | undefined;
}

/** Runs a tool, and ends it on the signal. */
export type Tool = (target: Target, signal: AbortSignal) => Promise<ToolRun>;

const CONTRACT = new URL("../", import.meta.url);
/** Seconds after which a tool is ended. */
const LIMIT_S = 180;
/** Generated requests of Schemathesis, so that it takes about as long as the harness. */
const EXAMPLES = "20";

/** What is read of a group of findings in report.json. */
interface Group extends Record<"check" | "message", string> {
  readonly places: readonly string[];
}

/** The harness, as a stranger calls it. */
export function runHarness(
  { base, document, headers }: Target,
  signal: AbortSignal,
): Promise<ToolRun> {
  return runTool(Deno.execPath(), {
    args: ["task", "-q", "contract", "--url", base, "--generic", "--allow-unsafe"]
      .concat(headers.flatMap((header) => ["--header", header]))
      .concat("--document", document, "--report", "."),
    signal,
    report: "report.json",
    read: (text) =>
      (JSON.parse(text).open as Group[]).flatMap(({ places, check, message }) =>
        places.map((place) => ({
          severity: severityOf({ check }),
          text: `${place}: ${message} (${check})`,
        }))
      ),
  });
}

/** @param bin the folder of its programs */
export function schemathesisIn(bin: URL): Tool {
  function run({ base, document, headers }: Target, signal: AbortSignal): Promise<ToolRun> {
    return runTool(fileURLToPath(new URL("st", bin)), {
      args: ["run", document, "--url", base, "--max-examples", EXAMPLES, "--continue-on-failure"]
        .concat(headers.flatMap((header) => ["-H", header]), "--seed", "42")
        .concat("--report-ndjson-path", "st.ndjson"),
      signal,
      report: "st.ndjson",
      // Of a run that was ended, the last line may be incomplete.
      read: (text) =>
        text.split("\n").filter((line) => line.endsWith("}")).flatMap((line) =>
          failuresOf(JSON.parse(line))
        ).map((text) => ({ severity: "breach", text })),
    });
  }
  return run;
}

// deno-lint-ignore no-explicit-any -- an event of Schemathesis, read without a schema
function failuresOf(event: any): string[] {
  const { label, checks = {} } = event.ScenarioFinished?.recorder ?? {};
  // deno-lint-ignore no-explicit-any -- as above
  return Object.values<any>(checks).flat().filter(({ status }) => status === "failure")
    .map(({ failure_info: { failure: { operation = label, title, message } } }) =>
      `${operation}: ${title}: ${message.split("\n\n")[0]}`
    );
}

async function runTool(command: string, { args, signal, report, read }: {
  readonly args: readonly string[];
  readonly signal: AbortSignal;
  readonly report: string;
  readonly read: (report: string) => ToolRun["found"];
}): Promise<ToolRun> {
  const folder = await Deno.makeTempDir({ prefix: "strangers-" });
  const started = performance.now();
  const limit = AbortSignal.timeout(LIMIT_S * 1_000);
  const { stderr } = await new Deno.Command(command, {
    args: args.map((one) => one === "." ? folder : one),
    cwd: command === Deno.execPath() ? CONTRACT : folder,
    env: { PYTHONDONTWRITEBYTECODE: "1", NO_COLOR: "1" },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
    signal: AbortSignal.any([signal, limit]),
  }).output();
  const seconds = (performance.now() - started) / 1_000;
  const text = await Deno.readTextFile(`${folder}/${report}`).catch(() => undefined);
  await Deno.remove(folder, { recursive: true });
  const found = new Map((text === undefined ? [] : read(text))
    .map(({ severity, text }) => [masked(text), severity]));
  const said = new TextDecoder().decode(stderr).trim().split("\n").at(-1);
  return {
    found: found.entries().map(([text, severity]) => ({ text, severity })).toArray(),
    seconds,
    fault: limit.aborted ? `ended after ${LIMIT_S} s` : text === undefined ? said : undefined,
  };
}

/** A text without what differs between runs: ports, UUIDs, moments, how many more there are. */
function masked(text: string): string {
  return text.replace(/127\.0\.0\.1:\d+/g, "HOST").replace(/ and \d+ more/g, "")
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "UUID").replace(/\s+/g, " ")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+/g, "MOMENT");
}
