/**
 * @module POST /contact: the contact form without JavaScript, with the API's schema
 * and intake.
 *
 * Success is a 303 to a thank-you page (RFC 9110 §15.4.4), a test lead's to one that says that nothing is
 * stored. Otherwise the form is shown again with the
 * visitor's input and with the status that the API would answer. Posts from other sites are refused
 * (Fetch Metadata; Origin, RFC 6454).
 */

import { lazy } from "../lib/lazy.ts";
import type { FormState } from "../site/contact_form.ts";
import type { Locale } from "../schemas/site_data.ts";
import { CONTACT_PAGE, pathsIn } from "../site/urls.ts";
import type { AppContext, AppHandler, RouteDeps } from "./env.ts";
import { LEAD_BODY, mediaTypeOf, readBounded } from "./http/bounded_body.ts";
import { MAX_LENGTH } from "./http/fields.ts";
import { parseForm } from "./http/form_fields.ts";
import { limitHeader, policyHeader, refusalHeaders } from "./http/rate_limit_headers.ts";
import { uncachedPage } from "./http/security_headers.ts";

/** Reasons to refuse a post before it is parsed as a lead, with the notice for the visitor. */
const REFUSALS = {
  cross_site: { status: 403, notice: "crossSite" },
  unsupported_media_type: { status: 400, notice: "unreadable" },
  body_too_large: { status: 400, notice: "tooLarge" },
  body_too_slow: { status: 400, notice: "unreadable" },
  body_aborted: { status: 400, notice: "unreadable" },
  stopping: { status: 502, notice: "notStored" },
  invalid_utf8: { status: 400, notice: "unreadableText" },
  too_many_fields: { status: 400, notice: "unreadable" },
} as const;

/** No page has it: pages show HTML comments as text. */
const SLOT = "<!-- form -->\n";

type Values = FormState["values"];

interface Form {
  /** The visitor's text as far as it could be read. */
  readonly values: Values;
  readonly problem?: keyof typeof REFUSALS;
}

/** Creates the handler of one language, which comes after `countAttempt`. */
export function contactForm(
  locale: Locale,
  { config, site, assets, stopping }: Pick<RouteDeps, "config" | "site" | "assets" | "stopping">,
): AppHandler {
  const headers = uncachedPage(config.siteUrl, locale);
  const policy = policyHeader({ lead: config.leadRateLimit, attempt: config.leadAttemptLimit });

  /** Loaded with the first post. */
  const modules = lazy(async () => ({
    ...await import("../site/contact_form.ts"),
    ...await import("../schemas/words.ts"),
    ...await import("../schemas/lead.ts"),
  }));

  /**
   * The contact page, with {@link SLOT} for its form. Assets are linked here, without the form: finding
   * references in 64 KiB of a visitor's text took longer than rendering it.
   */
  const page = lazy(async () => {
    const file = `${locale}/${CONTACT_PAGE}.md`;
    return await assets.link(await (await site()).html({ file, form: SLOT }), "html");
  });

  async function post(c: AppContext): Promise<Response> {
    const { intake, log, clientKey, isAdmitted, requestId } = c.get("attempt");
    const { contactForm, invalidForm, fill, mayBeBlank, parseLead, refusalOf, waitText, wordsOf } =
      await modules();
    const { notices } = wordsOf(locale).form;

    function respond(status: number, body: string | null, extra = {}): Response {
      const limits = limitHeader(intake.limits(clientKey));
      const own = { ...policy, ...limits, "x-request-id": requestId };
      return new Response(body, { status, headers: { ...headers, ...own, ...extra } });
    }

    async function show(status: number, form: Partial<FormState>, extra = {}): Promise<Response> {
      const shown = contactForm(locale, form);
      return respond(status, (await page()).replace(SLOT, () => shown), extra);
    }

    function limited(values: Values): Promise<Response> {
      log.count("lead.refused", { reason: "rate_limited" });
      const extra = refusalHeaders(intake.limits(clientKey));
      const wait = waitText(locale, Number(extra["retry-after"]));
      return show(429, { values, notice: fill(notices.limited, { wait }) }, extra);
    }

    // Read the body even when rate limited, to keep the visitor's text.
    const { values, problem } = await readForm(c.req.raw, stopping);
    if (!isAdmitted) return await limited(values);
    if (problem !== undefined) {
      log.count("lead.refused", { reason: problem });
      const { status, notice } = REFUSALS[problem];
      return await show(status, { values, notice: notices[notice] });
    }
    const filled = Object.entries(values)
      .filter(([name, value]) => value !== "" || mayBeBlank(name));
    const parsed = parseLead({ ...Object.fromEntries(filled), locale });
    if ("issues" in parsed) {
      log.count("lead.refused", { reason: refusalOf(parsed.issues) });
      return await show(400, invalidForm(locale, { values, issues: parsed.issues }));
    }
    const outcome = await intake.submit(parsed.lead, { clientKey, requestId });
    if (outcome.kind === "limited") return await limited(values);
    if (outcome.kind === "not_stored") {
      return await show(502, { values, notice: notices.notStored });
    }
    const { sent, test } = pathsIn(locale);
    return respond(303, null, { location: outcome.kind === "tested" ? test : sent });
  }
  return post;
}

/**
 * Browsers send where a post comes from; `none` is a reload or a restored page. A client that sends
 * neither header is not a browser, so it cannot be tricked into a forged request.
 */
function isCrossSite({ headers, url }: Request): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site !== "same-origin" && site !== "none";
  const origin = headers.get("origin");
  if (origin === null) return false;
  const host = headers.get("host") ?? URL.parse(url)?.host; // HTTP/2 has no Host, and may have any port
  return host === undefined || URL.parse(origin.slice(0, MAX_LENGTH))?.host !== host;
}

async function readForm(request: Request, stopping: AbortSignal): Promise<Form> {
  const refuse = (problem: keyof typeof REFUSALS): Form => ({ values: {}, problem });
  if (isCrossSite(request)) return refuse("cross_site");
  const type = mediaTypeOf(request);
  if (type !== "application/x-www-form-urlencoded") return refuse("unsupported_media_type");
  const body = await readBounded(request, LEAD_BODY);
  if (body === "aborted" && stopping.aborted) return refuse("stopping");
  if (typeof body === "string") return refuse(`body_${body}`);
  return parseForm(body);
}
