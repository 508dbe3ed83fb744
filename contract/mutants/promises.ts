/** @module Faults in what a response to a lead promises, and in what failures reveal. */

import {
  accepted,
  asPage,
  becomes,
  body,
  error,
  isLead,
  type Mutant,
  mutantsOf,
  onLead,
  type Seeded,
  type Spoil,
  when,
  without,
} from "./mutant.ts";

/** Changes the targets of instances that have several. */
function targets(change: (urls: readonly string[]) => readonly string[]): Seeded {
  return {
    env: (env) => {
      const urls = env["LEAD_TARGETS"]?.split(" ") ?? [];
      return urls.length < 2 ? env : { ...env, LEAD_TARGETS: change(urls).join(" ") };
    },
  };
}

const alwaysDelivered: Spoil = onLead(when(200, body(() => '{"ok":true,"delivered":true}')));

/** Promises that are not kept. */
export const PROMISES: readonly Mutant[] = [
  ...mutantsOf({ breaks: "promise" }, {
    "ok-false": [
      "an accepted lead is answered with ok: false",
      onLead(when(200, body((text) => text.replace('"ok":true', '"ok":false')))),
      "success_says",
    ],
  }),
  ...mutantsOf({ breaks: "promise", by: "faults" }, {
    "false-promise": [
      "a lead that is stored nowhere is answered 200",
      onLead(when(502, accepted)),
      "promise",
    ],
    "not-stored-500": [
      "a lead that is stored nowhere is answered 500",
      onLead(when(502, becomes(500))),
    ],
    "not-stored-html": ["a 502 is an HTML page", onLead(when(502, asPage))],
    "not-stored-late": [
      "the 502 for a lead that is stored nowhere takes 18 s",
      when(502, (reply, { memory }) => {
        if (memory.has("sent")) return reply;
        memory.set("sent", 1); // once is enough
        return { ...reply, late: 18_000 };
      }),
    ],
    "not-stored-unlimited": [
      "leads that are stored nowhere are not limited",
      {
        env: (env) =>
          /^http:/.test(env["KV_PATH"] ?? "") ? { ...env, LEAD_RATE_LIMIT: "900/1h" } : env,
      },
    ],
    "delivered-always": ["every lead is reported as delivered", alwaysDelivered],
    "delivered-never": ["no lead is reported as delivered", onLead(when(200, accepted))],
    "delivered-not-sent": [
      "a lead is reported as delivered and is not",
      { env: ({ LEAD_TARGETS: _removed, ...env }) => env, reply: alwaysDelivered },
    ],
    "delivered-to-one": [
      "a lead that one of two targets has is reported as delivered",
      targets(([first = ""]) => [first]),
    ],
    "one-target-only": [
      "a target that is unreachable keeps a lead from another",
      targets((urls) => urls.slice(-1)),
    ],
    "delivered-twice": [
      "a duplicate lead is delivered again",
      {
        request: (passing) =>
          isLead(passing) && passing.body.includes('"does-take ')
            ? { body: passing.body.replace(/\}$/, `,"message":"${crypto.randomUUID()}"}`) }
            : {},
      },
    ],
    "patience-longer": [
      "a target that hangs is awaited longer than configured",
      {
        env: (env) => "LEAD_INLINE_TIMEOUT" in env ? { ...env, LEAD_INLINE_TIMEOUT: "6s" } : env,
      },
    ],
  }),
  ...mutantsOf({ breaks: "errors", by: "faults" }, {
    "failure-as-page": [
      "a page that fails to render is HTML whatever is accepted",
      when(500, asPage),
    ],
    "failure-without-id": ["a failure has no request id", when(500, without("x-request-id"))],
    "failure-200": ["a page that fails to render is answered 200", when(500, becomes(200))],
    "failure-code": [
      "a failure has the code of another error",
      when(500, error((one) => one.code = "not_found")),
    ],
    "failure-page-without-id": [
      "the page of a failure does not show its request id",
      when(500, (reply) => ({
        ...reply,
        body: reply.body.replaceAll(reply.headers["x-request-id"] ?? "none", ""),
      })),
    ],
    "failure-of-all": [
      "while a page fails to render, the site index fails too",
      (reply, { path, memory }) => {
        if (reply.status === 500) memory.set("failed", 1);
        return path === "/api/site" && memory.has("failed") ? { ...reply, status: 500 } : reply;
      },
    ],
  }),
  ...mutantsOf({ breaks: "privacy", by: "faults" }, {
    "failure-tells": [
      "a failure reveals its location in the code",
      when(500, error((one) => one.details = "at render (page.ts:1)")),
      "failure",
    ],
  }),
];
