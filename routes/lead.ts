/**
 * @module POST /api/lead (specification §4, createLead).
 *
 * The order is attempt limit, media type, body, schema, lead limit: a client over the lead limit still
 * learns what is wrong with its body; one over the attempt limit gets 429 before the body is read.
 */

import type { Config } from "../config/config.ts";
import type { Leads } from "../leads/pipeline.ts";
import type { ErrorCode } from "../schemas/error_codes.ts";
import { lazy } from "../lib/lazy.ts";
import type { LeadResponse } from "../schemas/lead.ts";
import type { AppContext, AppHandler, AppMiddleware, RouteDeps } from "./env.ts";
import { LEAD_BODY, mediaTypeOf, readBounded } from "./http/bounded_body.ts";
import { clientAddress } from "./http/client_address.ts";
import { parseJson } from "./http/json_body.ts";
import { prebuildPlain, withHeaders } from "./http/prebuilt.ts";
import { uncachedJson } from "./http/public_document.ts";
import { limitHeader, policyHeader, refusalHeaders } from "./http/rate_limit_headers.ts";

/** Headers that scripts of other origins may read. */
const EXPOSED = "RateLimit, RateLimit-Policy, Retry-After, X-Request-Id";

/**
 * The X-Request-Id of all answers to clients over the attempt limit, which are not logged. Deno 2.9 keeps each
 * value of a header for the life of an HTTP/2 connection, if the client's SETTINGS_HEADER_TABLE_SIZE allows it,
 * and compares each answer's with all: 3 ms a request after 90,000.
 */
export const REFUSED_ID: string = crypto.randomUUID();

/** Loads the lead pipeline, with the first lead. */
export type LoadLeads = () => Promise<Pick<Leads, "intake" | "log">>;

/** Identifies the client, for the API and the contact form: sets `intake`, `log` and `clientKey`. */
export function identifyClient(
  leads: LoadLeads,
  { trustedProxyHops: trustedHops }: Pick<Config, "trustedProxyHops">,
): AppMiddleware {
  return async (c, next) => {
    const { intake, log } = await leads();
    const { remoteAddr } = c.env;
    const remote = "hostname" in remoteAddr ? remoteAddr.hostname : "local";
    const forwarded = c.req.header("x-forwarded-for") ?? null;
    c.set("intake", intake);
    c.set("log", log);
    c.set("clientKey", clientAddress(remote, { forwarded, trustedHops }));
    await next();
  };
}

/** Middleware and handler for a lead, in this order, after `identifyClient`. */
export function leadRoute(
  { config, errors, stopping }: Pick<RouteDeps, "config" | "errors" | "stopping">,
): Record<"limitAttempts" | "readJson" | "validate", AppMiddleware> & { create: AppHandler } {
  const policy = policyHeader({ lead: config.leadRateLimit, attempt: config.leadAttemptLimit });
  const always = { "access-control-expose-headers": EXPOSED, ...policy };
  const rateLimited = errors.prebuild("rate_limited", always);
  const headers = { ...uncachedJson(config.siteUrl), ...always };
  const [delivered, stored] = [true, false].map((delivered) => {
    const body: LeadResponse = { ok: true, delivered };
    return prebuildPlain(JSON.stringify(body), { status: 200, headers });
  });
  const schema = lazy(() => import("../schemas/lead.ts"));

  function answer(c: AppContext, code: ErrorCode, details?: unknown): Response {
    const { intake, clientKey, requestId } = c.var;
    const left = intake.limits(clientKey);
    const ids = { "x-request-id": requestId };
    return code === "rate_limited"
      ? withHeaders(rateLimited, { ...refusalHeaders(left), ...ids })
      : errors.respond(code, { details, headers: { ...always, ...limitHeader(left), ...ids } });
  }

  function refuse(c: AppContext, code: ErrorCode, details?: unknown): Response {
    c.var.log.count("lead.refused", { reason: code });
    return answer(c, code, details);
  }

  return {
    limitAttempts: async (c, next) => {
      if (c.var.intake.attempt(c.var.clientKey)) return await next();
      c.set("requestId", REFUSED_ID);
      return refuse(c, "rate_limited");
    },

    readJson: async (c, next) => {
      const { raw } = c.req;
      if (mediaTypeOf(raw) !== "application/json") return refuse(c, "unsupported_media_type");
      const body = await readBounded(raw, LEAD_BODY);
      // A stopping server cuts off bodies that are arriving: not the client's problem.
      if (body === "aborted" && stopping.aborted) return refuse(c, "lead_not_stored");
      if (body === "aborted") return refuse(c, "invalid_json");
      if (typeof body === "string") return refuse(c, `body_${body}`);
      try {
        c.set("json", parseJson(body));
      } catch {
        return refuse(c, "invalid_json");
      }
      await next();
    },

    validate: async (c, next) => {
      const parsed = (await schema()).parseLead(c.var.json);
      if ("issues" in parsed) return refuse(c, "invalid_lead", { issues: parsed.issues });
      c.set("lead", parsed.lead);
      await next();
    },

    create: async (c) => {
      const { intake, clientKey, requestId, lead } = c.var;
      const outcome = await intake.submit(lead, { clientKey, requestId });
      if (outcome.kind === "limited") return refuse(c, "rate_limited");
      // The intake has already logged and counted it.
      if (outcome.kind === "not_stored") return answer(c, "lead_not_stored");
      return withHeaders(outcome.delivered ? delivered! : stored!, {
        ...limitHeader(intake.limits(clientKey)),
        "x-request-id": requestId,
      });
    },
  };
}
