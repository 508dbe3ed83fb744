/** @module Faults in limits: how many are admitted, what counts, and what the headers report. */

import {
  becomes,
  body,
  error,
  header,
  isLead,
  LEAD,
  type Mutant,
  mutantsOf,
  onLead,
  type Seeded,
  type Spoil,
  when,
  withHeaders,
  without,
} from "./mutant.ts";

const onRefusal = (...spoils: readonly Spoil[]): Spoil =>
  onLead(when(429, (reply, passing) => spoils.reduce((one, spoil) => spoil(one, passing), reply)));

/** Changes RateLimit in responses to leads. */
const rateLimit = (edit: (field: string) => string): Spoil => onLead(header("ratelimit", edit));

/** How the limits of an instance begin that no request reaches. */
const OUT_OF_REACH = "900";

/** A setting that is one off on limited instances, and headers that hide it. */
function offByOne(variable: string, by: number): Seeded {
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

/** Other numbers than the policy names, and other headers. */
export const LIMITS: readonly Mutant[] = [
  ...mutantsOf({ breaks: "limits" }, {
    "ratelimit-missing-400": [
      "RateLimit is missing on 400",
      onLead(when(400, without("ratelimit"))),
    ],
  }),
  ...mutantsOf({ breaks: "limits", by: "limits" }, {
    "limit-one-more": [
      "one lead more than the policy allows is admitted",
      offByOne("LEAD_RATE_LIMIT", 1),
      "limit_allowance",
    ],
    "limit-one-less": [
      "one lead less than the policy allows is admitted",
      offByOne("LEAD_RATE_LIMIT", -1),
      "limit_allowance",
    ],
    "attempts-one-more": [
      "one attempt more than the policy allows is admitted",
      offByOne("LEAD_ATTEMPT_LIMIT", 1),
      "limit_allowance",
    ],
    "retry-after-0": ["Retry-After is 0", onRefusal(header("retry-after", "0")), "retry_after"],
    "retry-after-missing": ["a 429 lacks Retry-After", onRefusal(without("retry-after"))],
    "retry-after-too-short": [
      "Retry-After is a second too short",
      onRefusal(header("retry-after", (seconds) => String(Math.max(1, Number(seconds) - 1)))),
      "limit_retry_after",
    ],
    "retry-after-date": [
      "Retry-After is a date",
      onRefusal(header("retry-after", "Sat, 21 Nov 2026 12:00:00 GMT")),
    ],
    "remaining-one-more": [
      "RateLimit reports one more than is left",
      rateLimit((field) => field.replace(/r=(\d+)/, (_all, left) => `r=${Number(left) + 1}`)),
      "limit_headers",
    ],
    "limit-503": ["a client over its limit gets 503", onRefusal(becomes(503))],
    "limit-code": ["a 429 has another code", onRefusal(error((one) => one.code = "too_many"))],
    "limit-as-text": [
      "a 429 is plain text",
      onRefusal(body(() => "Too many requests"), header("content-type", "text/plain")),
    ],
    "refused-leads-count": ["an invalid lead counts as a valid one", {
      also: (reply, passing) =>
        isLead(passing) && reply.status === 400
          ? JSON.stringify({
            email: "also@example.invalid",
            company: crypto.randomUUID(),
            locale: "en",
          })
          : undefined,
    }],
    "other-methods-count": ["a request with another method counts as an attempt", {
      also: (reply, { path }) => path === LEAD && reply.status === 405 ? "{}" : undefined,
    }],
    "all-is-limited": [
      "a client over the lead limit is refused everything else as well",
      (reply, { path, memory }) => {
        if (reply.status === 429) memory.set("refused", 1);
        return path === "/api/health" && memory.has("refused") ? { ...reply, status: 429 } : reply;
      },
      "limit_scope",
    ],
    "refusals-extend": [
      "every refusal makes the wait longer",
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
    "window-longer": ["the window is longer than the policy names", {
      env: (env) =>
        Object.fromEntries(
          Object.entries(env).map(([name, value]) => [name, value.replace(/\/4s$/, "/6s")]),
        ),
      reply: onLead(header("ratelimit-policy", (policy) => policy.replace(/w=6(?!\d)/g, "w=4"))),
    }, "limit_recovery"],
    "window-from-last": [
      "the wait is reported as a whole window",
      onLead((reply) => {
        const window = reply.headers["ratelimit-policy"]?.match(/w=(\d+)/)?.[1] ?? "1";
        return withHeaders(reply, {
          ratelimit: reply.headers["ratelimit"]?.replace(/t=[1-9]\d*/g, `t=${window}`),
        });
      }),
    ],
    "ratelimit-unquoted": [
      "RateLimit names its limits without quotes",
      rateLimit((field) => field.replaceAll('"', "")),
      "limit_fields",
    ],
    "refused-after-reading": [
      "a client over the attempt limit is refused only after its body has arrived",
      { patience: 4_000 },
      "limit_unread",
    ],
  }),
];
