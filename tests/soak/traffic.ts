/** @module Mixed traffic at a steady rate, whatever the answers: sends, counts, and judges each answer. */

import type { Ledger } from "../support/ledger.ts";
import { type Answered, companyOf, type Kind, KINDS, type Post, type Visit } from "./mix.ts";
import type { Soaked } from "./services.ts";
import { faultOf } from "./verdicts.ts";

/** All services together. */
const REQUESTS_PER_S = 60;

const TICK_MS = 10;

/** Longer than any answer may take: the longest, a 502, some 19 s behind others of its client. */
const PATIENCE_MS = 60_000;

/** What traffic is made of. */
export interface TrafficParts {
  readonly services: readonly Soaked[];
  readonly ledger: Ledger;
  readonly pages: readonly string[];
  readonly documents: readonly string[];
}

/** Traffic to all services. */
export class Traffic {
  /** How many answers of each status there were, by kind; status 0: no answer. */
  readonly answers: Record<string, Record<number, number>> = {};
  /** What was wrong with answers: how often, and when first. */
  readonly faults = new Map<string, { times: number; readonly first: Date }>();
  readonly #parts: TrafficParts;
  readonly #underWay = new Set<Promise<void>>();
  readonly #timer: ReturnType<typeof setInterval>;
  /** By store, the number of a lead that it has taken. */
  readonly #known = new Map<string, number>();
  #sent = 0;

  /** Starts. */
  constructor(parts: TrafficParts) {
    this.#parts = parts;
    const began = Date.now();
    this.#timer = setInterval(() => {
      const due = (Date.now() - began) * REQUESTS_PER_S / 1_000;
      while (this.#sent < due) this.#send();
    }, TICK_MS);
  }

  get sent(): number {
    return this.#sent;
  }

  /** Sends nothing more, and resolves with the last answer. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#underWay);
  }

  #send(): void {
    const n = this.#sent++;
    const service = this.#parts.services[n % this.#parts.services.length]!;
    const visit = this.#visit(someKind(), { service, n }).finally(() =>
      this.#underWay.delete(visit)
    );
    this.#underWay.add(visit);
  }

  async #visit(
    kind: Kind,
    { service, n }: { readonly service: Soaked; readonly n: number },
  ): Promise<void> {
    const client = kind.client ??
      `2001:db8:${(n >> 16).toString(16)}:${(n & 0xffff).toString(16)}::1`;
    const ask: Visit["ask"] = (path, init) => request(service.url + path, { client, init });
    const { pages, documents } = this.#parts;
    const from = Date.now();
    const { status } = await kind.send({
      n,
      pages,
      documents,
      url: service.url,
      client,
      known: this.#known.get(service.store),
      ask,
      lead: (number, post) => this.#lead(number, { post, ask, service }),
    });
    const told = this.answers[kind.name] ??= {};
    told[status] = (told[status] ?? 0) + 1;
    const fault = faultOf(
      {
        kind: kind.name,
        service: service.name,
        status,
        time: { from, to: Date.now() },
        expected: kind.expected,
        posts: kind.posts,
      },
      service,
    );
    if (fault === undefined) return;
    const seen = this.faults.get(fault) ?? { times: 0, first: new Date() };
    this.faults.set(fault, seen);
    seen.times++;
  }

  async #lead(
    n: number,
    { post: { path, accepted, ...init }, ask, service: { store } }: {
      readonly post: Post;
      readonly ask: Visit["ask"];
      readonly service: Soaked;
    },
  ): Promise<Answered> {
    const began = performance.now();
    const answer = await ask(path, init);
    const status = answer.status === accepted ? 200 : answer.status;
    this.#parts.ledger.answers.push({
      company: companyOf(n),
      status,
      delivered: undefined,
      ms: Math.round(performance.now() - began),
      targeted: true,
    });
    if (answer.status === 200) this.#known.set(store, n);
    return answer;
  }
}

async function request(
  url: string,
  { client, init }: { readonly client: string; readonly init: RequestInit | undefined },
): Promise<Answered> {
  const late = AbortSignal.timeout(PATIENCE_MS);
  const signal = init?.signal ? AbortSignal.any([init.signal, late]) : late;
  try {
    const headers = { ...init?.headers, "x-forwarded-for": client };
    const response = await fetch(url, { ...init, headers, signal, redirect: "manual" });
    await response.bytes();
    return { status: response.status, headers: response.headers };
  } catch {
    return { status: 0, headers: new Headers() };
  }
}

const ALL_WEIGHTS = KINDS.reduce((sum, { weight }) => sum + weight, 0);

function someKind(): Kind {
  let chance = ALL_WEIGHTS * Math.random();
  return KINDS.find(({ weight }) => (chance -= weight) < 0) ?? KINDS[0]!;
}
