/**
 * @module The session of a tier: sends requests, judges and counts every exchange, collects findings.
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
  /** What it tests, in one line. */
  readonly tries: string;
  /** Whether it may run against a service in production. */
  readonly live: boolean;
  /** Whether it starts its own instances and can run beside the other tiers. */
  readonly startsInstances?: boolean;
  /** Why it cannot run in this session; undefined if it can. */
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
  /** Undefined: `--generic`, the document alone. */
  readonly cases: URL | undefined;
  /** The folder of counterexamples; undefined: none are stored or replayed. */
  readonly corpus: URL | undefined;
  /** The service is in production: send few requests and obey its limits. */
  readonly live: boolean;
  /** Starts instances; undefined if the harness did not start the service. */
  readonly launcher: Launcher | undefined;
}

export interface Session extends Setting {
  readonly tier: string;
  /** Why a call is not sent to this service; undefined if it is permitted. */
  permits(call: Pick<Call, "method" | "path">): string | undefined;
  /** Sends a request; judges and counts the exchange. */
  send(call: Call, purpose: Purpose): Promise<Exchange>;
  /** Like `send`, but returns the findings, for shrinking. */
  probe(call: Call, purpose: Purpose): Promise<{ exchange: Exchange; found: readonly Finding[] }>;
  /** Judges and counts an exchange that was not sent by `send`. */
  record(exchange: Omit<Exchange, "tier" | "base">): Exchange;
  /** Adds a finding; an exchange over a limit is only reported as `limit_met`. */
  report(finding: Omit<Finding, "where" | "tier"> & { readonly where?: string }): void;
  /** Adds a note to the report: a figure, or what was skipped. */
  note(text: string): void;
  progress(done: number, total: number): void;
  /** A number that is unique in this run. */
  unique(): number;
  /** The session for another instance. */
  at(base: string): Session;
  /** The session for another tier. */
  of(tier: string): Session;
}

export interface SessionParts extends Setting {
  readonly tier: string;
  readonly matrix: Matrix;
  readonly findings: Finding[];
  /** The number of exchanges of each tier. */
  readonly exchanges: Map<string, number>;
  /** A second service, which should answer every request alike. */
  readonly against?: string | undefined;
  permits?(call: Pick<Call, "method" | "path">): string | undefined;
  note?(tier: string, text: string): void;
  progress(tier: string, done: number, total: number): void;
}

/** The longest wait that is obeyed. */
const LONGEST_WAIT_S = 900;

/** How often a request over a limit is sent in all. */
const MAX_TRIES = 3;

/** Seconds to wait by Retry-After and RateLimit; 0 if that is too long. */
function waitOf(headers: Headers): number {
  const limits = headers.get("ratelimit") ?? "";
  const waits = [...limits.matchAll(/;r=0;t=(\d+)/g)].map(([, seconds]) => Number(seconds));
  const wait = Math.max(0, Number(headers.get("retry-after") ?? 0), ...waits);
  return wait <= LONGEST_WAIT_S ? wait : 0;
}

/** Whether a service that the harness did not start refused a request over its limit. */
function metLimit(
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

  function sessionFor(base: string, tier: string): Session {
    function judged(exchange: Exchange): Finding[] {
      parts.exchanges.set(exchange.tier, (parts.exchanges.get(exchange.tier) ?? 0) + 1);
      matrix.count(exchange);
      return judge(exchange, contract);
    }
    /** Refusals over a limit become one finding: the run could not judge them, so it fails. */
    function asLimitFinding(finding: Finding): Finding {
      if (!metLimit(parts, finding.exchange)) return finding;
      const message = "met the service's limit, so nothing else could be judged";
      return { ...finding, check: "limit_met", message };
    }
    function compared(exchange: Exchange, other: Answer | undefined): Finding[] {
      const where = placeOf(exchange, contract);
      return differences(exchange.answer, other)
        .map((message) =>
          asLimitFinding({ check: "differential", tier, where, message, exchange })
        );
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
        // In production, wait for the limits of both services.
        const answers = other === undefined ? [answer] : [answer, other];
        const wait = live ? Math.max(...answers.map(({ headers }) => waitOf(headers))) : 0;
        if (wait > 0) await new Promise((done) => setTimeout(done, wait * 1_000));
        const isLimited = wait > 0 && answers.some(({ status }) => status === 429);
        if (isLimited && tries < MAX_TRIES) continue;
        if (against !== undefined) found.push(...compared(exchange, other));
        return { exchange, found };
      }
    }
    return {
      ...parts,
      base,
      tier,
      permits: (call) => parts.permits?.(call),
      async send(call, purpose) {
        const { exchange, found } = await probe(call, purpose);
        findings.push(...found);
        return exchange;
      },
      probe,
      record(part) {
        const exchange = { ...part, base, tier };
        findings.push(...judged(exchange));
        return exchange;
      },
      report(finding) {
        const { exchange } = finding;
        const where = finding.where ??
          (exchange === undefined ? "the service" : placeOf(exchange, contract));
        findings.push(asLimitFinding({ ...finding, tier, where }));
      },
      note: (text) => parts.note?.(tier, text),
      progress: (done, total) => parts.progress(tier, done, total),
      unique: () => start * 1_000 + used++,
      at: (other) => sessionFor(other, tier),
      of: (other) => sessionFor(base, other),
    };
  }
  return sessionFor(parts.base, parts.tier);
}
