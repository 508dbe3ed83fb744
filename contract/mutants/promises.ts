/**
 * @module Faults in what an answer to a lead promises, and in what is told when the service fails.
 */

import {
  accepted,
  asPage,
  becomes,
  isLead,
  type Mutant,
  onLead,
  type Spoil,
  when,
  withError,
  without,
} from "./mutant.ts";

/** Changes the targets of instances that have several. */
function targets(
  change: (urls: readonly string[]) => readonly string[],
): NonNullable<Mutant["env"]> {
  return (given) => {
    const urls = given["LEAD_TARGETS"]?.split(" ") ?? [];
    return urls.length < 2 ? given : { ...given, LEAD_TARGETS: change(urls).join(" ") };
  };
}

const saidToBeDelivered: Spoil = onLead(
  when(200, (reply) => ({ ...reply, body: '{"ok":true,"delivered":true}' })),
);

/** What is promised, and not kept. */
export const PROMISES: readonly Mutant[] = [
  {
    name: "false-promise",
    fault: "a lead that neither KV nor a target has is answered 200",
    breaks: "promise",
    by: "faults",
    check: "promise",
    reply: onLead(when(502, accepted)),
  },
  {
    name: "not-stored-500",
    fault: "a lead that neither KV nor a target has is answered 500",
    breaks: "promise",
    by: "faults",
    reply: onLead(when(502, becomes(500))),
  },
  {
    name: "not-stored-html",
    fault: "a 502 is an HTML page",
    breaks: "promise",
    by: "faults",
    reply: onLead(when(502, asPage)),
  },
  {
    name: "delivered-always",
    fault: "every lead is said to be delivered",
    breaks: "promise",
    by: "faults",
    reply: saidToBeDelivered,
  },
  {
    name: "ok-false",
    fault: "an accepted lead is answered with ok: false",
    breaks: "promise",
    check: "success_says",
    reply: onLead(
      when(200, (reply) => ({ ...reply, body: reply.body.replace('"ok":true', '"ok":false') })),
    ),
  },
  {
    name: "delivered-never",
    fault: "no lead is said to be delivered",
    breaks: "promise",
    by: "faults",
    reply: onLead(when(200, accepted)),
  },
  {
    name: "delivered-not-sent",
    fault: "a lead is said to be delivered and is not",
    breaks: "promise",
    by: "faults",
    env: ({ LEAD_TARGETS: _gone, ...given }) => given,
    reply: saidToBeDelivered,
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
    request: (passing) =>
      isLead(passing) && passing.body.includes('"does-take ')
        ? { body: passing.body.replace(/\}$/, `,"message":"${crypto.randomUUID()}"}`) }
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
    fault: "a 502 comes after 18 s",
    breaks: "promise",
    by: "faults",
    reply: when(502, (reply, { memory }) => {
      if (memory.has("told")) return reply;
      memory.set("told", 1); // once will do
      return { ...reply, late: 18_000 };
    }),
  },
  {
    name: "not-stored-unlimited",
    fault: "a lead that neither KV nor a target has is not limited",
    breaks: "promise",
    by: "faults",
    env: (given) =>
      /^http:/.test(given["KV_PATH"] ?? "") ? { ...given, LEAD_RATE_LIMIT: "900/1h" } : given,
  },
  {
    name: "failure-as-page",
    fault: "a page that cannot be made is HTML whoever asks",
    breaks: "errors",
    by: "faults",
    reply: when(500, asPage),
  },
  {
    name: "failure-tells",
    fault: "a failure tells where it was",
    breaks: "privacy",
    by: "faults",
    check: "failure",
    reply: when(
      500,
      (reply) => withError(reply, (error) => ({ ...error, details: "at render (page.ts:1)" })),
    ),
  },
  {
    name: "failure-without-id",
    fault: "a failure cannot be found in the log",
    breaks: "errors",
    by: "faults",
    reply: when(500, without("x-request-id")),
  },
  {
    name: "failure-200",
    fault: "a page that cannot be made is answered 200",
    breaks: "errors",
    by: "faults",
    reply: when(500, becomes(200)),
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
