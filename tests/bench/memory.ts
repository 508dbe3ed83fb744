/**
 * @module Resident memory of the service, at the start and after many requests, to a bare server's
 * after as many, and whether it still grows. V8 lets the heap grow for a million requests and more
 * before it collects, so that memory is looked at for as many requests again: one moment of a saw says
 * little.
 *
 * The service is asked for what it could keep something of while nobody sends a lead: pages in several
 * forms, as browsers and as agents ask for them, pages that do not exist, each under another path, and
 * bodies that are no lead, each from another client. The bare server gives the same answers by turns.
 * Both run with V8's defaults.
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
const BAR = 2;
/** Flat: after the requests at most so much more than before, the first quarter of them left out. */
const FLAT_BAR = 1.05;
/** Memory is looked at after each. */
const SLICE_MS = 1_000;
const FEWEST_SAMPLES = 4;

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
      service: spreadOf(service.after.map((sample) => sample / median(bare.after))),
      bar: BAR,
    },
    {
      ...common,
      to: "itself before",
      name: "memory-flat",
      label: `Memory after ${count} requests`,
      service: spreadOf(service.after.map((sample) => sample / median(service.before))),
      bar: FLAT_BAR,
    },
  ];
}

/** A bare server's memory as a share of the service's; NaN where the system does not tell. */
export async function memoryShares(effort: MemoryEffort): Promise<number[]> {
  const { service, bare } = await sideBySide(effort);
  return service.after.map((sample) => median(bare.after) / sample);
}

/** Resident MiB of one server; NaN where the system does not tell. */
interface Resident {
  /** After the first answer. */
  readonly first: number;
  /** Before the requests are all sent, the first quarter of them left out; and during as many again. */
  readonly before: readonly number[];
  readonly after: readonly number[];
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
  const service = { first, ...await samplesOf(started, { ...effort, name: "service" }) };
  const floor = await start(benchProgram("floor.ts", { folder, input: answers }));
  await ask(floor.port, MIX[0]!);
  const bare = {
    first: await residentMib(floor.pid),
    ...await samplesOf(floor, { ...effort, name: "bare server" }),
  };
  return { service, bare };
}

async function residentMib(pid: number): Promise<number> {
  return (await figuresOf(pid).catch(() => undefined))?.memory ?? NaN;
}

/** Resident MiB, after each slice of load until twice the requests are sent. Ends the server. */
async function samplesOf(
  server: Contender,
  { requests, loader, progress, name }: MemoryEffort & { readonly name: string },
): Promise<Pick<Resident, "before" | "after">> {
  try {
    const before: number[] = [];
    const after: number[] = [];
    for (let sent = 0; sent < 2 * requests || after.length < FEWEST_SAMPLES;) {
      const slice = await load({ server, requests: MIX }, { loader, ms: SLICE_MS });
      if (Math.abs(slice.refused / slice.requests - REFUSED) > REFUSED_WITHIN) {
        throw new Error(`Cannot measure: ${slice.refused} refusals among ${slice.requests}`);
      }
      sent += slice.requests;
      const mib = await residentMib(server.pid);
      if (sent >= requests) after.push(mib);
      else if (sent >= requests / 4) before.push(mib);
      if ((before.length + after.length) % 10 === 0) {
        progress(`Memory of the ${name}: ${sent.toLocaleString("en")} requests`);
      }
    }
    return { before, after };
  } finally {
    await server.end();
  }
}
