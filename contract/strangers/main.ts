/**
 * @module `deno task contract:strangers`: runs the harness on services of strangers, with Schemathesis
 * beside it, and on two of them with planted faults.
 */

import { commandLine, UsageError } from "../arguments.ts";
import { exitWith, print } from "../cannot_run.ts";
import { type Fault, startProxy } from "../mutants/proxy.ts";
import { installSchemathesis } from "../python.ts";
import { endOnSignals } from "../service.ts";
import { guarded, installStrangers, readServices, type Service, type Started } from "./services.ts";
import { HARNESS, runTool, schemathesisIn, type Tool, type ToolRun } from "./tools.ts";

const PROJECT = new URL("../../", import.meta.url);
/** The share of the faults that the harness must catch. */
const BAR = 0.9;

const COMMAND = commandLine({
  task: "contract:strangers",
  about: `Runs the harness on services of strangers, and Schemathesis beside it.

Installs the services below .venv/ (Python 3.11 or newer, npm), starts each on a free port, and plants
faults in two of them with a proxy: which does each tool catch?`,
  table: {
    "service": ["NAME", "only this service"],
    "faults": ["", "only the planted faults"],
    "no-schemathesis": ["", "only the harness"],
  },
  exits:
    `0: in each service, the harness catches nine of ten faults, and no fewer than Schemathesis;
1: otherwise; 2: could not run`,
});

async function main(args: readonly string[]): Promise<number> {
  const options = COMMAND.read(args);
  const all = await readServices();
  const services = all.filter(({ name }) => name === (options.service ?? name));
  if (services.length === 0) {
    throw new UsageError(`--service takes one of ${all.map(({ name }) => name).join(", ")}`);
  }
  const ending = new AbortController();
  const running = new Set<Started>();
  endOnSignals({
    async stopAll() {
      ending.abort();
      await Promise.allSettled([...running].map((one) => one.stop()));
    },
  });
  const start = await installStrangers(services, PROJECT);
  const isAlone = options["no-schemathesis"];
  const others = isAlone ? [] : [schemathesisIn(await installSchemathesis(PROJECT))];
  const tools = [HARNESS, ...others];

  /** Runs a tool on a new instance; with a fault, behind a proxy and on a part of the document. */
  async function attempt(tool: Tool, service: Service, fault?: Fault): Promise<ToolRun> {
    const started = await start(service);
    running.add(started);
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
      running.delete(started);
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

await exitWith(main, COMMAND);
