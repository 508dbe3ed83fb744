/**
 * @module POST /api/lead (specification §4, createLead).
 *
 * The order is attempt limit, media type, body, schema, lead limit: a client over the lead limit still
 * learns what is wrong with its body; one over the attempt limit gets 429 before the body is read.
 */

import type { MiddlewareHandler } from "@hono/hono";
import type { Config } from "../config/config.ts";
import type { Leads } from "../leads/pipeline.ts";
import type { ErrorCode } from "../schemas/error_codes.ts";
import { lazy } from "../lib/lazy.ts";
import type { LeadResponse } from "../schemas/lead.ts";
import type { AppHandler, Env, RouteDeps } from "./env.ts";
import { LEAD_BODY, mediaTypeOf, readBounded } from "./http/bounded_body.ts";
import { clientAddress } from "./http/client_address.ts";
import { parseJson } from "./http/json_body.ts";
import { prebuildPlain, withHeaders } from "./http/prebuilt.ts";
import { uncachedJson } from "./http/public_document.ts";
import { limitHeader, policyHeader, refusalHeaders } from "./http/rate_limit_headers.ts";

/** Headers that scripts of other origins may read. */
const EXPOSED = "Lead-Test, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id";

/** Says that a lead was a test (a boolean of RFC 9651): LeadResponse is the specification's. */
const IS_TEST = { "lead-test": "?1" };

/**
 * The X-Request-Id of all answers to clients over the attempt limit, which are not logged. Deno 2.9 keeps each
 * value of a header for the life of an HTTP/2 connection, if the client's SETTINGS_HEADER_TABLE_SIZE allows it,
 * and compares each answer's with all: 3 ms a request after 90,000.
 */
const REFUSED_ID = crypto.randomUUID();

/** Loads the lead pipeline, with the first lead. */
export type LoadLeads = () => Promise<Pick<Leads, "intake" | "log">>;

/** Identifies the client and counts its attempt, for the API and the contact form. */
export function countAttempt(
  leads: LoadLeads,
  { trustedProxyHops: trustedHops }: Pick<Config, "trustedProxyHops">,
): MiddlewareHandler<Env> {
  return async (c, next) => {
    const { intake, log } = await leads();
    const { remoteAddr } = c.env;
    const remote = "hostname" in remoteAddr ? remoteAddr.hostname : "local";
    const forwarded = c.req.header("x-forwarded-for") ?? null;
    const clientKey = clientAddress(remote, { forwarded, trustedHops });
    const isAdmitted = intake.attempt(clientKey);
    // A client's own X-Request-Id is ignored.
    const requestId = isAdmitted ? crypto.randomUUID() : REFUSED_ID;
    c.set("attempt", { intake, log, clientKey, isAdmitted, requestId });
    await next();
  };
}

/** Creates the handler, which comes after `countAttempt`. */
export function lead(
  { config, errors, stopping }: Pick<RouteDeps, "config" | "errors" | "stopping">,
): AppHandler {
  const policy = policyHeader({ lead: config.leadRateLimit, attempt: config.leadAttemptLimit });
  const always = { "access-control-expose-headers": EXPOSED, ...policy };
  const rateLimited = errors.prebuild("rate_limited", always);
  const headers = { ...uncachedJson(config.siteUrl), ...always };
  const accepted = (body: LeadResponse) =>
    prebuildPlain(JSON.stringify(body), { status: 200, headers });
  const delivered = accepted({ ok: true, delivered: true });
  const stored = accepted({ ok: true, delivered: false });
  const schema = lazy(() => import("../schemas/lead.ts"));

  return async (c) => {
    const { intake, log, clientKey, isAdmitted, requestId } = c.get("attempt");

    function answer(code: ErrorCode, details?: unknown): Response {
      const left = intake.limits(clientKey);
      const ids = { "x-request-id": requestId };
      return code === "rate_limited"
        ? withHeaders(rateLimited, { ...refusalHeaders(left), ...ids })
        : errors.respond(code, { details, headers: { ...always, ...limitHeader(left), ...ids } });
    }

    function refuse(reason: ErrorCode, details?: unknown): Response {
      log.count("lead.refused", { reason });
      return answer(reason, details);
    }

    if (!isAdmitted) return refuse("rate_limited");
    if (mediaTypeOf(c.req.raw) !== "application/json") return refuse("unsupported_media_type");
    const body = await readBounded(c.req.raw, LEAD_BODY);
    // A stopping server cuts off bodies that are arriving: not the client's problem.
    if (body === "aborted" && stopping.aborted) return refuse("lead_not_stored");
    if (body === "aborted") return refuse("invalid_json");
    if (typeof body === "string") return refuse(`body_${body}`);
    let json: unknown;
    try {
      json = parseJson(body);
    } catch {
      return refuse("invalid_json");
    }
    const { parseLead, refusalOf } = await schema();
    const parsed = parseLead(json);
    if ("issues" in parsed) {
      log.count("lead.refused", { reason: refusalOf(parsed.issues) });
      return answer("invalid_lead", parsed);
    }
    const outcome = await intake.submit(parsed.lead, { clientKey, requestId });
    if (outcome.kind === "limited") return refuse("rate_limited");
    // The intake has already logged and counted it.
    if (outcome.kind === "not_stored") return answer("lead_not_stored");
    const isDelivered = outcome.kind === "accepted" && outcome.delivered;
    return withHeaders(isDelivered ? delivered : stored, {
      ...outcome.kind === "tested" && IS_TEST,
      ...limitHeader(intake.limits(clientKey)),
      "x-request-id": requestId,
    });
  };
}
