/**
 * @module POST /contact and /de/contact: the contact form without script. A page, not an operation of
 * the API; what becomes of a lead is decided by the same schema and the same intake.
 *
 * Answers are HTML in the page's language, with what was written still in its place: 303 to a page of
 * thanks after success (RFC 9110 §15.4.4), else the form again with the status that the API would give.
 * Posts from other sites are refused (Fetch Metadata; Origin, RFC 6454).
 */

import type { Config } from "../config.ts";
import type { Leads } from "../leads/leads.ts";
import type { FormState } from "../site/contact_form.ts";
import type { Field } from "../site/contact_words.ts";
import { CONTACT_PAGE, contactPaths, type Locale } from "../site/page_path.ts";
import type { Site } from "../site/site.ts";
import { LEAD_BODY, readBounded } from "./http/bounded_body.ts";
import { requestAddress } from "./http/client_address.ts";
import { answerOnce, prebuild } from "./http/prebuilt.ts";
import { createRateLimitHeaders } from "./http/rate_limit_headers.ts";
import type { AppHandler } from "./http/resource.ts";
import { pageSecurityHeaders } from "./http/security_headers.ts";

/** What the form works with. */
export interface ContactFormDeps {
  readonly config: Config;
  readonly site: Site;
  readonly leads: () => Promise<Pick<Leads, "intake" | "log">>;
}

/** The handlers of one language. */
export interface ContactForm {
  readonly post: AppHandler;
  /** The page of thanks. */
  readonly sent: AppHandler;
}

export function createContactForm(
  locale: Locale,
  { config, site, leads }: ContactFormDeps,
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
  const sent = answerOnce(async () => prebuild(await site.sent(locale), headers));

  /** The contact page with the form as it was sent. */
  async function again(
    status: number,
    { state, extra }: { state: FormState; extra?: Record<string, string> },
  ): Promise<Response> {
    const page = (await site.pages())
      .find(({ name, locale: language }) => name === CONTACT_PAGE && language === locale);
    if (page === undefined) throw new Error("Cannot show the contact form: there is no such page");
    return new Response(await site.html(page, state), {
      status,
      headers: { ...headers, ...extra },
    });
  }

  async function post(request: Request, remoteAddr: Deno.Addr): Promise<Response> {
    const [{ intake, log }, { FORM_WORDS }, { parseLead }] = await Promise.all([
      leads(),
      import("../site/contact_words.ts"),
      import("../schemas/lead.ts"),
    ]);
    const { notices } = FORM_WORDS[locale];
    const requestId = crypto.randomUUID();
    const client = intake.client(
      requestAddress(request, { remoteAddr, trustedHops: config.trustedProxyHops }),
    );
    const empty = { values: {}, faults: {} };

    function refuse(
      status: number,
      { reason, state }: { reason: string; state: FormState },
    ): Promise<Response> {
      log.count("lead.refused", { reason });
      return again(status, {
        state,
        extra: { ...rateLimit.of(intake.limits(client)), "x-request-id": requestId },
      });
    }

    function limited(state: Omit<FormState, "notice">): Promise<Response> {
      log.count("lead.refused", { reason: "rate_limited" });
      const extra = rateLimit.refusal(intake.limits(client));
      const notice = notices.limited(Number(extra["retry-after"]));
      return again(429, {
        state: { ...state, notice },
        extra: { ...extra, "x-request-id": requestId },
      });
    }

    if (!intake.attempt(client)) return limited(empty);
    if (isCrossSite(request)) {
      return refuse(403, {
        reason: "cross_site",
        state: { ...empty, notice: notices.crossSite },
      });
    }
    const body = await readBounded(request, LEAD_BODY);
    if (typeof body === "string" || !isForm(request)) {
      return refuse(400, {
        reason: typeof body === "string" ? `body_${body}` : "unsupported_media_type",
        state: { ...empty, notice: notices.unreadable },
      });
    }
    const values = fieldsOf(new TextDecoder().decode(body));
    const parsed = parseLead(leadOf(values, locale));
    if ("issues" in parsed) {
      const faults = Object.fromEntries(
        parsed.issues.map(({ path, rule }) => [path.slice(1), rule]),
      );
      return refuse(400, {
        reason: "invalid_lead",
        state: { values, faults, notice: notices.invalid },
      });
    }
    const outcome = await intake.submit(parsed.lead, { client, requestId });
    switch (outcome.kind) {
      case "limited":
        return limited({ values, faults: {} });
      case "not_stored":
        return again(502, { state: { values, faults: {}, notice: notices.notStored } });
      case "accepted":
        return new Response(null, {
          status: 303,
          headers: { ...headers, location: contactPaths(locale).sent, "x-request-id": requestId },
        });
    }
  }

  return { post: (c) => post(c.req.raw, c.env.remoteAddr), sent: (c) => sent(c.req.raw) };
}

/** A browser says where a post comes from; what says nothing is no browser, and no one is tricked. */
function isCrossSite({ headers, url }: Request): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site !== "same-origin";
  const origin = headers.get("origin");
  return origin !== null && URL.parse(origin)?.host !== (headers.get("host") ?? new URL(url).host);
}

function isForm(request: Request): boolean {
  const type = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  return type === "application/x-www-form-urlencoded";
}

/** The fields as they were sent. A form writes line breaks as CR LF, people and JSON as LF. */
function fieldsOf(body: string): Partial<Record<Field, string>> {
  const sent = new URLSearchParams(body);
  return Object.fromEntries(
    [...sent].map(([name, value]) => [name, value.replaceAll("\r\n", "\n")]),
  );
}

/** What the API would have been sent: a field left empty is one left out. */
function leadOf(values: Partial<Record<Field, string>>, locale: Locale): Record<string, unknown> {
  const { message, plan, ...rest } = values;
  return {
    ...rest,
    ...(message ? { message } : {}),
    ...(plan ? { plan } : {}),
    locale,
  };
}
