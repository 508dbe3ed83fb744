/**
 * @module POST /api/lead (specification §4, createLead): HTTP on one side, the intake on the other.
 *
 * The order is attempts limit, media type, body, schema, lead limit: who is out of leads still
 * learns what is wrong with a body, who is out of attempts is refused unread.
 */

import type { Config } from "../config/config.ts";
import type { Leads } from "../leads/leads.ts";
import type { LeadResponse } from "../schemas/lead.ts";
import type { ErrorCode } from "../schemas/error_codes.ts";
import type { ApiErrors } from "./api_error.ts";
import { type BodyFault, LEAD_BODY, readBounded } from "./http/bounded_body.ts";
import { requestAddress } from "./http/client_address.ts";
import { answerWith, once, prebuildPlain, type Prebuilt } from "./http/prebuilt.ts";
import { createRateLimitHeaders } from "./http/rate_limit_headers.ts";
import type { Handler } from "./http/resource.ts";
import { apiSecurityHeaders } from "./http/security_headers.ts";

/** What the lead route works with. */
export interface LeadRouteDeps {
  readonly config: Config;
  readonly errors: ApiErrors;
  /** The intake and the log that counts, loaded with the first lead. */
  readonly leads: () => Promise<Pick<Leads, "intake" | "log">>;
  /** Whether the server is about to stop. */
  readonly isStopping: () => boolean;
}

const BODY_FAULTS: Record<BodyFault, ErrorCode> = {
  too_large: "body_too_large",
  too_slow: "body_too_slow",
  aborted: "invalid_json",
};

/** What a script on another origin needs to behave well. */
const EXPOSED = "RateLimit, RateLimit-Policy, Retry-After, X-Request-Id";

/** RFC 8259 §8.1: UTF-8 without a byte order mark. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Creates the handler of POST. */
export function createLead({ config, errors, leads, isStopping }: LeadRouteDeps): Handler {
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
  const schema = once(() => import("../schemas/lead.ts"));
  const refusals = new Map<ErrorCode, Prebuilt>();

  /** The part of a refusal that is always the same, built once. */
  function refusalOf(code: ErrorCode): Prebuilt {
    const built = refusals.get(code) ?? errors.prebuild(code, always);
    refusals.set(code, built);
    return built;
  }

  return async (request, { connection }) => {
    const { intake, log } = await leads();
    const requestId = crypto.randomUUID();
    const sender = intake.sender(
      requestAddress(request, {
        remoteAddr: connection.remoteAddr,
        trustedHops: config.trustedProxyHops,
      }),
    );

    function refuse(code: ErrorCode, details?: unknown): Response {
      log.count("lead.refused", { reason: code });
      return answerTo(code, details);
    }

    function answerTo(code: ErrorCode, details?: unknown): Response {
      const left = intake.limits(sender);
      const limits = code === "rate_limited" ? rateLimit.refusal(left) : rateLimit.of(left);
      const added = { ...limits, "x-request-id": requestId };
      return details === undefined
        ? answerWith(refusalOf(code), added)
        : errors.respond(code, { details, headers: { ...always, ...added } });
    }

    if (!intake.attempt(sender)) return refuse("rate_limited");
    const body = await readJson(request, isStopping);
    if ("fault" in body) return refuse(body.fault);
    const { parseLead } = await schema();
    const parsed = parseLead(body.json);
    if ("issues" in parsed) return refuse("invalid_lead", { issues: parsed.issues });
    const outcome = await intake.submit(parsed.lead, { sender, requestId });
    switch (outcome.kind) {
      case "limited":
        return refuse("rate_limited");
      case "not_stored":
        return answerTo("lead_not_stored"); // the intake has logged it, and so counted
      case "accepted":
        return answerWith(outcome.delivered ? accepted.delivered : accepted.stored, {
          ...rateLimit.of(intake.limits(sender)),
          "x-request-id": requestId,
        });
    }
  };
}

/** RFC 9110 §8.3: the media type alone decides; parameters such as charset are ignored. */
function isJson(contentType: string | null): boolean {
  return contentType === "application/json" ||
    contentType?.split(";", 1)[0]?.trim().toLowerCase() === "application/json";
}

async function readJson(
  request: Request,
  isStopping: () => boolean,
): Promise<{ json: unknown } | { fault: ErrorCode }> {
  if (!isJson(request.headers.get("content-type"))) return { fault: "unsupported_media_type" };
  const bytes = await readBounded(request, LEAD_BODY);
  // A server that stops breaks off what is arriving: its sender has done nothing wrong.
  if (bytes === "aborted" && isStopping()) return { fault: "lead_not_stored" };
  if (typeof bytes === "string") return { fault: BODY_FAULTS[bytes] };
  try {
    return { json: JSON.parse(utf8.decode(bytes)) };
  } catch {
    return { fault: "invalid_json" };
  }
}
