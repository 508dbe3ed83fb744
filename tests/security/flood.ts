/**
 * @module A flood of posts from many addresses and from one against the real service, while honest
 * clients go on sending leads, and the reckoning afterwards: what was answered, and what is held.
 *
 * Addresses are told by X-Forwarded-For, as a proxy would: the service trusts one.
 */

import { createKvStore } from "../../leads/kv/store.ts";
import { Sealer } from "../../leads/sealing.ts";
import { figuresOf } from "../support/process_figures.ts";
import { leadRequest, RawClient } from "../support/raw_client.ts";
import { type Service, startService, withFolder } from "../support/service.ts";
import { LEAD } from "../support/test_app.ts";
import { warmUp } from "../support/warm_up.ts";

/** What a flood came to. */
export interface FloodReport {
  readonly posts: number;
  readonly seconds: number;
  /** How many answers of each kind and status, such as `valid 200`. */
  readonly answers: Readonly<Record<string, number>>;
  /** What honest clients were answered, by status. */
  readonly honest: Readonly<Record<string, number>>;
  /** How long they waited, in milliseconds. */
  readonly honestMs: { readonly median: number; readonly p99: number; readonly longest: number };
  /** Resident memory of the service in MiB: before, at most, and at the end. */
  readonly memory: { readonly before: number; readonly most: number; readonly after: number };
  /** Leads answered 200 that are not held, and leads held that were not answered 200. */
  readonly lost: readonly string[];
  readonly uncalledFor: readonly string[];
}

/** What comes in, in turn: half of it leads of many addresses, the rest not. */
const KINDS = [
  "valid",
  "invalid",
  "valid",
  "one address",
  "valid",
  "no JSON",
  "valid",
  "one address",
  "valid",
  "invalid",
] as const;

const CONNECTIONS = 32;
const HONEST_CLIENTS = 10;
const HONEST_PAUSE_MS = 100;
const SAMPLE_MS = 200;

/** What was answered, so far. */
class Tally {
  readonly answers: Record<string, number> = {};
  readonly honest: Record<string, number> = {};
  readonly waits: number[] = [];
  /** Companies of the leads that were answered 200. */
  readonly accepted = new Set<string>();

  note(counts: Record<string, number>, what: string): void {
    counts[what] = (counts[what] ?? 0) + 1;
  }
}

/** @param posts how many there are beside those of the honest clients */
export async function flood(
  posts: number,
  progress: (line: string) => void = () => {},
): Promise<FloodReport> {
  let report: FloodReport | undefined;
  await withFolder(async (folder) => {
    const service = await startService(folder, { TRUSTED_PROXY_HOPS: "1" });
    const tally = new Tally();
    const measured = await (async () => {
      await warmUp(service.port);
      return await pour(service, { posts, tally, progress });
    })().catch(async (error: unknown) => {
      await service.end("SIGKILL");
      throw error;
    });
    const code = await service.end();
    if (code !== 0) throw new Error(`Cannot reckon: the service ended with ${code}`);
    report = { posts, ...measured, ...await reckon(folder, tally) };
  });
  return report!;
}

type Measured = Omit<FloodReport, "posts" | "lost" | "uncalledFor">;

async function pour(
  { port, pid }: Service,
  { posts, tally, progress }: {
    readonly posts: number;
    readonly tally: Tally;
    readonly progress: (line: string) => void;
  },
): Promise<Measured> {
  const memory = async () => (await figuresOf(pid)).memory;
  const before = await memory();
  const began = performance.now();
  const over = new AbortController();
  let sent = 0;
  let most = before;

  async function attack(): Promise<void> {
    const client = await RawClient.connect(port);
    try {
      for (let n = sent++; n < posts; n = sent++) {
        const { kind, company, request } = post(n);
        const { status } = await client.ask(request);
        tally.note(tally.answers, `${kind} ${status}`);
        if (status === 200) tally.accepted.add(company);
      }
    } finally {
      client.close();
    }
  }

  async function honest(who: number): Promise<void> {
    const client = await RawClient.connect(port);
    for (let n = 0; !over.signal.aborted; n++) {
      const company = `Honest ${who}, ${n}`;
      const start = performance.now();
      // A new address each time: nobody sends twenty leads in a minute.
      const address = `198.51.${who}.${n % 256}`;
      const { status } = await client.ask(leadRequest(lead(company), address));
      tally.waits.push(performance.now() - start);
      tally.note(tally.honest, String(status));
      if (status === 200) tally.accepted.add(company);
      await new Promise((resolve) => setTimeout(resolve, HONEST_PAUSE_MS));
    }
    client.close();
  }

  async function watch(): Promise<void> {
    for (let n = 1; !over.signal.aborted; n++) {
      most = Math.max(most, await memory());
      if (n % 25 === 0) progress(`${sent} of ${posts} posts, ${Math.round(most)} MiB at most`);
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
    }
  }

  const others = Promise.all([
    watch(),
    ...Array.from({ length: HONEST_CLIENTS }, (_, n) => honest(n)),
  ]);
  try {
    await Promise.all(Array.from({ length: CONNECTIONS }, attack));
  } finally {
    over.abort();
    await others;
  }
  return {
    seconds: (performance.now() - began) / 1000,
    answers: tally.answers,
    honest: tally.honest,
    honestMs: spread(tally.waits),
    memory: { before, most, after: await memory() },
  };
}

/** The n-th post. Whoever is not "one address" has an address of their own. */
function post(n: number) {
  const kind = KINDS[n % KINDS.length]!;
  const company = `Flood ${n}`;
  const address = kind === "one address"
    ? "203.0.113.9"
    : `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
  const body = kind === "no JSON"
    ? `{"email":"${"x".repeat(500)}`
    : kind === "invalid"
    ? JSON.stringify({ ...LEAD, company, plan: "free" })
    : lead(company);
  return { kind, company, request: leadRequest(body, address) };
}

function lead(company: string): string {
  return JSON.stringify({ ...LEAD, company, message: "Please call. ".repeat(20) });
}

function spread(waits: readonly number[]): FloodReport["honestMs"] {
  const sorted = waits.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
  return { median: at(0.5), p99: at(0.99), longest: at(1) };
}

/** What an allowance of 20 in 10 minutes gives back: one in 30 s. */
const ONE_ADDRESS = 20;
const BACK_AFTER_S = 30;
/** Nothing that anybody would wait for gladly; an answer takes some milliseconds here. */
const HONEST_WITHIN_MS = 5_000;
/**
 * With its defaults, V8 takes up to some 50 MiB for what is young, and collects what is old when that has
 * doubled; what each client and lead leaves behind comes on top, and is little.
 */
const ROOM_MIB = 100;
const EACH_POST_MIB = 0.5 / 1024;

/** What a flood must not have done, in words. */
export function shortcomings(report: FloodReport): string[] {
  const { posts, seconds, answers, honest, honestMs, memory, lost, uncalledFor } = report;
  const known = ["valid 200", "invalid 400", "no JSON 400", "one address 200", "one address 429"];
  const one = answers["one address 200"] ?? 0;
  const faults: readonly (readonly [isSo: boolean, what: string])[] = [
    [lost.length > 0, `${lost.length} leads answered 200 are not held, such as ${lost[0]}`],
    [uncalledFor.length > 0, `${uncalledFor.length} leads are held without a 200`],
    ...Object.entries(answers).filter(([what]) => !known.includes(what))
      .map(([what, times]) => [true, `${times} answers were ${what}`] as const),
    [one > ONE_ADDRESS + Math.ceil(seconds / BACK_AFTER_S), `one address had ${one} leads taken`],
    [Object.keys(honest).join() !== "200", `honest clients got ${JSON.stringify(honest)}`],
    [honestMs.longest > HONEST_WITHIN_MS, `an honest client waited ${honestMs.longest} ms`],
    [
      memory.most > memory.before + ROOM_MIB + posts * EACH_POST_MIB,
      `${Math.round(memory.before)} MiB became ${Math.round(memory.most)}`,
    ],
  ];
  return faults.filter(([isSo]) => isSo).map(([, what]) => what);
}

/** Holds what was answered against what lies in the database, once the service has ended. */
async function reckon(
  folder: string,
  { accepted }: Tally,
): Promise<Pick<FloodReport, "lost" | "uncalledFor">> {
  const kv = await Deno.openKv(`${folder}/.data/frontdoor.sqlite`);
  try {
    const store = createKvStore({
      open: () => Promise.resolve(kv),
      now: Date.now,
      sealer: new Sealer([]),
      retentionMs: Infinity,
    });
    const held = new Set<string>();
    for await (const { lead } of store.all()) held.add(lead.company);
    return {
      lost: [...accepted].filter((company) => !held.has(company)),
      uncalledFor: [...held].filter((company) => !accepted.has(company)),
    };
  } finally {
    kv.close();
  }
}
