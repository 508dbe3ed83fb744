/** @module The session of a tier: a request is permitted, sent, judged, confirmed and counted. */

import {
  createSender,
  EndedError,
  givenHeaders,
  GoneError,
  send,
  type SendOptions,
  SilentError,
  UnreachableError,
} from "./client.ts";
import type { Answer, Call, Exchange, Purpose } from "../lib/exchange.ts";
import { collectorOf, type Finding, keyOf } from "../oracle/finding.ts";
import type { Coverage } from "./coverage.ts";
import type { Contract } from "../oracle/check.ts";
import { judge, placeOf } from "../oracle/oracle.ts";
import { createResourcePool, type ResourcePool } from "../request/resource_pool.ts";
import { Pace, TooLongWait } from "./pace.ts";
import type { Permits } from "./permits.ts";
import type { Launcher } from "../lib/programs.ts";
import { declareRules, type RuleName } from "../lib/rules.ts";

export const SESSION_RULES = declareRules({
  answers: "breach: every request gets an answer",
  limit_met: "breach: the run does not meet the limits of the service",
});

export interface Tier {
  readonly name: string;
  readonly tries: string;
  /** Whether it may run against a service in production. */
  readonly live: boolean;
  /** The part of the time that is left which it may use, if less than all. */
  readonly share?: number;
  /** Whether it starts its own instances and can run beside the other tiers. */
  readonly startsInstances?: boolean;
  /** Why it cannot run in this session; undefined if it can. */
  unable?(session: Session): string | undefined;
  run(session: Session): Promise<void>;
}

export interface Setting {
  readonly seed: number;
  readonly examples: number;
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

/** Where a finding is, by default the operation of its exchange, and what shows it. */
export type Seen = Partial<Pick<Finding, "where" | "exchange" | "replay" | "once">>;

export interface Session extends Setting {
  readonly tier: string;
  readonly pool: ResourcePool;
  /** The names of the headers that the operator gives; a purpose can leave them out. */
  readonly headers: readonly string[];
  /** Those headers with other values of the same form. */
  readonly wrongHeaders: NonNullable<SendOptions["headers"]>;
  readonly permits: Permits;
  /** Whether the time of the run is over: what is left is to be named in a note. */
  isOver(): boolean;
  /** Sends a request; judges and counts the exchange. Without an answer, a finding, its status is 0. */
  send(call: Call, purpose: Purpose): Promise<Exchange>;
  /** Returns the findings, for shrinking. @throws {UnreachableError} with the exchange, without an answer */
  probe(call: Call, purpose: Purpose): Promise<{ exchange: Exchange; found: readonly Finding[] }>;
  /** Judges and counts an exchange that was not sent by `send`. */
  record(exchange: Omit<Exchange, "tier" | "base">): Exchange;
  /** Adds a finding; an exchange over a limit is only reported as `limit_met`. */
  report(check: RuleName, message: string, seen?: Seen): void;
  note(text: string): void;
  progress(done: number, total: number): void;
  unique(): number;
  /** The session for another instance. */
  at(base: string): Session;
  /** The session for another tier, with a part of the time that is left. */
  of(tier: string, share?: number): Session;
}

export interface SessionParts extends Setting {
  readonly tier: string;
  readonly coverage: Coverage;
  readonly findings: Finding[];
  readonly exchanges: Map<string, number>;
  readonly permits?: Permits;
  /** How requests are sent: the operator's headers, the longest wait for an answer. */
  readonly sending?: SendOptions;
  /** When the time of the run is over, by `performance.now()`. */
  readonly until?: number | undefined;
  note?(tier: string, text: string): void;
  progress(tier: string, done: number, total: number): void;
}

const MAX_TRIES = 3;

const MOST_CONFIRMED = 20;

/** How long after its time a tier is ended that has not asked. */
export const GRACE_MS = 10_000;

const NO_ANSWER = { status: 0, headers: new Headers(), body: new Uint8Array(), text: "", ms: 0 };

export function createSession(parts: SessionParts): Session {
  const { contract, live } = parts;
  const paced = live ? { pace: new Pace({ until: parts.until }) } : {};
  const sending = { ...paced, ...parts.sending };
  const keep = collectorOf(parts.findings);
  const given = sending.headers ?? [];
  const pool = createResourcePool(contract.document);
  const repeated = new Set<string>();
  const shown = new Map<string, number>();
  const start = Date.now() % 1_000_000_000;
  let used = 0;

  function sessionFor(base: string, tier: string, until = parts.until ?? Infinity): Session {
    const isOther = base !== parts.base;
    const sendTo = createSender(base, sending);

    function exchangeOf(call: Call, answer: Answer, purpose: Purpose): Exchange {
      const names = givenHeaders(call, headersOf(purpose)).map(([name]) => name);
      const given = names.length > 0 ? { given: names } : {};
      return { base, call, answer, tier, ...purpose, ...given };
    }
    function answerTo(call: Call, purpose: Purpose): Promise<Answer> {
      const kind = [placeOf({ call }, contract), purpose.title] as const;
      const headers = headersOf(purpose);
      return isOther ? send(base, call, { ...sending, headers }) : sendTo(call, kind, headers);
    }
    function headersOf({ anonymous }: Purpose): typeof given {
      return anonymous === true ? [] : given;
    }
    function counted(exchange: Exchange): Exchange {
      parts.exchanges.set(tier, (parts.exchanges.get(tier) ?? 0) + 1);
      return exchange;
    }
    function judged(exchange: Exchange): Finding[] {
      parts.coverage.count(counted(exchange));
      pool.learn(exchange);
      return judge(exchange, contract);
    }
    /** Refusals over a limit become one finding: the run could not judge them, so it fails. */
    function asFinding(
      { exchange, ...finding }: Seen & Pick<Finding, "check" | "message">,
    ): Finding {
      const place = exchange === undefined ? "the service" : placeOf(exchange, contract);
      const isLimited = parts.launcher === undefined && exchange?.answer.status === 429 &&
        place === contract.profile.limits?.operation;
      const message = "met the service's limit, so nothing else could be judged";
      return {
        ...{ where: place, ...finding, tier, exchange },
        ...(isLimited ? { check: SESSION_RULES.limit_met, message } : {}),
      };
    }
    /** Marks new findings of one exchange that the same request, sent again, does not show. */
    async function confirmed(exchange: Exchange, found: readonly Finding[]): Promise<Finding[]> {
      const fresh = found.map(keyOf).filter((key) => !repeated.has(key));
      for (const key of fresh) repeated.add(key);
      // What many operations have shown twice needs no second look at the next.
      const isKnown = found.every(({ check, message }) => {
        const times = (shown.get(check + message) ?? 0) + 1;
        shown.set(check + message, times);
        return times > MOST_CONFIRMED;
      });
      const isLimited = exchange.answer.status === 429;
      if (fresh.length === 0 || isOther || isKnown || isLimited) return [...found];
      const answer = await answerTo(counted(exchange).call, exchange).catch(() => undefined);
      if (answer === undefined || isStale(exchange, answer)) return [...found];
      const again = judge({ ...exchange, answer }, contract).map(keyOf);
      const isOnce = (key: string) => fresh.includes(key) && !again.includes(key);
      return found.map((one) => isOnce(keyOf(one)) ? { ...one, once: true } : one);
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
      for (let tries = 1;; tries++) {
        const answer = await answerTo(call, purpose).catch((error) => {
          const exchange = exchangeOf(call, NO_ANSWER, purpose);
          if (error instanceof UnreachableError) error.exchange = exchange;
          if (error instanceof TooLongWait) found.forEach(keep);
          throw error;
        });
        const isOld = answer.status === 401 && purpose.anonymous !== true && tries === 1;
        if (isOld && await sending.renew?.()) continue;
        const exchange = exchangeOf(call, answer, purpose);
        found.push(...await confirmed(exchange, judged(exchange)));
        const isAgain = answer.status === 429 && sending.pace?.isPaused === true;
        if (!isAgain || tries === MAX_TRIES) return { exchange, found };
      }
    }
    /** A request without an answer is a finding, once for all that were not sent for it. */
    async function withoutAnswer(error: UnreachableError, purpose: Purpose): Promise<Exchange> {
      const exchange = error.exchange!;
      if (error instanceof SilentError) return exchange;
      const message = `a request got no answer: ${error.reason}`;
      counted(exchange);
      const finding = asFinding({ check: SESSION_RULES.answers, message, exchange });
      const isNew = !repeated.has(finding.where);
      repeated.add(finding.where);
      const once = isNew && await answerTo(error.call, purpose).then(() => true, () => false);
      keep({ ...finding, once });
      return exchange;
    }
    return {
      ...parts,
      base,
      tier,
      pool,
      headers: given.map(([name]) => name),
      wrongHeaders: given.map(([name, value]) => [name, wrongOf(value)] as const),
      permits: (call, named) => parts.permits?.(call, named),
      isOver: () => performance.now() > until,
      async send(call, purpose) {
        try {
          const { exchange, found } = await probe(call, purpose);
          for (const one of found) {
            keep(one);
            if (one.once !== true) pool.causes.add(keyOf(one));
          }
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
      report(check, message, seen = {}) {
        const isAnswer = seen.exchange?.answer !== NO_ANSWER;
        if (isAnswer || check === SESSION_RULES.answers) {
          keep(asFinding({ check, message, ...seen }));
        }
      },
      note: (text) => parts.note?.(tier, text),
      progress: (done, total) => parts.progress(tier, done, total),
      unique: () => start * 1_000 + used++,
      at: (other) => sessionFor(other, tier, until),
      of: (other, share = 1) =>
        sessionFor(base, other, share * until + (1 - share) * performance.now()),
    };
  }
  return sessionFor(parts.base, parts.tier);
}

/** A value of the same form that tells nothing of it but its length. */
function wrongOf(value: string): string {
  const [, scheme = "", token = ""] = /^([A-Za-z]+ +)?(.*)$/.exec(value) ?? [];
  return scheme + token.replace(/\d/g, "8").replace(/[a-z]/gi, "z");
}

/** Whether a second answer differs because the first request has changed what is there. */
function isStale({ call, answer: first }: Exchange, second: Answer): boolean {
  const isRefused = second.status >= 400 && second.status < 500;
  return !/^(?:GET|HEAD|OPTIONS)$/.test(call.method) && isRefused && second.status !== first.status;
}
