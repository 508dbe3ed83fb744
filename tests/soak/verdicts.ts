/** @module What counts as a broken promise: pure, given what was seen. */

/** A span of time in epoch milliseconds; one that is not over ends at `Infinity`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** What a request posts: a valid lead, or something else in the place of one. */
export type Posts = "lead" | "other";

/** One request and its answer. */
export interface Outcome {
  readonly kind: string;
  readonly service: string;
  /** 0 where no whole answer came. */
  readonly status: number;
  readonly time: Span;
  /** The statuses that are right at any time. */
  readonly expected: readonly number[];
  readonly posts: Posts | undefined;
}

/** What is wrong with a service by intention, and since when. */
export interface Troubles {
  /** It is being restarted: connections are refused and break off. */
  readonly down: readonly Span[];
  /** It cannot reach KV. */
  readonly withoutKv: readonly Span[];
}

/**
 * What is wrong with an answer, in words that are the same for each of its kind; undefined where it is
 * as documented.
 *
 * No answer is right while the service is being restarted, and a 502 for whose body was still on its
 * way then. For a lead it is right as well while KV is out of reach, and at no other time.
 */
export function faultOf(outcome: Outcome, { down, withoutKv }: Troubles): string | undefined {
  const { kind, service, status, time, expected, posts } = outcome;
  if (expected.includes(status)) return undefined;
  const wasDown = meetsAny(time, down);
  if (status === 0 && wasDown) return undefined;
  if (status === 502 && posts !== undefined && wasDown) return undefined;
  if (status === 502 && posts === "lead" && meetsAny(time, withoutKv)) return undefined;
  return `${kind} at ${service}: ${status === 0 ? "no answer" : status}`;
}

function meetsAny(time: Span, spans: readonly Span[]): boolean {
  return spans.some(({ from, to }) => time.from <= to && from <= time.to);
}

/**
 * Leads that were taken under more ids than they were sent times: a repeated delivery has the
 * `webhook-id` of the first.
 */
export function idFaults(
  sent: readonly { readonly company: string }[],
  taken: readonly { readonly id: string; readonly company: string }[],
): string[] {
  const times = Map.groupBy(sent, ({ company }) => company);
  return [...Map.groupBy(taken, ({ company }) => company)]
    .map(([company, tries]) => [company, new Set(tries.map(({ id }) => id)).size] as const)
    .filter(([company, ids]) => ids > (times.get(company)?.length ?? 0))
    .map(([company, ids]) => `${company}: delivered under ${ids} ids`);
}

/** The median of each third of a series, in its order; NaN where a third is empty. */
export function thirds(series: readonly number[]): readonly [number, number, number] {
  const [one, two] = [1, 2].map((n) => Math.round(n * series.length / 3));
  return [median(series.slice(0, one)), median(series.slice(one, two)), median(series.slice(two))];
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = NaN, high = NaN] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
}

/** The last third may be so much more than the one before. */
export const FLAT = 1.15;

/** Whether a series has stopped growing: its first third is its time to warm up. */
export function isFlat(series: readonly number[]): boolean {
  const [, middle, last] = thirds(series);
  return last <= FLAT * middle;
}

/** Half of what Linux gives a process that does not ask for more. */
export const MOST_FILES = 512;

/** What a log line may not hold: an address, what somebody wrote, or word of a bug. */
const NOT_IN_A_LOG: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["a mail address", /@/],
  ["a company", /(?:Company|Visitor) \d/],
  ["a client's address", /\b(?:10(?:\.\d+){3}|2001:db8:)/],
  ["a failed request", /"request\.failed"/],
  ["an ambiguous commit never resolved", /"lead\.not_reconciled"/],
];

/** What is wrong with what a service has printed, without repeating it. */
export function logFaults(output: string): string[] {
  return NOT_IN_A_LOG.filter(([, pattern]) => pattern.test(output)).map(([what]) => what);
}
