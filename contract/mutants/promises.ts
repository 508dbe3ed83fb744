/** @module Faults in what an answer to a lead promises, and in what is told when the service fails. */

import { accepted, LEAD, type Mutant, onLead, withError, withHeaders } from "./mutant.ts";

/** Changes the targets of instances that have several. */
function targets(
  change: (urls: readonly string[]) => readonly string[],
): NonNullable<Mutant["env"]> {
  return (given) => {
    const urls = given["LEAD_TARGETS"]?.split(" ") ?? [];
    return urls.length < 2 ? given : { ...given, LEAD_TARGETS: change(urls).join(" ") };
  };
}

export const PROMISES: readonly Mutant[] = [
  {
    name: "false-promise",
    fault: "a lead that is held nowhere is answered 200",
    breaks: "promise",
    by: "faults",
    check: "promise",
    reply: onLead((reply) => reply.status === 502 ? accepted(reply) : reply),
  },
  {
    name: "not-stored-500",
    fault: "a lead that is held nowhere is answered 500",
    breaks: "promise",
    by: "faults",
    reply: onLead((reply) => reply.status === 502 ? { ...reply, status: 500 } : reply),
  },
  {
    name: "not-stored-html",
    fault: "a 502 is an HTML page",
    breaks: "promise",
    by: "faults",
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
    by: "faults",
    reply: onLead((reply) =>
      reply.status === 200 ? { ...reply, body: '{"ok":true,"delivered":true}' } : reply
    ),
  },
  {
    name: "ok-false",
    fault: "an accepted lead is answered with ok: false",
    breaks: "promise",
    check: "success_says",
    reply: onLead((reply) =>
      reply.status === 200
        ? { ...reply, body: reply.body.replace('"ok":true', '"ok":false') }
        : reply
    ),
  },
  {
    name: "delivered-never",
    fault: "no lead is said to be delivered",
    breaks: "promise",
    by: "faults",
    reply: onLead((reply) =>
      reply.status === 200 ? { ...reply, body: '{"ok":true,"delivered":false}' } : reply
    ),
  },
  {
    name: "delivered-not-sent",
    fault: "a lead is said to be delivered and is not",
    breaks: "promise",
    by: "faults",
    env: ({ LEAD_TARGETS: _gone, ...given }) => given,
    reply: onLead((reply) =>
      reply.status === 200 ? { ...reply, body: '{"ok":true,"delivered":true}' } : reply
    ),
  },
  {
    name: "delivered-to-one",
    fault: "a lead that one of two targets has is said to be delivered",
    breaks: "promise",
    by: "faults",
    env: targets(([first = ""]) => [first]),
  },
  {
    name: "one-target-only",
    fault: "a target that cannot be reached keeps a lead from another",
    breaks: "promise",
    by: "faults",
    env: targets((urls) => urls.slice(-1)),
  },
  {
    name: "delivered-twice",
    fault: "the same lead again is delivered again",
    breaks: "promise",
    by: "faults",
    request: ({ method, path, body }) =>
      method === "POST" && path === LEAD && body.includes('"does-take ')
        ? { body: body.replace(/\}$/, `,"message":"${crypto.randomUUID()}"}`) }
        : {},
  },
  {
    name: "patience-longer",
    fault: "a target that hangs is waited for longer than is set",
    breaks: "promise",
    by: "faults",
    env: (given) =>
      "LEAD_INLINE_TIMEOUT" in given ? { ...given, LEAD_INLINE_TIMEOUT: "6s" } : given,
  },
  {
    name: "not-stored-late",
    fault: "that a lead is held nowhere is told after 18 s",
    breaks: "promise",
    by: "faults",
    reply: (reply, { memory }) => {
      if (reply.status !== 502 || memory.has("told")) return reply;
      memory.set("told", 1); // once will do
      return { ...reply, late: 18_000 };
    },
  },
  {
    name: "not-stored-unlimited",
    fault: "a lead that is held nowhere is not limited",
    breaks: "promise",
    by: "faults",
    env: (given) =>
      /^http:/.test(given["KV_PATH"] ?? "") ? { ...given, LEAD_RATE_LIMIT: "900/1h" } : given,
  },
  {
    name: "failure-as-page",
    fault: "a page that cannot be made is an HTML page of an error",
    breaks: "errors",
    by: "faults",
    reply: (reply) =>
      reply.status === 500
        ? withHeaders({ ...reply, body: "<h1>Error</h1>" }, { "content-type": "text/html" })
        : reply,
  },
  {
    name: "failure-tells",
    fault: "a failure tells where it was",
    breaks: "privacy",
    by: "faults",
    check: "failure",
    reply: (reply) =>
      reply.status === 500
        ? withError(reply, (error) => ({ ...error, details: "at render (page.ts:1)" }))
        : reply,
  },
  {
    name: "failure-without-id",
    fault: "a failure cannot be found in the log",
    breaks: "errors",
    by: "faults",
    reply: (reply) =>
      reply.status === 500 ? withHeaders(reply, { "x-request-id": undefined }) : reply,
  },
  {
    name: "failure-200",
    fault: "a page that cannot be made is answered 200",
    breaks: "errors",
    by: "faults",
    reply: (reply) => reply.status === 500 ? { ...reply, status: 200 } : reply,
  },
  {
    name: "failure-of-all",
    fault: "where a page cannot be made, the site index fails too",
    breaks: "errors",
    by: "faults",
    reply: (reply, { path, memory }) => {
      if (reply.status === 500) memory.set("failed", 1);
      return path === "/api/site" && memory.has("failed") ? { ...reply, status: 500 } : reply;
    },
  },
];
