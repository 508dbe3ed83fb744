/** @module `deno task contract:strangers`: harness and Schemathesis on services of strangers. */

import { fileURLToPath } from "node:url";
import { commandFor, runProgram, UsageError } from "../lib/command_line.ts";
import { print } from "../lib/cannot_run.ts";
import { type Fault, startProxy } from "../mutants/proxy.ts";
import { installSchemathesis } from "../lib/python_environment.ts";
import type { Severity } from "../lib/rules.ts";
import { endOnSignals } from "../lib/programs.ts";
import { guarded, installStrangers, readServices, type Service, type Started } from "./services.ts";

const PROJECT = new URL("../../", import.meta.url);
const CONTRACT = fileURLToPath(new URL("contract/", PROJECT));
const BAR = 0.9;
const LIMIT_S = 180;
/** Generated requests of Schemathesis, so that it takes about as long as the harness. */
const EXAMPLES = "20";

const ABOUT = `Runs the harness on services of strangers, and Schemathesis beside it.

Installs the services below .venv/ (Python 3.11 or newer, npm), starts each on a free port, and plants
faults in two of them with a proxy: which does each tool catch?`;
const EXITS = "0: in each service, the harness catches nine of ten faults, " +
  "and no fewer than Schemathesis; 1: otherwise; 2: could not run";

const COMMAND = commandFor("contract:strangers", ABOUT, EXITS)
  .option("--service <name>", "only this service")
  .option("--faults", "only the planted faults");

async function main(args: readonly string[]): Promise<number> {
  const options = COMMAND.parse(args, { from: "user" }).opts();
  const all = await readServices();
  const services = all.filter(({ name }) => name === (options.service ?? name));
  if (services.length === 0) {
    throw new UsageError(`--service takes one of ${all.map(({ name }) => name).join(", ")}`);
  }
  const ending = new AbortController();
  const running = new Set<Promise<Started>>();
  endOnSignals({
    async stopAll() {
      ending.abort();
      await Promise.allSettled([...running].map(async (one) => (await one).stop()));
    },
  });
  const start = await installStrangers(services, PROJECT);
  const tools = [HARNESS, schemathesisIn(await installSchemathesis(PROJECT))];

  /** Runs a tool on a new instance; with a fault, behind a proxy and on a part of the document. */
  async function attempt(tool: Tool, service: Service, fault?: Fault): Promise<ToolRun> {
    const starting = start(service);
    running.add(starting);
    const started = await starting;
    const proxy = fault && startProxy(started.url, guarded(fault));
    try {
      return await runTool(tool, {
        base: (proxy?.url ?? started.url) + service.base,
        document: fault ? started.part : started.document,
        headers: service.headers,
        signal: ending.signal,
      });
    } finally {
      await proxy?.stop();
      await started.stop().catch(() => {}); // some have to be killed
      running.delete(starting);
    }
  }

  /** Counts the faults with which a tool has a breach that neither of two runs without has. */
  async function caughtBy(tool: Tool, service: Service): Promise<number> {
    const clean = [await attempt(tool, service, {}), await attempt(tool, service, {})];
    const known = new Set(clean.flatMap(({ found }) => [...found.keys()]));
    let caught = 0;
    for (const one of service.faults) {
      const { found, fault = "" } = await attempt(tool, service, one);
      const [proof] = found.entries()
        .find(([text, severity]) => severity === "breach" && !known.has(text)) ?? [];
      if (proof !== undefined) caught++;
      const said = proof?.slice(0, 200) ?? fault;
      print(`  ${proof === undefined ? "✗" : "✓"} ${tool.name}: ${one.name}\n      ${said}`);
    }
    return caught;
  }

  for (const service of options.faults ? [] : services) {
    print(`\n${service.name} (${service.what})`);
    for (const tool of tools) {
      print(`  ${tool.name.padEnd(12)} ${lineOf(await attempt(tool, service))}`);
    }
  }
  let holds = true;
  for (const service of services.filter(({ faults }) => faults.length > 0)) {
    const { name, faults } = service;
    print(`\n${name}: ${faults.length} planted faults`);
    const counts = await Promise.all(tools.map((tool) => caughtBy(tool, service)));
    print(`  ${tools.map(({ name }, index) => `${name} ${counts[index]}`).join(", ")}`);
    const [harness = 0, other = 0] = counts;
    holds &&= harness >= BAR * faults.length && harness >= other;
  }
  return holds ? 0 : 1;
}

function lineOf({ found, seconds, fault }: ToolRun): string {
  const severities = found.values().toArray();
  const counts = ["breach", "advice", "coverage"]
    .map((kind) => `${severities.filter((one) => one === kind).length} ${kind}`);
  const why = fault === undefined ? "" : ` (${fault})`;
  return `${counts.join(", ")}, ${seconds.toFixed(1)} s${why}`;
}

interface Target {
  readonly base: string;
  readonly document: string;
  readonly headers: readonly string[];
  readonly signal: AbortSignal;
}

/** The severity of each finding; its text names cause and place, and is the same in another run. */
type Found = Iterable<readonly [text: string, severity: Severity]>;

interface ToolRun {
  readonly found: ReadonlyMap<string, Severity>;
  readonly seconds: number;
  /** Why these are not the figures of a whole run. */
  readonly fault: string | undefined;
}

interface Tool {
  readonly name: string;
  readonly command: string;
  args(target: Target): readonly string[];
  readonly report: string;
  read(report: string): Found;
}

const HARNESS: Tool = {
  name: "harness",
  command: Deno.execPath(),
  args: ({ base, document, headers }) => [
    ...["run", "-q", "-P", "--config", `${CONTRACT}deno.json`, `${CONTRACT}main.ts`, "--generic"],
    ...["--url", base, "--document", document, "--allow-unsafe", "--report", "."],
    ...headers.flatMap((header) => ["--header", header]),
  ],
  report: "report.json",
  read: (text) =>
    // deno-lint-ignore no-explicit-any -- a report of the harness, read without a schema
    JSON.parse(text).open.flatMap(({ severity, check, places, message }: any) =>
      places.map((place: string) => [`${place}: ${message} (${check})`, severity])
    ),
};

function schemathesisIn(bin: URL): Tool {
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

async function runTool(tool: Tool, target: Target): Promise<ToolRun> {
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

await runProgram(COMMAND, main);
