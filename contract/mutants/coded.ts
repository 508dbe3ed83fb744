/** @module Mutants that need more than a row: a computation, or the state of an earlier answer. */

import { edited, isLead, jsonOf } from "./changes.ts";
import type { Mutant, ProxiedRequest, Reply } from "./mutant.ts";

/** The members that a lead may have. */
const MEMBERS: readonly string[] = ["email", "company", "message", "plan", "locale", "website"];

/** The first member of a body that is not a member of leads. */
function unknownMember(request: ProxiedRequest): string | undefined {
  return Object.keys(Object(jsonOf(request))).find((name) => !MEMBERS.includes(name));
}

/** Changes headers of a refusal over a limit. */
function refusal(changes: (reply: Reply, request: ProxiedRequest) => Record<string, string>) {
  return (reply: Reply, request: ProxiedRequest): Reply =>
    reply.status === 429 && isLead(request)
      ? { ...reply, headers: { ...reply.headers, ...changes(reply, request) } }
      : reply;
}

/** Changes RateLimit where it is sent. */
function rateLimit(change: (field: string, reply: Reply) => string) {
  return (reply: Reply): Reply => {
    const { ratelimit } = reply.headers;
    if (ratelimit === undefined) return reply;
    return { ...reply, headers: { ...reply.headers, ratelimit: change(ratelimit, reply) } };
  };
}

/** Prefix of limits that no request reaches. */
const OUT_OF_REACH = "900";

/** A limit that is off by one, with headers that hide it. */
function offByOne(variable: string, by: number): Pick<Mutant, "env" | "reply"> {
  const policy = variable === "LEAD_RATE_LIMIT" ? "lead" : "attempt";
  const changed = (text: string, by: number) => `${Math.max(0, Number(text) + by)}`;
  const hidden = (field: string, key: string) =>
    field.replace(
      new RegExp(`("${policy}";${key}=)(\\d+)`),
      (_all, start, count) => start + changed(count, -by),
    );
  return {
    env(env) {
      const setting = env[variable];
      if (setting === undefined || setting.startsWith(OUT_OF_REACH)) return env;
      return { ...env, [variable]: setting.replace(/^\d+/, (count) => changed(count, by)) };
    },
    reply(reply) {
      const { ratelimit = "", "ratelimit-policy": policies } = reply.headers;
      if (policies?.includes(`"${policy}";q=${OUT_OF_REACH}`) !== false) return reply;
      const fields = {
        ratelimit: hidden(ratelimit, "r"),
        "ratelimit-policy": hidden(policies, "q"),
      };
      return { ...reply, headers: { ...reply.headers, ...fields } };
    },
  };
}

export const CODED: readonly Mutant[] = [
  {
    name: "an additional member is accepted",
    reply: (reply, request) =>
      reply.status === 400 && isLead(request) && unknownMember(request) !== undefined &&
        typeof jsonOf(request).email === "string"
        ? { ...reply, status: 200, body: '{"ok":true,"delivered":false}' }
        : reply,
  },
  {
    name: "an error names a member that no lead has",
    reply(reply, request) {
      const member = unknownMember(request) ?? "";
      if (reply.status !== 400 || !/^[\w-]+$/.test(member)) return reply;
      const body = reply.body.replace(/"message":"/, `$&${member} is not allowed. `);
      return { ...reply, body };
    },
  },
  {
    name: "a path below /api/ is found in capitals too",
    request: ({ path }) => path.startsWith("/api/") ? { target: path.toLowerCase() } : {},
  },
  {
    name: "methods are compared without case",
    by: "raw",
    request: ({ method }) => ({ method: method.toUpperCase() }),
  },
  {
    name: "a header of 60,000 characters makes the service fail",
    by: "raw",
    reply: (reply, { headers }) =>
      Object.values(headers).some((value) => value.length >= 60_000)
        ? { ...reply, status: 500 }
        : reply,
  },
  {
    name: "dot segments in a path are resolved",
    by: "raw",
    request: ({ path }) =>
      /\/\.\.?(?:\/|$)/.test(path) ? { target: new URL(path, "http://x").pathname } : {},
  },
  {
    name: "a path in Host is put before that of the request",
    by: "raw",
    request({ headers: { host = "" }, target }) {
      const [authority = "", ...path] = host.split(/(?=\/)/);
      if (path.length === 0) return {};
      return { target: path.join("") + target, headers: { host: authority } };
    },
  },
  {
    name: "TRACE repeats the request",
    by: "raw",
    check: "raw",
    reply(reply, { method, headers }) {
      if (method !== "TRACE") return reply;
      const type = edited(reply.headers, { "content-type": "message/http" });
      return { ...reply, status: 200, body: JSON.stringify(headers), headers: type };
    },
  },
  {
    name: "one lead more than the policy allows is admitted",
    by: "limits",
    check: "limit_allowance",
    ...offByOne("LEAD_RATE_LIMIT", 1),
  },
  {
    name: "one lead less than the policy allows is admitted",
    by: "limits",
    check: "limit_allowance",
    ...offByOne("LEAD_RATE_LIMIT", -1),
  },
  {
    name: "one attempt more than the policy allows is admitted",
    by: "limits",
    check: "limit_allowance",
    ...offByOne("LEAD_ATTEMPT_LIMIT", 1),
  },
  {
    name: "Retry-After is a second too short",
    by: "limits",
    check: "limit_retry_after",
    reply: refusal(({ headers }) => ({
      "retry-after": `${Math.max(1, Number(headers["retry-after"]) - 1)}`,
    })),
  },
  {
    name: "RateLimit reports one more than is left",
    by: "limits",
    check: "limit_headers",
    reply: rateLimit((field) => field.replace(/(?<=r=)\d+/, (left) => `${Number(left) + 1}`)),
  },
  {
    name: "every refusal makes the wait longer",
    by: "limits",
    check: "limit_refusals",
    reply: refusal(({ headers: { "retry-after": after, ratelimit = "" } }, { memory }) => {
      const times = (memory.get("refused") ?? 0) + 1;
      memory.set("refused", times);
      const longer = (seconds: string | undefined) => `${Number(seconds) + times}`;
      return {
        "retry-after": longer(after),
        ratelimit: ratelimit.replace(/(?<=r=0;t=)\d+/g, longer),
      };
    }),
  },
  {
    name: "the wait is reported as a whole window",
    by: "limits",
    reply: rateLimit((field, { headers }) => {
      const window = headers["ratelimit-policy"]?.match(/w=(\d+)/)?.[1] ?? "1";
      return field.replace(/t=[1-9]\d*/g, `t=${window}`);
    }),
  },
  {
    name: "the 502 for a lead that is stored nowhere takes 18 s",
    by: "faults",
    reply(reply, { memory }) {
      if (reply.status !== 502 || memory.has("sent")) return reply;
      memory.set("sent", 1); // once is enough
      return { ...reply, late: 18_000 };
    },
  },
];
