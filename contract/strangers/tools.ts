/** @module Runs the harness and Schemathesis against a service, and reads what each has found. */

import { fileURLToPath } from "node:url";
import { type Severity, severityOf } from "../rules.ts";

interface Target {
  readonly base: string;
  /** A URL or a file. */
  readonly document: string;
  readonly headers: readonly string[];
  /** Ends the tool. */
  readonly signal: AbortSignal;
}

/** The severity of each finding; its text names cause and place, and is the same in another run. */
type Found = Iterable<readonly [text: string, severity: Severity]>;

export interface ToolRun {
  readonly found: ReadonlyMap<string, Severity>;
  readonly seconds: number;
  /** Why these are not the figures of a whole run. */
  readonly fault: string | undefined;
}

/** A program that writes a report into its working directory. */
export interface Tool {
  readonly name: string;
  readonly command: string;
  args(target: Target): readonly string[];
  readonly report: string;
  read(report: string): Found;
}

const CONTRACT = fileURLToPath(new URL("../", import.meta.url));
/** Seconds after which a tool is ended. */
const LIMIT_S = 180;
/** Generated requests of Schemathesis, so that it takes about as long as the harness. */
const EXAMPLES = "20";

/** What is read of a group of findings in report.json. */
interface Group extends Record<"check" | "message", string> {
  readonly places: readonly string[];
}

/** The harness, as a stranger calls it. */
export const HARNESS: Tool = {
  name: "harness",
  command: Deno.execPath(),
  args: ({ base, document, headers }) => [
    ...["run", "-q", "-P", "--config", `${CONTRACT}deno.json`, `${CONTRACT}main.ts`, "--generic"],
    ...["--url", base, "--document", document, "--allow-unsafe", "--report", "."],
    ...headers.flatMap((header) => ["--header", header]),
  ],
  report: "report.json",
  read: (text) =>
    (JSON.parse(text).open as Group[]).flatMap(({ places, check, message }) =>
      places.map((place) => [`${place}: ${message} (${check})`, severityOf({ check })] as const)
    ),
};

/** @param bin the folder of its programs */
export function schemathesisIn(bin: URL): Tool {
  return {
    name: "schemathesis",
    command: fileURLToPath(new URL("st", bin)),
    args: ({ base, document, headers }) => [
      ...["run", document, "--url", base, "--max-examples", EXAMPLES, "--continue-on-failure"],
      ...["--seed", "42", "--report-ndjson-path", "st.ndjson"],
      ...headers.flatMap((header) => ["-H", header]),
    ],
    report: "st.ndjson",
    // Of a run that was ended, the last line may be incomplete.
    read: (text) =>
      text.split("\n").filter((line) => line.endsWith("}"))
        .flatMap((line) => failuresOf(JSON.parse(line)))
        .map((text) => [text, "breach"]),
  };
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

export async function runTool(tool: Tool, target: Target): Promise<ToolRun> {
  const folder = await Deno.makeTempDir({ prefix: "strangers-" });
  const started = performance.now();
  const limit = AbortSignal.timeout(LIMIT_S * 1_000);
  const { stderr } = await new Deno.Command(tool.command, {
    args: [...tool.args(target)],
    cwd: folder,
    env: { PYTHONDONTWRITEBYTECODE: "1", NO_COLOR: "1" },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
    signal: AbortSignal.any([target.signal, limit]),
  }).output();
  const seconds = (performance.now() - started) / 1_000;
  const text = await Deno.readTextFile(`${folder}/${tool.report}`).catch(() => undefined);
  await Deno.remove(folder, { recursive: true });
  const found = text === undefined ? [] : [...tool.read(text)];
  const said = new TextDecoder().decode(stderr).trim().split("\n").at(-1);
  return {
    found: new Map(found.map(([text, severity]) => [masked(text), severity])),
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
