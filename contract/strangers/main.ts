/**
 * @module `deno task contract:strangers`: runs the harness on services of strangers, with Schemathesis
 * beside it, and on two of them with planted faults.
 */

import { exitWith, print } from "../cannot_run.ts";
import { installSchemathesis } from "../python.ts";
import type { Mutant, ProxyFault } from "../mutants/mutant.ts";
import { startProxy } from "../mutants/proxy.ts";
import { endOnSignals } from "../service.ts";
import { parseStrangerOptions, STRANGERS_USAGE } from "./options.ts";
import { guarded, installStrangers, type Service, type Started } from "./services.ts";
import { runHarness, schemathesisIn, type Tool, type ToolRun } from "./tools.ts";

const PROJECT = new URL("../../", import.meta.url);
/** The share of the faults that the harness must catch. */
const BAR = 0.9;

type Attempt = (
  tool: Tool,
  how: { readonly service: Service; readonly fault?: ProxyFault },
) => Promise<ToolRun & Pick<Started, "operations">>;

async function main(args: readonly string[]): Promise<number> {
  const { services, onlyFaults, schemathesis, help } = await parseStrangerOptions(args);
  if (help) {
    print(STRANGERS_USAGE);
    return 0;
  }
  const ending = new AbortController();
  const running = new Set<Started>();
  endOnSignals({
    async stopAll() {
      ending.abort();
      await Promise.allSettled([...running].map((one) => one.stop()));
    },
  });
  const start = await installStrangers(services, { project: PROJECT, progress: print });
  const tools = new Map([["harness", runHarness]]);
  if (schemathesis) {
    tools.set("schemathesis", schemathesisIn(await installSchemathesis(PROJECT)));
  }

  /** Runs a tool on a new instance; with a fault, behind a proxy and on a part of the document. */
  const attempt: Attempt = async (tool, { service, fault }) => {
    const started = await start(service);
    running.add(started);
    const proxy = fault && startProxy(started.url, guarded(fault));
    const base = (proxy?.url ?? started.url) + service.base;
    const document = fault ? started.part : started.document;
    try {
      const target = { base, document, headers: service.headers };
      return { ...await tool(target, ending.signal), operations: started.operations };
    } finally {
      await proxy?.stop();
      await started.stop().catch(() => {}); // some have to be killed
      running.delete(started);
    }
  };

  for (const service of onlyFaults ? [] : services) {
    print(`\n${service.name} (${service.what})`);
    for (const [name, tool] of tools) {
      print(`  ${name.padEnd(12)} ${lineOf(await attempt(tool, { service }))}`);
    }
  }
  let holds = true;
  for (const service of services) {
    const planted = service.faults;
    if (planted.length === 0) continue;
    print(`\n${service.name}: ${planted.length} planted faults`);
    const counts = await Promise.all(
      tools.entries().map(([name, tool]) =>
        caughtBy((fault) => attempt(tool, { service, fault }), { name, planted })
      ),
    );
    const [harness = 0, other = 0] = counts;
    print(`  ${[...tools.keys()].map((name, at) => `${name} ${counts[at]}`).join(", ")}`);
    holds &&= harness >= BAR * planted.length && harness >= other;
  }
  return holds ? 0 : 1;
}

function lineOf({ found, seconds, operations, fault }: Awaited<ReturnType<Attempt>>): string {
  const counts = (["breach", "advice", "coverage"] as const)
    .map((kind) => `${found.filter(({ severity }) => severity === kind).length} ${kind}`);
  const time = `${seconds.toFixed(1)} s${fault === undefined ? "" : ` (${fault})`}`;
  return [`${operations} operations`, ...counts, time].join(", ");
}

/** Counts the faults with which a run has a breach that neither of two runs without fault has. */
async function caughtBy(
  run: (fault: ProxyFault) => Promise<ToolRun>,
  { name, planted }: { readonly name: string; readonly planted: readonly Mutant[] },
): Promise<number> {
  const clean = [await run({}), await run({})].flatMap(({ found }) => found);
  const known = new Set(clean.map(({ text }) => text));
  let caught = 0;
  for (const one of planted) {
    const { found, fault } = await run(one);
    const proof = found.find(({ severity, text }) => severity === "breach" && !known.has(text));
    if (proof !== undefined) caught++;
    const said = proof?.text.slice(0, 200) ?? fault ?? "";
    print(`  ${proof === undefined ? "✗" : "✓"} ${name}: ${one.name}\n      ${said}`);
  }
  return caught;
}

await exitWith(main, "contract:strangers");
