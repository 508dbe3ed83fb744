/**
 * @module `deno task contract:strangers`: runs the harness on services that strangers wrote, with
 * Schemathesis beside it, and on two of them with planted faults.
 */

import { exitWith, print } from "../cannot_run.ts";
import { installSchemathesis } from "../fuzz/schemathesis.ts";
import { startProxy } from "../mutants/proxy.ts";
import { endOnSignals } from "../service.ts";
import type { StrangerFault } from "./faults.ts";
import { parseStrangerOptions, STRANGERS_USAGE } from "./options.ts";
import { installStrangers, type Service, type Started } from "./services.ts";
import { runHarness, schemathesisIn, type Tool, type ToolRun } from "./tools.ts";

const PROJECT = new URL("../../", import.meta.url);
/** The harness must catch nine of ten faults. */
const BAR = 0.9;

async function main(args: readonly string[]): Promise<number> {
  const { services, faults, ...options } = await parseStrangerOptions(args);
  if (options.help) {
    print(STRANGERS_USAGE);
    return 0;
  }
  const ending = new AbortController();
  const running = new Set<Started>();
  async function stopAll(): Promise<void> {
    ending.abort();
    await Promise.allSettled([...running].map((one) => one.stop()));
  }
  endOnSignals({ stopAll });
  const start = await installStrangers(PROJECT, { services, progress: print });
  const others = options.schemathesis
    ? { schemathesis: schemathesisIn(await installSchemathesis(PROJECT, print)) }
    : {};
  const tools: Readonly<Record<string, Tool>> = { harness: runHarness, ...others };

  /** Runs a tool on a service that has just started, behind a proxy if it has a fault. */
  async function attempt(
    tool: Tool,
    { service, fault }: { readonly service: Service; readonly fault?: Partial<StrangerFault> },
  ): Promise<ToolRun & Pick<Started, "operations">> {
    const started = await start(service);
    running.add(started);
    const proxy = fault && startProxy(started.origin, fault);
    const { base, headers } = service;
    const document = fault ? started.part : started.document;
    try {
      const target = { base: (proxy?.url ?? started.origin) + base, document, headers };
      return { ...await tool(target, ending.signal), operations: started.operations };
    } finally {
      await proxy?.stop();
      await started.stop();
      running.delete(started);
    }
  }

  for (const service of options.onlyFaults ? [] : services) {
    print(`\n${service.name} (${service.what})`);
    for (const [name, tool] of Object.entries(tools)) {
      const { found, seconds, operations, fault } = await attempt(tool, { service });
      const { breach = [], advice = [], coverage = [] } = Object.groupBy(
        found,
        ({ severity }) => severity,
      );
      print(
        `  ${name.padEnd(12)} ${operations} operations, ${breach.length} breaches, ` +
          `${advice.length} advice, ${coverage.length} coverage, ${seconds.toFixed(1)} s` +
          (fault === undefined ? "" : ` (${fault})`),
      );
    }
  }
  let holds = true;
  for (const service of services) {
    const planted = faults.filter(({ on }) => on === service.name);
    if (planted.length === 0) continue;
    print(`\n${service.name}: ${planted.length} planted faults`);
    const known = await perTool((tool) => twice(() => attempt(tool, { service, fault: {} })));
    const caught: Record<string, number> = {};
    for (const fault of planted) {
      const proofs = await perTool(async (tool, name) => {
        const run = await attempt(tool, { service, fault });
        return breachesOf([run]).find((key) => !known[name]!.includes(key));
      });
      for (const [name, proof] of Object.entries(proofs)) {
        caught[name] = (caught[name] ?? 0) + (proof === undefined ? 0 : 1);
      }
      const lines = Object.entries(proofs).map(([name, proof]) =>
        `    ${name.padEnd(12)} ${proof === undefined ? "✗" : `✓ ${proof.slice(0, 160)}`}`
      );
      print([`  ${fault.fault}`, ...lines].join("\n"));
    }
    for (const [name, count] of Object.entries(caught)) {
      print(`  ${name.padEnd(12)} ${count} of ${planted.length} caught`);
    }
    const { harness = 0, schemathesis = 0 } = caught;
    holds &&= harness >= BAR * planted.length && harness >= schemathesis;
  }
  return holds ? 0 : 1;

  /** Runs all tools at once, each on a service of its own. */
  async function perTool<T>(
    work: (tool: Tool, name: string) => Promise<T>,
  ): Promise<Record<string, T>> {
    const all = Object.entries(tools).map(async ([name, tool]) =>
      [name, await work(tool, name)] as const
    );
    return Object.fromEntries(await Promise.all(all));
  }
}

/** What two clean runs have found: a fault must show a finding that neither has. */
async function twice(run: () => Promise<ToolRun>): Promise<string[]> {
  return breachesOf([await run(), await run()]);
}

function breachesOf(runs: readonly ToolRun[]): string[] {
  return runs.flatMap(({ found }) => found)
    .filter(({ severity }) => severity === "breach").map(({ key }) => key);
}

await exitWith(main, "contract:strangers");
