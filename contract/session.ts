/**
 * @module The session of a tier: sends requests, judges and counts every exchange, collects findings.
 */

import { differences, isComparable, sendToOther } from "./against.ts";
import {
  EndedError,
  givenHeaders,
  GoneError,
  REFUSED,
  send as sendOnce,
  type SendOptions,
  UnreachableError,
  waitOf,
} from "./client.ts";
import type { Answer, Call, Exchange, Purpose } from "./exchange.ts";
import { collectorOf, type Finding, keyOf } from "./finding.ts";
import type { Matrix } from "./matrix.ts";
import type { Contract } from "./oracle/check.ts";
import { judge, placeOf } from "./oracle/oracle.ts";
import { createKnown, type Known } from "./request/known.ts";
import type { Permits } from "./permits.ts";
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
  /** The folder that counterexamples are stored in; undefined: none are stored. */
  readonly corpus: URL | undefined;
  /** The folder of counterexamples that are sent first. */
  readonly replayed?: URL | undefined;
  /** The service is in production: send few requests and obey its limits. */
  readonly live: boolean;
  /** Starts instances; undefined if the harness did not start the service. */
  readonly launcher: Launcher | undefined;
}

export interface Session extends Setting {
  readonly tier: string;
  /** What the service has shown. */
  readonly known: Known;
  /** The names of the headers that the operator gives; a purpose can leave them out. */
  readonly headers: readonly string[];
  /** Why a call is not sent to this service; undefined if it is permitted. */
  readonly permits: Permits;
  /** Whether the time of the run is over: what is left is to be named in a note. */
  isOver(): boolean;
  /** Sends a request; judges and counts the exchange. Without an answer, a finding, its status is 0. */
  send(call: Call, purpose: Purpose): Promise<Exchange>;
  /**
   * Like `send`, but returns the findings, for shrinking.
   * @throws {UnreachableError} if there is no answer
   */
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
  readonly permits?: Permits;
  /** How requests are sent: the operator's headers, the longest wait for an answer. */
  readonly sending?: SendOptions;
  /** When the time of the run is over, by `performance.now()`. */
  readonly until?: number | undefined;
  note?(tier: string, text: string): void;
  progress(tier: string, done: number, total: number): void;
}

/** How often a request over a limit, or to a service that refuses connections, is sent in all. */
const MAX_TRIES = 3;

/** Between two tries to connect. */
const PAUSE_MS = 200;

/** A tier ends after so many requests without an answer in time. */
const MOST_SILENT = 4;

/** How long after its time a tier is ended that has not asked. */
export const GRACE_MS = 10_000;

const NO_ANSWER = { status: 0, headers: new Headers(), body: new Uint8Array(), text: "", ms: 0 };

/** Whether a service that the harness did not start refused a request over its limit. */
function metLimit(
  { launcher, contract }: Pick<Setting, "launcher" | "contract">,
  exchange: Exchange | undefined,
): boolean {
  return launcher === undefined && exchange?.answer.status === 429 &&
    placeOf(exchange, contract) === contract.profile.limits?.operation;
}

export function createSession(parts: SessionParts): Session {
  const { contract, matrix, live } = parts;
  const keep = collectorOf(parts.findings);
  const start = Date.now() % 1_000_000_000;
  let used = 0;
  const shown = createKnown(contract.document);

  const given = parts.sending?.headers ?? [];
  const known = new Set<string>();
  const silent = new Map<string, number>();

  function sessionFor(base: string, tier: string): Session {
    const isOther = base !== parts.base;
    function counted(): void {
      parts.exchanges.set(tier, (parts.exchanges.get(tier) ?? 0) + 1);
    }
    function judged(exchange: Exchange): Finding[] {
      counted();
      matrix.count(exchange);
      shown.learn(exchange);
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
    function optionsFor(purpose: Purpose): SendOptions {
      return { ...parts.sending, headers: purpose.anonymous === true ? [] : given };
    }
    /** The answer; a service that refuses every connection is gone. */
    async function answerTo(call: Call, purpose: Purpose): Promise<Answer> {
      if (silent.get(tier) === MOST_SILENT) {
        throw new EndedError("not finished: too many requests got no answer in time");
      }
      for (let tries = 1;; tries++) {
        try {
          return await sendOnce(base, call, optionsFor(purpose));
        } catch (error) {
          if (!(error instanceof UnreachableError) || isOther) throw error;
          if (error.isTimeout) silent.set(tier, (silent.get(tier) ?? 0) + 1);
          if (error.reason !== REFUSED) throw error;
          if (tries === MAX_TRIES) throw new GoneError(error.message, call, error.reason);
          await pause(PAUSE_MS);
        }
      }
    }
    /** Marks new findings of one exchange that the same request, sent again, does not show. */
    async function confirmed(exchange: Exchange, found: readonly Finding[]): Promise<Finding[]> {
      const fresh = found.filter((finding) => !known.has(keyOf(finding)));
      for (const finding of fresh) known.add(keyOf(finding));
      if (fresh.length === 0 || isOther || exchange.answer.status === 429) return [...found];
      counted();
      const answer = await answerTo(exchange.call, exchange).catch(() => undefined);
      if (answer === undefined || isStale(exchange, answer)) return [...found];
      const again = judge({ ...exchange, answer }, contract).map(keyOf);
      return found.map((one) =>
        fresh.includes(one) && !again.includes(keyOf(one)) ? { ...one, once: true } : one
      );
    }
    async function probe(call: Call, purpose: Purpose) {
      const refusal = parts.permits?.(call, purpose.named);
      if (refusal !== undefined) {
        throw new Error(`${call.method} ${call.path} must not be sent: ${refusal}`);
      }
      if (performance.now() > (parts.until ?? Infinity) + GRACE_MS) {
        throw new EndedError("not finished: the time was over");
      }
      const found: Finding[] = [];
      const against = !isOther && isComparable(call) ? parts.against : undefined;
      for (let tries = 1;; tries++) {
        const [answer, other] = await Promise.all([
          answerTo(call, purpose),
          against === undefined ? undefined : sendToOther(against, call, optionsFor(purpose)),
        ]);
        const exchange = exchangeOf(call, answer, purpose);
        const own = judged(exchange);
        found.push(...await confirmed(exchange, own));
        // In production, wait for the limits of both services.
        const answers = other === undefined ? [answer] : [answer, other];
        const wait = live ? Math.max(...answers.map(({ headers }) => waitOf(headers))) : 0;
        if (wait > 0) await pause(wait * 1_000);
        const isLimited = wait > 0 && answers.some(({ status }) => status === 429);
        if (isLimited && tries < MAX_TRIES) continue;
        if (against !== undefined) found.push(...compared(exchange, other));
        return { exchange, found };
      }
    }
    function exchangeOf(call: Call, answer: Answer, purpose: Purpose): Exchange {
      const names = givenHeaders(call, optionsFor(purpose).headers ?? []).map(([name]) => name);
      return {
        base,
        call,
        answer,
        tier,
        ...purpose,
        ...(names.length > 0 ? { given: names } : {}),
      };
    }
    /** A request without an answer is a finding, and ends the tier only if there are many. */
    async function withoutAnswer(error: UnreachableError, purpose: Purpose): Promise<Exchange> {
      const exchange = exchangeOf(error.call, NO_ANSWER, purpose);
      const where = placeOf(exchange, contract);
      counted();
      const isNew = !known.has(where);
      known.add(where);
      const once = isNew && await answerTo(error.call, purpose).then(() => true, () => false);
      const message = `a request got no answer: ${error.reason}`;
      keep({ check: "answers", tier, where, message, exchange, once });
      return exchange;
    }
    return {
      ...parts,
      base,
      tier,
      known: shown,
      headers: given.map(([name]) => name),
      permits: (call, named) => parts.permits?.(call, named),
      isOver: () => performance.now() > (parts.until ?? Infinity),
      async send(call, purpose) {
        try {
          const { exchange, found } = await probe(call, purpose);
          found.forEach(keep);
          return exchange;
        } catch (error) {
          const isLast = error instanceof GoneError || isOther;
          if (!(error instanceof UnreachableError) || isLast) throw error;
          return await withoutAnswer(error, purpose);
        }
      },
      probe,
      record(part) {
        const exchange = { ...part, base, tier };
        judged(exchange).forEach(keep);
        return exchange;
      },
      report(finding) {
        const { exchange } = finding;
        if (exchange?.answer === NO_ANSWER) return;
        const where = finding.where ??
          (exchange === undefined ? "the service" : placeOf(exchange, contract));
        keep(asLimitFinding({ ...finding, tier, where }));
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

/** Whether a second answer differs because the first request has changed what is there. */
function isStale({ call, answer: first }: Exchange, second: Answer): boolean {
  const isRefused = second.status >= 400 && second.status < 500;
  return !/^(?:GET|HEAD|OPTIONS)$/.test(call.method) && isRefused && second.status !== first.status;
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
