/**
 * @module Resident memory of the service, at the start and after many requests, to a bare server's
 * after as many, and whether it still grows.
 *
 * The service is asked for what it could keep something of while nobody sends a lead: pages in several
 * forms, as browsers and as agents ask for them, pages that do not exist, each under another path, and
 * bodies that are no lead, each from another client. The service runs as its start task has it, with
 * the task's flags of V8; the bare server gives the same answers by turns, with Deno's own.
 */

import { figuresOf } from "../support/process_figures.ts";
import type { Progress } from "./answers.ts";
import { load, type Loader } from "./load.ts";
import { filled } from "./placeholders.ts";
import { floorAnswer } from "./prepare.ts";
import { benchProgram, type Contender, serviceProgram, start } from "./processes.ts";
import { ask, type RawRequest } from "./raw_http.ts";
import type { Row } from "./rows.ts";
import { median, spreadOf } from "./stats.ts";

/** Of the bare server's, after as many requests. */
const BAR = 1.5;
/** Flat: the last quarter of the samples is at most so much above the second. */
const FLAT_BAR = 1.05;
/** Memory is looked at after each. */
const SLICE_MS = 1_000;
const FEWEST_SAMPLES = 8;

/** A request, and the status that it must get. */
type Asked = RawRequest & { readonly status: number };

const GET = { method: "GET", headers: {}, status: 200 };
const BROWSER = { accept: "text/html,*/*;q=0.8", "accept-encoding": "gzip, br" };
const MIX: readonly Asked[] = [
  { ...GET, path: "/api/health" },
  { ...GET, path: "/api/site" },
  { ...GET, path: "/", headers: BROWSER },
  { ...GET, path: "/docs", headers: BROWSER },
  { ...GET, path: "/de/docs", headers: { accept: "text/markdown" } },
  { ...GET, path: "/openapi.json" },
  { ...GET, path: "/missing-NNNNNNNNN", headers: BROWSER, status: 404 },
  { ...GET, path: "/api/missing-NNNNNNNNN", status: 404 },
  {
    method: "POST",
    path: "/api/lead",
    headers: { "content-type": "application/json", "x-forwarded-for": "CLIENT" },
    body: JSON.stringify({ email: "nobody", company: "Company NNNNNNNNN", locale: "en" }),
    status: 400,
  },
];
const REFUSED = MIX.filter(({ status }) => status >= 400).length / MIX.length;
/** What the last turn of a slice may leave out. */
const REFUSED_WITHIN = 0.01;

/** How many requests, and where files may lie. */
export interface MemoryEffort {
  readonly requests: number;
  readonly loader: Loader;
  readonly folder: string;
  readonly progress: Progress;
}

/** Rows about memory; none where the system does not tell, which is said. */
export async function measureMemory(effort: MemoryEffort): Promise<Row[]> {
  const { service, bare } = await sideBySide(effort);
  if (Number.isNaN(service.first + bare.first)) {
    effort.progress("Memory is not measured: there is no /proc here");
    return [];
  }
  const count = effort.requests.toLocaleString("en");
  const common = { group: "memory", better: "lower", to: "a bare server" } as const;
  const end = quarter(service.samples, 3);
  return [
    {
      ...common,
      name: "memory-start",
      label: "Memory after the first answer",
      service: spreadOf([service.first / bare.first]),
    },
    {
      ...common,
      name: "memory",
      label: `Memory after ${count} requests, no lead taken`,
      service: spreadOf(end.map((sample) => sample / median(quarter(bare.samples, 3)))),
      bar: BAR,
    },
    {
      ...common,
      to: "itself in the second quarter",
      name: "memory-flat",
      label: `Memory in the last quarter of ${count} requests`,
      service: spreadOf(end.map((sample) => sample / median(quarter(service.samples, 1)))),
      bar: FLAT_BAR,
    },
  ];
}

/** A bare server's memory as a share of the service's; NaN where the system does not tell. */
export async function memoryShares(effort: MemoryEffort): Promise<number[]> {
  const { service, bare } = await sideBySide(effort);
  return quarter(service.samples, 3).map((sample) => median(quarter(bare.samples, 3)) / sample);
}

/** Resident MiB of one server; NaN where the system does not tell. */
interface Resident {
  readonly first: number;
  readonly samples: readonly number[];
}

async function sideBySide(effort: MemoryEffort): Promise<Record<"service" | "bare", Resident>> {
  const folder = await Deno.makeTempDir({ dir: effort.folder });
  const started = await start(await serviceProgram(folder, { TRUSTED_PROXY_HOPS: "1" }));
  await ask(started.port, MIX[0]!);
  const first = await residentMib(started.pid);
  const answers = [];
  for (const [n, request] of MIX.entries()) {
    const answer = await ask(started.port, filled(request, n));
    if (answer.status !== request.status) {
      throw new Error(`Cannot measure: ${request.path} is answered ${answer.status}`);
    }
    answers.push(floorAnswer(answer));
  }
  const service = { first, samples: await samplesOf(started, { ...effort, name: "service" }) };
  const floor = await start(benchProgram("floor.ts", { folder, input: answers }));
  await ask(floor.port, MIX[0]!);
  const bare = {
    first: await residentMib(floor.pid),
    samples: await samplesOf(floor, { ...effort, name: "bare server" }),
  };
  return { service, bare };
}

function quarter(samples: readonly number[], n: number): readonly number[] {
  return samples.slice(
    Math.floor(samples.length * n / 4),
    Math.floor(samples.length * (n + 1) / 4),
  );
}

async function residentMib(pid: number): Promise<number> {
  return (await figuresOf(pid).catch(() => undefined))?.memory ?? NaN;
}

/** Resident MiB, after each slice of load until all requests are sent. Ends the server. */
async function samplesOf(
  server: Contender,
  { requests, loader, progress, name }: MemoryEffort & { readonly name: string },
): Promise<number[]> {
  try {
    const samples: number[] = [];
    for (let sent = 0; sent < requests || samples.length < FEWEST_SAMPLES;) {
      const slice = await load({ server, requests: MIX }, { loader, ms: SLICE_MS });
      if (Math.abs(slice.refused / slice.requests - REFUSED) > REFUSED_WITHIN) {
        throw new Error(`Cannot measure: ${slice.refused} refusals among ${slice.requests}`);
      }
      sent += slice.requests;
      samples.push(await residentMib(server.pid));
      if (samples.length % 10 === 0) {
        progress(`Memory of the ${name}: ${sent.toLocaleString("en")} requests`);
      }
    }
    return samples;
  } finally {
    await server.end();
  }
}
