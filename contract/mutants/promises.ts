/** @module Faults in the promises of answers to leads, and in what failures reveal. */

import {
  accepted,
  asPage,
  becomes,
  body,
  error,
  isLead,
  onLead,
  when,
  without,
} from "./changes.ts";
import type { Fault, MutantTable, Mutation } from "./mutant.ts";

/** Changes the targets of instances that have several. */
function targets(change: (urls: readonly string[]) => readonly string[]): Fault {
  return {
    env: (env) => {
      const urls = env["LEAD_TARGETS"]?.split(" ") ?? [];
      return urls.length < 2 ? env : { ...env, LEAD_TARGETS: change(urls).join(" ") };
    },
  };
}

const alwaysDelivered: Mutation = onLead(when(200, body(() => '{"ok":true,"delivered":true}')));

/** Promises that are not kept. */
export const PROMISES: MutantTable = {
  "a lead that is stored nowhere is answered 200": [onLead(when(502, accepted)), "promise"],
  "a lead that is stored nowhere is answered 500": onLead(when(502, becomes(500))),
  "a 502 is an HTML page": onLead(when(502, asPage)),
  "the 502 for a lead that is stored nowhere takes 18 s": when(502, (reply, { memory }) => {
    if (memory.has("sent")) return reply;
    memory.set("sent", 1); // once is enough
    return { ...reply, late: 18_000 };
  }),
  "leads that are stored nowhere are not limited": {
    env: (env) => /^http:/.test(env["KV_PATH"] ?? "") ? { ...env, LEAD_RATE_LIMIT: "900/1h" } : env,
  },
  "every lead is reported as delivered": alwaysDelivered,
  "no lead is reported as delivered": onLead(when(200, accepted)),
  "a lead is reported as delivered and is not": {
    env: ({ LEAD_TARGETS: _removed, ...env }) => env,
    reply: alwaysDelivered,
  },
  "a lead that one of two targets has is reported as delivered": targets((
    [first = ""],
  ) => [first]),
  "a target that is unreachable keeps a lead from another": targets((urls) => urls.slice(-1)),
  "a duplicate lead is delivered again": {
    request: (request) =>
      isLead(request) && request.body.includes('"does-take ')
        ? { body: request.body.replace(/\}$/, `,"message":"${crypto.randomUUID()}"}`) }
        : {},
  },
  "a target that hangs is awaited longer than configured": {
    env: (env) => "LEAD_INLINE_TIMEOUT" in env ? { ...env, LEAD_INLINE_TIMEOUT: "6s" } : env,
  },
  "a page that fails to render is HTML whatever is accepted": when(500, asPage),
  "a failure has no request id": when(500, without("x-request-id")),
  "a page that fails to render is answered 200": when(500, becomes(200)),
  "a failure has the code of another error": when(500, error((one) => one.code = "not_found")),
  "the page of a failure does not show its request id": when(500, (reply) => ({
    ...reply,
    body: reply.body.replaceAll(reply.headers["x-request-id"] ?? "none", ""),
  })),
  "while a page fails to render, the document fails too": (reply, { path, memory }) => {
    if (reply.status === 500) memory.set("failed", 1);
    return path === "/openapi.json" && memory.has("failed") ? { ...reply, status: 500 } : reply;
  },
  "a failure reveals its location in the code": [
    when(500, error((one) => one.details = "at render (page.ts:1)")),
    "failure",
  ],
};
