/** @module Faults in limits: how many are admitted, what counts, and what is said of it. */

import {
  becomes,
  isLead,
  LEAD,
  type Mutant,
  onLead,
  type Spoil,
  when,
  withError,
  withHeaders,
  without,
} from "./mutant.ts";

const onRefusal = (spoil: Spoil): Spoil => onLead(when(429, spoil));

/** The answer to a lead with another RateLimit. */
const rateLimit = (change: (field: string) => string): Spoil =>
  onLead((reply) => {
    const { ratelimit } = reply.headers;
    return ratelimit === undefined ? reply : withHeaders(reply, { ratelimit: change(ratelimit) });
  });

/** How the limits of an instance begin that it is never to meet. */
const OUT_OF_REACH = "900";

/** A setting that is one off, where the instance is limited at all, told as if it were not. */
function offByOne(variable: string, by: number): Pick<Mutant, "env" | "reply"> {
  const policy = variable === "LEAD_RATE_LIMIT" ? "lead" : "attempt";
  return {
    env: (given) => {
      const setting = given[variable];
      if (setting === undefined || setting.startsWith(OUT_OF_REACH)) return given;
      const [count, window] = setting.split("/");
      return { ...given, [variable]: `${Number(count) + by}/${window}` };
    },
    reply: onLead((reply) => {
      const { ratelimit, "ratelimit-policy": policies } = reply.headers;
      if (policies?.includes(`"${policy}";q=${OUT_OF_REACH}`) !== false) return reply;
      const told = (field: string | undefined, key: string) =>
        field?.replace(
          new RegExp(`("${policy}";${key}=)(\\d+)`),
          (_all, start, count) => `${start}${Math.max(0, Number(count) - by)}`,
        );
      return withHeaders(reply, {
        "ratelimit-policy": told(policies, "q"),
        ratelimit: told(ratelimit, "r"),
      });
    }),
  };
}

/** Another number of requests than is told, or another word for it. */
export const LIMITS: readonly Mutant[] = [
  {
    name: "limit-one-more",
    fault: "one lead more than the policy says is admitted",
    breaks: "limits",
    by: "limits",
    check: "limit_allowance",
    ...offByOne("LEAD_RATE_LIMIT", 1),
  },
  {
    name: "limit-one-less",
    fault: "one lead less than the policy says is admitted",
    breaks: "limits",
    by: "limits",
    check: "limit_allowance",
    ...offByOne("LEAD_RATE_LIMIT", -1),
  },
  {
    name: "attempts-one-more",
    fault: "one try more than the policy says is admitted",
    breaks: "limits",
    by: "limits",
    check: "limit_allowance",
    ...offByOne("LEAD_ATTEMPT_LIMIT", 1),
  },
  {
    name: "retry-after-0",
    fault: "Retry-After is 0",
    breaks: "limits",
    by: "limits",
    check: "retry_after",
    reply: onRefusal((reply) => withHeaders(reply, { "retry-after": "0" })),
  },
  {
    name: "retry-after-missing",
    fault: "a 429 lacks Retry-After",
    breaks: "limits",
    by: "limits",
    reply: onRefusal(without("retry-after")),
  },
  {
    name: "retry-after-too-short",
    fault: "Retry-After is a second too short",
    breaks: "limits",
    by: "limits",
    check: "limit_retry_after",
    reply: onRefusal((reply) =>
      withHeaders(reply, {
        "retry-after": String(Math.max(1, Number(reply.headers["retry-after"]) - 1)),
      })
    ),
  },
  {
    name: "retry-after-date",
    fault: "Retry-After is a date",
    breaks: "limits",
    by: "limits",
    reply: onRefusal((reply) =>
      withHeaders(reply, { "retry-after": "Sat, 21 Nov 2026 12:00:00 GMT" })
    ),
  },
  {
    name: "remaining-one-more",
    fault: "RateLimit says that one more is left than is",
    breaks: "limits",
    by: "limits",
    check: "limit_headers",
    reply: rateLimit((field) => field.replace(/r=(\d+)/, (_all, left) => `r=${Number(left) + 1}`)),
  },
  {
    name: "ratelimit-missing-400",
    fault: "RateLimit is missing on 400",
    breaks: "limits",
    reply: onLead(when(400, without("ratelimit"))),
  },
  {
    name: "limit-503",
    fault: "a client over its limit gets 503",
    breaks: "limits",
    by: "limits",
    reply: onRefusal(becomes(503)),
  },
  {
    name: "limit-code",
    fault: "a 429 has another code",
    breaks: "limits",
    by: "limits",
    reply: onRefusal((reply) => withError(reply, (error) => ({ ...error, code: "too_many" }))),
  },
  {
    name: "limit-as-text",
    fault: "a 429 is plain text",
    breaks: "limits",
    by: "limits",
    reply: onRefusal((reply) =>
      withHeaders({ ...reply, body: "Too many requests" }, { "content-type": "text/plain" })
    ),
  },
  {
    name: "refused-leads-count",
    fault: "a lead that is wrong counts as one that is right",
    breaks: "limits",
    by: "limits",
    also: (reply, passing) =>
      isLead(passing) && reply.status === 400
        ? JSON.stringify({
          email: "also@example.invalid",
          company: crypto.randomUUID(),
          locale: "en",
        })
        : undefined,
  },
  {
    name: "other-methods-count",
    fault: "a request by another method counts as a try",
    breaks: "limits",
    by: "limits",
    also: (reply, { path }) => path === LEAD && reply.status === 405 ? "{}" : undefined,
  },
  {
    name: "all-is-limited",
    fault: "who may send no more leads may not ask for anything else either",
    breaks: "limits",
    by: "limits",
    check: "limit_scope",
    reply: (reply, { path, memory }) => {
      if (reply.status === 429) memory.set("refused", 1);
      return path === "/api/health" && memory.has("refused") ? { ...reply, status: 429 } : reply;
    },
  },
  {
    name: "refusals-extend",
    fault: "every refusal makes the wait longer",
    breaks: "limits",
    by: "limits",
    check: "limit_refusals",
    reply: when(429, (reply, { memory }) => {
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
  },
  {
    name: "window-longer",
    fault: "the window is longer than the policy says",
    breaks: "limits",
    by: "limits",
    check: "limit_recovery",
    env: (given) =>
      Object.fromEntries(
        Object.entries(given).map(([name, value]) => [name, value.replace(/\/4s$/, "/6s")]),
      ),
    reply: onLead((reply) =>
      withHeaders(reply, {
        "ratelimit-policy": reply.headers["ratelimit-policy"]?.replace(/w=6(?!\d)/g, "w=4"),
      })
    ),
  },
  {
    name: "window-from-last",
    fault: "the wait is told as a whole window",
    breaks: "limits",
    by: "limits",
    reply: onLead((reply) => {
      const windows = reply.headers["ratelimit-policy"]?.match(/w=(\d+)/)?.[1] ?? "1";
      return withHeaders(reply, {
        ratelimit: reply.headers["ratelimit"]?.replace(/t=[1-9]\d*/g, `t=${windows}`),
      });
    }),
  },
  {
    name: "ratelimit-unquoted",
    fault: "RateLimit names its limits without quotes",
    breaks: "limits",
    by: "limits",
    check: "limit_fields",
    reply: rateLimit((field) => field.replaceAll('"', "")),
  },
  {
    name: "refused-after-reading",
    fault: "who is out of tries is refused only when the body has come",
    breaks: "limits",
    by: "limits",
    check: "limit_unread",
    patience: 4_000,
  },
];
