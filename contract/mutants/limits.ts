/** @module Faults in limits: the number admitted, what counts, and what the headers report. */

import {
  becomes,
  body,
  error,
  header,
  isLead,
  LEAD,
  onLead,
  when,
  withHeaders,
  without,
} from "./changes.ts";
import type { Fault, MutantTable, Mutation } from "./mutant.ts";

const onRefusal = (...mutations: readonly Mutation[]): Mutation =>
  onLead(
    when(
      429,
      (reply, request) => mutations.reduce((one, mutation) => mutation(one, request), reply),
    ),
  );

/** Changes RateLimit in responses to leads. */
const rateLimit = (edit: (field: string) => string): Mutation => onLead(header("ratelimit", edit));

/** Prefix of limits that no request reaches. */
const OUT_OF_REACH = "900";

/** A limit that is off by one, with headers that hide it. */
function offByOne(variable: string, by: number): Fault {
  const policy = variable === "LEAD_RATE_LIMIT" ? "lead" : "attempt";
  return {
    env: (env) => {
      const setting = env[variable];
      if (setting === undefined || setting.startsWith(OUT_OF_REACH)) return env;
      const [count, window] = setting.split("/");
      return { ...env, [variable]: `${Number(count) + by}/${window}` };
    },
    reply: onLead((reply) => {
      const { ratelimit, "ratelimit-policy": policies } = reply.headers;
      if (policies?.includes(`"${policy}";q=${OUT_OF_REACH}`) !== false) return reply;
      const hidden = (field: string | undefined, key: string) =>
        field?.replace(
          new RegExp(`("${policy}";${key}=)(\\d+)`),
          (_all, start, count) => `${start}${Math.max(0, Number(count) - by)}`,
        );
      return withHeaders(reply, {
        "ratelimit-policy": hidden(policies, "q"),
        ratelimit: hidden(ratelimit, "r"),
      });
    }),
  };
}

/** Numbers that differ from the policy, and wrong headers. */
export const LIMITS: MutantTable = {
  "one lead more than the policy allows is admitted": [
    offByOne("LEAD_RATE_LIMIT", 1),
    "limit_allowance",
  ],
  "one lead less than the policy allows is admitted": [
    offByOne("LEAD_RATE_LIMIT", -1),
    "limit_allowance",
  ],
  "one attempt more than the policy allows is admitted": [
    offByOne("LEAD_ATTEMPT_LIMIT", 1),
    "limit_allowance",
  ],
  "Retry-After is 0": [onRefusal(header("retry-after", "0")), "retry_after_useful"],
  "Retry-After is a word": [onRefusal(header("retry-after", "soon")), "retry_after"],
  "a 429 lacks Retry-After": onRefusal(without("retry-after")),
  "Retry-After is a second too short": [
    onRefusal(header("retry-after", (seconds) => String(Math.max(1, Number(seconds) - 1)))),
    "limit_retry_after",
  ],
  "Retry-After is a date": onRefusal(header("retry-after", "Sat, 21 Nov 2026 12:00:00 GMT")),
  "RateLimit reports one more than is left": [
    rateLimit((field) => field.replace(/r=(\d+)/, (_all, left) => `r=${Number(left) + 1}`)),
    "limit_headers",
  ],
  "a client over its limit gets 503": onRefusal(becomes(503)),
  "a 429 has another code": onRefusal(error((one) => one.code = "too_many")),
  "a 429 is plain text": onRefusal(
    body(() => "Too many requests"),
    header("content-type", "text/plain"),
  ),
  "an invalid lead counts as a valid one": {
    also: (reply, request) =>
      isLead(request) && reply.status === 400
        ? JSON.stringify({
          email: "also@example.invalid",
          company: crypto.randomUUID(),
          locale: "en",
        })
        : undefined,
  },
  "a request with another method counts as an attempt": {
    also: (reply, { path }) => path === LEAD && reply.status === 405 ? "{}" : undefined,
  },
  "a client over the lead limit is refused everything else as well": [(reply, { path, memory }) => {
    if (reply.status === 429) memory.set("refused", 1);
    return path === "/api/health" && memory.has("refused") ? { ...reply, status: 429 } : reply;
  }, "limit_scope"],
  "every refusal makes the wait longer": [
    when(429, (reply, { memory }) => {
      const times = (memory.get("refused") ?? 0) + 1;
      memory.set("refused", times);
      const longer = (seconds: unknown) => String(Number(seconds) + times);
      return withHeaders(reply, {
        "retry-after": longer(reply.headers["retry-after"]),
        ratelimit: reply.headers["ratelimit"]?.replace(
          /r=0;t=(\d+)/g,
          (_all, seconds) => `r=0;t=${longer(seconds)}`,
        ),
      });
    }),
    "limit_refusals",
  ],
  "the window is longer than the policy names": [{
    env: (env) =>
      Object.fromEntries(
        Object.entries(env).map(([name, value]) => [name, value.replace(/\/4s$/, "/6s")]),
      ),
    reply: onLead(header("ratelimit-policy", (policy) => policy.replace(/w=6(?!\d)/g, "w=4"))),
  }, "limit_recovery"],
  "the wait is reported as a whole window": onLead((reply) => {
    const window = reply.headers["ratelimit-policy"]?.match(/w=(\d+)/)?.[1] ?? "1";
    return withHeaders(reply, {
      ratelimit: reply.headers["ratelimit"]?.replace(/t=[1-9]\d*/g, `t=${window}`),
    });
  }),
  "RateLimit names its limits without quotes": [
    rateLimit((field) => field.replaceAll('"', "")),
    "limit_fields",
  ],
  "a client over the attempt limit is refused only after its body has arrived": [{
    patience: 4_000,
  }, "limit_unread"],
};
