/**
 * @module POST /api/lead (specification §4, createLead): HTTP on one side, the intake on the other.
 *
 * The order is attempt limit, media type, body, schema, lead limit: a client over the lead limit still
 * learns what is wrong with its body; one over the attempt limit gets 429 before the body is read.
 */

import type { Config } from "../config/config.ts";
import type { LeadResponse } from "../schemas/lead.ts";
import type { ErrorCode } from "../schemas/error_codes.ts";
import type { ApiErrors } from "./api_error.ts";
import type { AppContext, AppHandler, AppMiddleware } from "./env.ts";
import { type BodyFault, LEAD_BODY, mediaTypeOf, readBounded } from "./http/bounded_body.ts";
import { prebuildPlain, withHeaders } from "./http/prebuilt.ts";
import { createRateLimitHeaders } from "./http/rate_limit_headers.ts";
import { apiSecurityHeaders } from "./http/security_headers.ts";
import { lazy } from "../schemas/lazy.ts";

/** What the lead route works with. */
export interface LeadRouteDeps {
  readonly config: Config;
  readonly errors: ApiErrors;
  /** Aborted when the server is about to stop. */
  readonly stopping: AbortSignal;
}

/** Middleware and handler for a lead, in this order, behind `identifySender`. */
export interface LeadRoute {
  /** 429 before the body is read. */
  readonly limitAttempts: AppMiddleware;
  /** 400 unless the body is JSON of at most 64 KiB, there within 10 s. */
  readonly readJson: AppMiddleware;
  /** 400 with every issue unless the JSON is a LeadRequest. */
  readonly validate: AppMiddleware;
  /** 200, 429 or 502. */
  readonly create: AppHandler;
}

const BODY_FAULTS: Record<BodyFault, ErrorCode> = {
  too_large: "body_too_large",
  too_slow: "body_too_slow",
  aborted: "invalid_json",
};

/** What a script on another origin may read. */
const EXPOSED = "RateLimit, RateLimit-Policy, Retry-After, X-Request-Id";

/** RFC 8259 §8.1: UTF-8 without a byte order mark. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Creates middleware and handler. */
export function leadRoute({ config, errors, stopping }: LeadRouteDeps): LeadRoute {
  const rateLimit = createRateLimitHeaders({
    lead: config.leadRateLimit,
    attempt: config.leadAttemptLimit,
  });
  const always = { "access-control-expose-headers": EXPOSED, ...rateLimit.policy };
  const headers = {
    "content-type": "application/json",
    "cache-control": "no-store",
    ...apiSecurityHeaders(config.siteUrl),
    ...always,
  };
  const success = (body: LeadResponse) => prebuildPlain(JSON.stringify(body), 200, headers);
  const accepted = {
    delivered: success({ ok: true, delivered: true }),
    stored: success({ ok: true, delivered: false }),
  };
  const schema = lazy(() => import("../schemas/lead.ts"));
  const rateLimited = errors.prebuild("rate_limited", always);

  function answer(c: AppContext, code: ErrorCode, details?: unknown): Response {
    const { intake, sender, requestId } = c.var;
    const left = intake.limits(sender);
    const ids = { "x-request-id": requestId };
    return code === "rate_limited"
      ? withHeaders(rateLimited, { ...rateLimit.refusal(left), ...ids })
      : errors.respond(code, { details, headers: { ...always, ...rateLimit.of(left), ...ids } });
  }

  function refuse(c: AppContext, code: ErrorCode, details?: unknown): Response {
    c.var.log.count("lead.refused", { reason: code });
    return answer(c, code, details);
  }

  return {
    limitAttempts: async (c, next) => {
      if (!c.var.intake.attempt(c.var.sender)) return refuse(c, "rate_limited");
      await next();
    },

    readJson: async (c, next) => {
      const body = await readJson(c.req.raw, stopping);
      if ("fault" in body) return refuse(c, body.fault);
      c.set("json", body.json);
      await next();
    },

    validate: async (c, next) => {
      const { parseLead } = await schema();
      const parsed = parseLead(c.var.json);
      if ("issues" in parsed) return refuse(c, "invalid_lead", { issues: parsed.issues });
      c.set("lead", parsed.lead);
      await next();
    },

    create: async (c) => {
      const { intake, sender, requestId, lead } = c.var;
      const outcome = await intake.submit(lead, { sender, requestId });
      switch (outcome.kind) {
        case "limited":
          return refuse(c, "rate_limited");
        case "not_stored":
          return answer(c, "lead_not_stored"); // the intake has logged it, and so counted
        case "accepted":
          return withHeaders(outcome.delivered ? accepted.delivered : accepted.stored, {
            ...rateLimit.of(intake.limits(sender)),
            "x-request-id": requestId,
          });
      }
    },
  };
}

async function readJson(
  request: Request,
  stopping: AbortSignal,
): Promise<{ json: unknown } | { fault: ErrorCode }> {
  if (mediaTypeOf(request) !== "application/json") return { fault: "unsupported_media_type" };
  const bytes = await readBounded(request, LEAD_BODY);
  // A server that stops cuts off bodies that are arriving: that is not the client's fault.
  if (bytes === "aborted" && stopping.aborted) return { fault: "lead_not_stored" };
  if (typeof bytes === "string") return { fault: BODY_FAULTS[bytes] };
  try {
    return { json: JSON.parse(utf8.decode(bytes)) };
  } catch {
    return { fault: "invalid_json" };
  }
}
