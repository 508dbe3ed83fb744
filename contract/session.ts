/**
 * @module What a tier works with: sends requests, judges and counts every exchange, collects
 * findings.
 */

import { differences, isComparable, sendToOther } from "./against.ts";
import { send as sendOnce } from "./client.ts";
import type { Answer, Call, Exchange, Purpose } from "./exchange.ts";
import type { Finding } from "./finding.ts";
import type { Matrix } from "./matrix.ts";
import type { Contract } from "./oracle/check.ts";
import { judge, placeOf } from "./oracle/oracle.ts";
import type { Launcher } from "./service.ts";

export interface Tier {
  readonly name: string;
  /** One sentence: what it tries. */
  readonly tries: string;
  /** Whether it may be run against a service in production. */
  readonly live: boolean;
  /** Whether it starts instances of its own, and therefore runs beside the other tiers. */
  readonly startsInstances?: boolean;
  /** Why it cannot run in this session, or undefined where it can. */
  unable?(session: Session): string | undefined;
  run(session: Session): Promise<void>;
}

export interface Effort {
  readonly seed: number;
  readonly examples: number;
}

export interface Setting extends Effort {
  /** An origin without trailing slash. */
  readonly base: string;
  readonly contract: Contract;
  readonly cases: URL;
  /** Where counterexamples are kept and replayed from; undefined: nowhere. */
  readonly corpus: URL | undefined;
  /** The service is in production: few requests, and its limits are obeyed. */
  readonly live: boolean;
  /** Starts instances of the service; undefined where the harness has not started it. */
  readonly launcher: Launcher | undefined;
}

export interface Session extends Setting {
  readonly tier: string;
  /** Sends a request, judges and counts the answer. */
  send(call: Call, purpose: Purpose): Promise<Exchange>;
  /** Like `send`, but returns the findings, for shrinking. */
  probe(call: Call, purpose: Purpose): Promise<{ exchange: Exchange; found: readonly Finding[] }>;
  /** Judges and counts an exchange that was not sent by `send`. */
  take(exchange: Omit<Exchange, "tier" | "base">): Exchange;
  /** Adds a finding; an exchange that met a limit is reported as that alone. */
  report(finding: Omit<Finding, "where" | "tier"> & { readonly where?: string }): void;
  /** Adds a figure, or what was left out, to the report. */
  note(text: string): void;
  progress(done: number, total: number): void;
  /** A number that no other request of this run has. */
  unique(): number;
  /** The same run on another instance. */
  at(base: string): Session;
  /** The same run for another tier. */
  of(tier: string): Session;
}

export interface SessionParts extends Setting {
  readonly tier: string;
  readonly matrix: Matrix;
  readonly findings: Finding[];
  /** How many exchanges each tier has had. */
  readonly exchanges: Map<string, number>;
  /** A second service, which should answer every request in the same way. */
  readonly against?: string | undefined;
  note?(tier: string, text: string): void;
  progress(tier: string, done: number, total: number): void;
}

/** The longest wait that is obeyed. */
const LONGEST_WAIT_S = 900;

/** How often a refused request is sent. */
const MOST_TRIES = 3;

/** How many seconds to wait for a limit, by Retry-After and RateLimit; 0 if that is too long. */
function waitOf(headers: Headers): number {
  const limits = headers.get("ratelimit") ?? "";
  const waits = [...limits.matchAll(/;r=0;t=(\d+)/g)].map(([, seconds]) => Number(seconds));
  const wait = Math.max(0, Number(headers.get("retry-after") ?? 0), ...waits);
  return wait <= LONGEST_WAIT_S ? wait : 0;
}

/** Whether a foreign service has refused a request by its limit, which proves nothing else. */
export function metLimit(
  { launcher, contract }: Pick<Setting, "launcher" | "contract">,
  exchange: Exchange | undefined,
): boolean {
  return launcher === undefined && exchange?.answer.status === 429 &&
    placeOf(exchange, contract) === contract.profile.limits?.operation;
}

export function createSession(parts: SessionParts): Session {
  const { contract, matrix, findings, live } = parts;
  const start = Date.now() % 1_000_000_000;
  let used = 0;

  function on(base: string, tier: string): Session {
    function judged(exchange: Exchange): Finding[] {
      parts.exchanges.set(exchange.tier, (parts.exchanges.get(exchange.tier) ?? 0) + 1);
      matrix.count(exchange);
      return judge(exchange, contract);
    }
    /** Everything that met the limit is one finding: a run that could not judge fails. */
    function orLimit(finding: Finding): Finding {
      if (!metLimit(parts, finding.exchange)) return finding;
      const message = "met the service's limit, so that nothing else could be judged";
      return { ...finding, check: "limit_met", message };
    }
    function compared(exchange: Exchange, other: Answer | undefined): Finding[] {
      const where = placeOf(exchange, contract);
      return differences(exchange.answer, other)
        .map((message) => orLimit({ check: "differential", tier, where, message, exchange }));
    }
    async function probe(call: Call, purpose: Purpose) {
      const found: Finding[] = [];
      const against = base === parts.base && isComparable(call) ? parts.against : undefined;
      for (let tries = 1;; tries++) {
        const [answer, other] = await Promise.all([
          sendOnce(base, call),
          against === undefined ? undefined : sendToOther(against, call),
        ]);
        const exchange = { base, call, answer, tier, ...purpose };
        found.push(...judged(exchange));
        // In production a limit is waited for, that of the second service as well.
        const answers = other === undefined ? [answer] : [answer, other];
        const wait = live ? Math.max(...answers.map(({ headers }) => waitOf(headers))) : 0;
        if (wait > 0) await new Promise((done) => setTimeout(done, wait * 1_000));
        const isLimited = wait > 0 && answers.some(({ status }) => status === 429);
        if (isLimited && tries < MOST_TRIES) continue;
        if (against !== undefined) found.push(...compared(exchange, other));
        return { exchange, found };
      }
    }
    return {
      ...parts,
      base,
      tier,
      async send(call, purpose) {
        const { exchange, found } = await probe(call, purpose);
        findings.push(...found);
        return exchange;
      },
      probe,
      take(part) {
        const exchange = { ...part, base, tier };
        findings.push(...judged(exchange));
        return exchange;
      },
      report(finding) {
        const { exchange } = finding;
        const where = finding.where ??
          (exchange === undefined ? "the service" : placeOf(exchange, contract));
        findings.push(orLimit({ ...finding, tier, where }));
      },
      note: (text) => parts.note?.(tier, text),
      progress: (done, total) => parts.progress(tier, done, total),
      unique: () => start * 1_000 + used++,
      at: (other) => on(other, tier),
      of: (other) => on(base, other),
    };
  }
  return on(parts.base, parts.tier);
}
