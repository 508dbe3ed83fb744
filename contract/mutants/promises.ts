/** @module Faults in limits and in what an answer to a lead promises. */

import {
  accepted,
  LEAD,
  type Mutant,
  type Reply,
  type Spoil,
  withError,
  withHeaders,
} from "./mutant.ts";

const onLead = (change: (reply: Reply) => Reply): Spoil => (reply, { path, method }) =>
  path === LEAD && method === "POST" ? change(reply) : reply;
const onRefusal = (change: (reply: Reply) => Reply): Spoil =>
  onLead((reply) => reply.status === 429 ? change(reply) : reply);

/** An allowance as it is set, with another count: `20/10m`. */
function counted(
  setting: string | undefined,
  change: (count: number) => number,
): string | undefined {
  const [count, window] = setting?.split("/") ?? [];
  return window === undefined ? undefined : `${change(Number(count))}/${window}`;
}

/** A setting that is one off, where the instance is limited at all, told as if it were not. */
function offByOne(variable: string, by: number): Pick<Mutant, "env" | "reply"> {
  const policy = variable === "LEAD_RATE_LIMIT" ? "lead" : "attempt";
  return {
    env: (given) => {
      const setting = counted(given[variable], (count) => count + by);
      return setting === undefined || setting.startsWith("900")
        ? given
        : { ...given, [variable]: setting };
    },
    reply: onLead((reply) => {
      const told = reply.headers["ratelimit-policy"];
      if (told === undefined || told.includes("q=900")) return reply;
      return withHeaders(reply, {
        "ratelimit-policy": told.replace(
          new RegExp(`"${policy}";q=(\\d+)`),
          (_all, count) => `"${policy}";q=${Number(count) - by}`,
        ),
      });
    }),
  };
}

const LIMITS: readonly Mutant[] = [
  {
    name: "limit-one-more",
    fault: "one lead more than the policy says is admitted",
    breaks: "limits",
    ...offByOne("LEAD_RATE_LIMIT", 1),
  },
  {
    name: "limit-one-less",
    fault: "one lead less than the policy says is admitted",
    breaks: "limits",
    ...offByOne("LEAD_RATE_LIMIT", -1),
  },
  {
    name: "attempts-one-more",
    fault: "one try more than the policy says is admitted",
    breaks: "limits",
    ...offByOne("LEAD_ATTEMPT_LIMIT", 1),
  },
  {
    name: "retry-after-0",
    fault: "Retry-After is 0",
    breaks: "limits",
    reply: onRefusal((reply) => withHeaders(reply, { "retry-after": "0" })),
  },
  {
    name: "retry-after-missing",
    fault: "a 429 lacks Retry-After",
    breaks: "limits",
    reply: onRefusal((reply) => withHeaders(reply, { "retry-after": undefined })),
  },
  {
    name: "retry-after-too-short",
    fault: "Retry-After is a second too short",
    breaks: "limits",
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
    reply: onRefusal((reply) =>
      withHeaders(reply, { "retry-after": "Sat, 21 Nov 2026 12:00:00 GMT" })
    ),
  },
  {
    name: "remaining-one-more",
    fault: "RateLimit says that one more is left than is",
    breaks: "limits",
    reply: onLead((reply) =>
      withHeaders(reply, {
        ratelimit: reply.headers["ratelimit"]?.replace(
          /r=(\d+)/,
          (_all, left) => `r=${Number(left) + 1}`,
        ),
      })
    ),
  },
  {
    name: "ratelimit-missing-400",
    fault: "RateLimit is missing on 400",
    breaks: "limits",
    reply: onLead((reply) =>
      reply.status === 400 ? withHeaders(reply, { ratelimit: undefined }) : reply
    ),
  },
  {
    name: "limit-503",
    fault: "a client over its limit gets 503",
    breaks: "limits",
    reply: onRefusal((reply) => ({ ...reply, status: 503 })),
  },
  {
    name: "limit-code",
    fault: "a 429 has another code",
    breaks: "limits",
    reply: onRefusal((reply) => withError(reply, (error) => ({ ...error, code: "too_many" }))),
  },
  {
    name: "limit-as-text",
    fault: "a 429 is plain text",
    breaks: "limits",
    reply: onRefusal((reply) =>
      withHeaders({ ...reply, body: "Too many requests" }, { "content-type": "text/plain" })
    ),
  },
  {
    name: "forwarded-for-believed",
    fault: "a forged X-Forwarded-For is another client",
    breaks: "limits",
    env: (given) => ({ TRUSTED_PROXY_HOPS: "1", ...given }),
  },
  {
    name: "refused-leads-count",
    fault: "a lead that is wrong counts as one that is right",
    breaks: "limits",
    also: (reply, { path, method }) =>
      path === LEAD && method === "POST" && reply.status === 400
        ? JSON.stringify({
          email: "also@example.invalid",
          company: crypto.randomUUID(),
          locale: "en",
        })
        : undefined,
  },
];

const PROMISES: readonly Mutant[] = [
  {
    name: "false-promise",
    fault: "a lead that is held nowhere is answered 200",
    breaks: "promise",
    reply: onLead((reply) => reply.status === 502 ? accepted(reply) : reply),
  },
  {
    name: "not-stored-500",
    fault: "a lead that is held nowhere is answered 500",
    breaks: "promise",
    reply: onLead((reply) => reply.status === 502 ? { ...reply, status: 500 } : reply),
  },
  {
    name: "not-stored-html",
    fault: "a 502 is an HTML page",
    breaks: "promise",
    reply: onLead((reply) =>
      reply.status === 502
        ? withHeaders({ ...reply, body: "<h1>Bad gateway</h1>" }, { "content-type": "text/html" })
        : reply
    ),
  },
  {
    name: "delivered-always",
    fault: "every lead is said to be delivered",
    breaks: "promise",
    reply: onLead((reply) =>
      reply.status === 200 ? { ...reply, body: '{"ok":true,"delivered":true}' } : reply
    ),
  },
  {
    name: "ok-false",
    fault: "an accepted lead is answered with ok: false",
    breaks: "promise",
    reply: onLead((reply) =>
      reply.status === 200
        ? { ...reply, body: reply.body.replace('"ok":true', '"ok":false') }
        : reply
    ),
  },
];

export const PROMISES_AND_LIMITS: readonly Mutant[] = [...LIMITS, ...PROMISES];
