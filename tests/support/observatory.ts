/**
 * @module The score that the Mozilla HTTP Observatory would give an answer, by its published rules
 * (developer.mozilla.org/en-US/observatory/docs/tests_and_scoring): 100 points, less every penalty;
 * from 90 points on the bonuses are added.
 *
 * Judges headers and scripts. Not the redirection from http, which is the platform's, nor the
 * preload list of browsers: both count 0 here. A cookie counts as the worst: the service has none.
 */

import { elementsOf } from "./html.ts";

/** A policy's directives (CSP Level 3), names in lower case. */
export type Policy = ReadonlyMap<string, readonly string[]>;

/** The score and what it is made of; `modifiers` by the name of the test. */
export interface Verdict {
  readonly score: number;
  readonly grade: string;
  readonly modifiers: Readonly<Record<string, number>>;
}

interface Answer {
  readonly headers: Headers;
  readonly policy: Policy;
  /** Empty where the answer is no HTML. */
  readonly html: string;
  readonly origin: string;
}

const BROAD = [
  "*",
  "http:",
  "https:",
  "ftp:",
  "http://*",
  "https://*",
  "http://*.*",
  "https://*.*",
];
const INLINE = ["'unsafe-inline'", "data:"];
const SIX_MONTHS_S = 15_768_000;

const PRIVATE_REFERRER = [
  "no-referrer",
  "same-origin",
  "strict-origin",
  "strict-origin-when-cross-origin",
];

/** What each test adds or takes away. */
const RULES: Readonly<Record<string, (answer: Answer) => number>> = {
  "content-security-policy": contentSecurityPolicy,
  cookies: ({ headers }) => headers.has("set-cookie") ? -40 : 0,
  "cross-origin-resource-sharing": ({ headers }) =>
    headers.has("access-control-allow-credentials") ? -50 : 0,
  "referrer-policy": ({ headers }) => {
    const policy = headers.get("referrer-policy");
    return policy === null ? 0 : PRIVATE_REFERRER.includes(policy) ? 5 : -5;
  },
  "strict-transport-security": ({ headers }) => {
    const age = /^max-age=(\d+)(?:;|$)/.exec(headers.get("strict-transport-security") ?? "")?.[1];
    return age === undefined ? -20 : Number(age) < SIX_MONTHS_S ? -10 : 0;
  },
  "subresource-integrity": subresourceIntegrity,
  "x-content-type-options": ({ headers }) =>
    headers.get("x-content-type-options") === "nosniff" ? 0 : -5,
  "x-frame-options": ({ headers, policy }) => {
    const ancestors = policy.get("frame-ancestors") ?? ["*"];
    if (!ancestors.some((source) => BROAD.includes(source))) return 5;
    return /^(?:deny|sameorigin)$/i.test(headers.get("x-frame-options") ?? "") ? 0 : -20;
  },
  "cross-origin-resource-policy": ({ headers }) => {
    const policy = headers.get("cross-origin-resource-policy");
    if (policy === null || policy === "cross-origin") return 0;
    return /^same-(?:origin|site)$/.test(policy) ? 10 : -5;
  },
};

const GRADES: readonly (readonly [least: number, grade: string])[] = [
  [100, "A+"],
  [90, "A"],
  [85, "A-"],
  [80, "B+"],
  [70, "B"],
  [65, "B-"],
  [60, "C+"],
  [50, "C"],
  [45, "C-"],
  [40, "D+"],
  [30, "D"],
  [25, "D-"],
];

/** Judges an answer of the site at `origin`, an https URL; `html` where it is a document. */
export function judge(
  headers: Headers,
  { origin, html = "" }: { readonly origin: string; readonly html?: string },
): Verdict {
  const policy = policyOf(headers.get("content-security-policy") ?? "");
  const answer = { headers, policy, html, origin };
  const modifiers = Object.fromEntries(
    Object.entries(RULES).map(([name, rule]) => [name, rule(answer)]),
  );
  const sum = (sign: 1 | -1) =>
    Object.values(modifiers).filter((points) => points * sign > 0).reduce((a, b) => a + b, 0);
  const basis = 100 + sum(-1);
  const score = Math.max(0, basis >= 90 ? basis + sum(1) : basis);
  return { score, grade: GRADES.find(([least]) => score >= least)?.[1] ?? "F", modifiers };
}

/** Reads a policy; of a directive that comes twice only the first counts, as in browsers. */
export function policyOf(field: string): Policy {
  const policy = new Map<string, readonly string[]>();
  for (const directive of field.split(";")) {
    const [name = "", ...sources] = directive.trim().split(/\s+/);
    if (name !== "" && !policy.has(name.toLowerCase())) policy.set(name.toLowerCase(), sources);
  }
  return policy;
}

function contentSecurityPolicy({ policy }: Answer): number {
  if (policy.size === 0) return -25;
  const sources = (name: string) => policy.get(name) ?? policy.get("default-src") ?? ["*"];
  const has = (name: string, unsafe: readonly string[]) =>
    sources(name).some((source) => unsafe.includes(source));
  const insecure = (names: readonly string[]) =>
    names.some((name) => sources(name).some((source) => /^(?:http|ftp):/.test(source)));
  const passive = ["img-src", "media-src"];
  if (has("script-src", [...BROAD, ...INLINE]) || has("object-src", BROAD)) return -20;
  if (insecure([...policy.keys(), "script-src"].filter((name) => !passive.includes(name)))) {
    return -20;
  }
  if (has("script-src", ["'unsafe-eval'"]) || has("style-src", ["'unsafe-eval'"])) return -10;
  if (insecure(passive)) return -10;
  if (has("style-src", [...BROAD, ...INLINE])) return 0;
  return policy.get("default-src")?.join() === "'none'" ? 10 : 5;
}

function subresourceIntegrity({ html, origin }: Answer): number {
  const scripts = elementsOf(html).filter(({ name, attributes }) =>
    name === "script" && attributes["src"] !== undefined
  ).map(({ attributes: { src = "", integrity } }) => ({
    url: new URL(src, origin),
    relative: src.startsWith("//"),
    integrity,
  }));
  if (scripts.length === 0) return 0;
  const foreign = scripts.filter(({ url }) => url.origin !== origin);
  const checked = scripts.every(({ integrity }) => integrity !== undefined);
  if (foreign.some(({ url, relative }) => relative || url.protocol !== "https:")) {
    return checked ? -20 : -50;
  }
  return checked ? 5 : foreign.length > 0 ? -5 : 0;
}
