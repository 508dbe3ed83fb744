/**
 * @module POST /contact and /de/contact: the contact form without script. A page, not an operation
 * of the API, with the same schema and the same intake.
 *
 * Success is a 303 to a page of thanks (RFC 9110 §15.4.4); otherwise the form again, in the page's
 * language and with the visitor's input, and with the status that the API would give.
 * Posts from other sites are refused (Fetch Metadata; Origin, RFC 6454).
 */

import type { Config } from "../config/config.ts";
import type { LeadRequest } from "../schemas/lead.ts";
import type { FormState } from "../site/contact_form.ts";
import { CONTACT_PAGE, contactPaths, type Locale } from "../site/page_path.ts";
import type { Site } from "../site/site.ts";
import type { AppContext, AppHandler } from "./env.ts";
import { LEAD_BODY, mediaTypeOf, readBounded } from "./http/bounded_body.ts";
import { prebuild, prebuiltOnce } from "./http/prebuilt.ts";
import { createRateLimitHeaders } from "./http/rate_limit_headers.ts";
import { pageSecurityHeaders } from "./http/security_headers.ts";
import { lazy } from "../schemas/lazy.ts";

/** What the form works with. */
export interface ContactFormDeps {
  readonly config: Config;
  /** Loaded with the first page. */
  readonly site: () => Promise<Site>;
  /** Aborted when the server is about to stop. */
  readonly stopping: AbortSignal;
}

/** The handlers of one language. */
export interface ContactForm {
  /** Needs the sender (`sender.ts`). */
  readonly post: AppHandler;
  /** The page of thanks. */
  readonly sent: AppHandler;
}

/** Why a post is refused before it is read as a lead, and the notice that the visitor sees. */
const REFUSALS = {
  cross_site: { status: 403, notice: "crossSite" },
  unsupported_media_type: { status: 400, notice: "unreadable" },
  body_too_large: { status: 400, notice: "tooLarge" },
  body_too_slow: { status: 400, notice: "unreadable" },
  body_aborted: { status: 400, notice: "unreadable" },
  stopping: { status: 502, notice: "notStored" },
} as const;

type Refusal = keyof typeof REFUSALS;
type Values = FormState["values"];

/** Creates the handlers of one language. */
export function contactForm(
  locale: Locale,
  { config, site, stopping }: ContactFormDeps,
): ContactForm {
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-language": locale,
    "cache-control": "no-store",
    ...pageSecurityHeaders(config.siteUrl),
  };
  const rateLimit = createRateLimitHeaders({
    lead: config.leadRateLimit,
    attempt: config.leadAttemptLimit,
  });
  const sent = prebuiltOnce(async () => prebuild(await (await site()).sent(locale), headers));

  /** What a post needs, loaded with the first. */
  const modules = lazy(async () => ({
    ...await import("../site/contact_form.ts"),
    ...await import("../site/words.ts"),
    ...await import("../schemas/lead.ts"),
  }));

  /** The contact page before and after its form, the only part that differs between two answers. */
  const around = lazy(async () => {
    const file = `${locale}/${CONTACT_PAGE}.md`;
    const { contactForm } = await modules();
    const [before = "", after] = (await (await site()).html({ file })).split(contactForm(locale));
    if (after === undefined) throw new Error("Cannot show the contact form: there is no such page");
    return { before, after };
  });

  /** The contact page with the form as it was sent. */
  async function pageWith(form: FormState): Promise<string> {
    const [{ before, after }, { contactForm }] = await Promise.all([around(), modules()]);
    return before + contactForm(locale, form) + after;
  }

  async function post(c: AppContext): Promise<Response> {
    const { intake, log, sender, requestId } = c.var;
    const { ANSWERED_IN, faultyForm, fill, parseLead, waitText, WORDS } = await modules();
    const { notices } = WORDS[locale].form;

    function respond(
      body: string | null,
      { status, extra }: { status: number; extra?: Record<string, string> },
    ): Response {
      const limits = rateLimit.of(intake.limits(sender));
      return new Response(body, {
        status,
        headers: {
          ...headers,
          ...rateLimit.policy,
          ...limits,
          "x-request-id": requestId,
          ...extra,
        },
      });
    }

    async function refuse(
      status: number,
      { reason, form }: { reason: string; form: FormState },
    ): Promise<Response> {
      log.count("lead.refused", { reason });
      return respond(await pageWith(form), { status });
    }

    async function limited(values: Values): Promise<Response> {
      log.count("lead.refused", { reason: "rate_limited" });
      const extra = rateLimit.refusal(intake.limits(sender));
      const wait = waitText(locale, Number(extra["retry-after"]));
      const notice = fill(notices.limited, { wait });
      return respond(await pageWith({ values, faults: {}, notice }), { status: 429, extra });
    }

    const admitted = intake.attempt(sender);
    const form = isCrossSite(c.req.raw) ? "cross_site" : await readForm(c.req.raw, stopping);
    // Read the body even when rate limited, to keep the visitor's text.
    if (!admitted) return await limited(typeof form === "string" ? {} : form);
    if (typeof form === "string") {
      const { status, notice } = REFUSALS[form];
      return await refuse(status, {
        reason: form,
        form: { values: {}, faults: {}, notice: notices[notice] },
      });
    }
    const parsed = parseLead(leadOf(form, ANSWERED_IN[locale]));
    if ("issues" in parsed) {
      return await refuse(400, {
        reason: "invalid_lead",
        form: faultyForm(locale, { values: form, issues: parsed.issues }),
      });
    }
    const outcome = await intake.submit(parsed.lead, { sender, requestId });
    switch (outcome.kind) {
      case "limited":
        return await limited(form);
      case "not_stored": {
        const page = await pageWith({ values: form, faults: {}, notice: notices.notStored });
        return respond(page, { status: 502 });
      }
      case "accepted":
        return respond(null, { status: 303, extra: { location: contactPaths(locale).sent } });
    }
  }

  return { post, sent };
}

/**
 * Browsers tell where a post comes from; `none` is a reload or a restored page. A client that sends
 * neither header is not a browser, and cannot be used for a forged request.
 */
function isCrossSite({ headers, url }: Request): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site !== "same-origin" && site !== "none";
  const origin = headers.get("origin");
  return origin !== null && URL.parse(origin)?.host !== (headers.get("host") ?? new URL(url).host);
}

async function readForm(
  request: Request,
  stopping: AbortSignal,
): Promise<Values | Refusal> {
  if (mediaTypeOf(request) !== "application/x-www-form-urlencoded") return "unsupported_media_type";
  const body = await readBounded(request, LEAD_BODY);
  if (body === "aborted" && stopping.aborted) return "stopping";
  if (typeof body === "string") return `body_${body}`;
  // A form writes line breaks as CR LF, people and JSON as LF.
  const fields = [...new URLSearchParams(new TextDecoder().decode(body))];
  return Object.fromEntries(
    fields.map(([name, value]) => [name, value.replaceAll("\r\n", "\n")]),
  );
}

/** The LeadRequest of a form: a field left empty is left out. */
function leadOf(values: Values, locale: LeadRequest["locale"]): Record<string, unknown> {
  const filled = Object.entries(values).filter(([, value]) => value !== "");
  return { ...Object.fromEntries(filled), locale };
}
