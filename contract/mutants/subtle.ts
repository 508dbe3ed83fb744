/**
 * @module Faults that one value, spelling or path of many shows: for the rows of cases, and for
 * chance.
 */

import {
  accepted,
  asPage,
  becomes,
  characters,
  forLead,
  isApi,
  isHtmlAccepted,
  jsonOf,
  MEMBERS,
  type Mutant,
  on,
  onLead,
  refused,
  takenIf,
  when,
  withError,
  withHeaders,
  withJson,
  without,
} from "./mutant.ts";

const VALUES: readonly Mutant[] = [
  {
    name: "locale-de",
    fault: "one locale of two is refused",
    breaks: "acceptance",
    reply: forLead(({ locale }) => locale === "de", when(200, refused("locale", "enum"))),
  },
  {
    name: "email-long",
    fault: "an address of more than 60 characters is refused",
    breaks: "acceptance",
    reply: forLead(({ email }) => characters(email) > 60, when(200, refused("email", "maxLength"))),
  },
  {
    name: "company-blank-end",
    fault: "a company that ends in a blank is refused",
    breaks: "acceptance",
    reply: forLead(
      ({ company }) => typeof company === "string" && /\s$/.test(company),
      when(200, refused("company", "pattern")),
    ),
  },
  {
    name: "message-controls",
    fault: "a message that holds a control character is refused",
    breaks: "acceptance",
    reply: forLead(
      ({ message }) => typeof message === "string" && /\p{Cc}/u.test(message),
      when(200, refused("message", "pattern")),
    ),
  },
  {
    name: "escapes",
    fault: "a body with \\u escapes is refused",
    breaks: "acceptance",
    reply: onLead(when(
      200,
      (reply, passing) =>
        /\\u[0-9a-f]{4}/i.test(passing.body)
          ? refused("company", "pattern")(reply, passing)
          : reply,
    )),
  },
  {
    name: "type-in-capitals",
    fault: "a media type in capitals is refused",
    breaks: "acceptance",
    reply: forLead(
      (_body, { headers }) => /^[A-Z]/.test(headers["content-type"] ?? ""),
      when(200, refused("", "format")),
    ),
  },
  {
    name: "plan-trimmed",
    fault: "a plan with a blank after it is taken",
    breaks: "rejection",
    reply: forLead(
      ({ plan }) => typeof plan === "string" && plan !== plan.trim(),
      when(400, accepted),
    ),
  },
  {
    name: "company-missing",
    fault: "a lead without company is taken",
    breaks: "rejection",
    reply: forLead(
      (body) => !("company" in body) && typeof body.email === "string",
      when(400, accepted),
    ),
  },
  {
    name: "body-65537",
    fault: "a body one byte too long is taken",
    breaks: "rejection",
    reply: takenIf(({ headers }) => headers["content-length"] === "65537"),
  },
  {
    name: "trailing-comma",
    fault: "JSON with a comma too many is taken",
    breaks: "rejection",
    reply: takenIf(({ body }) => /,\s*\}\s*$/.test(body)),
  },
  {
    name: "empty-body-500",
    fault: "a lead without body makes the service fail",
    breaks: "rejection",
    reply: onLead((reply, { body }) => body === "" ? { ...reply, status: 500 } : reply),
  },
];

const ANSWERS: readonly Mutant[] = [
  {
    name: "issues-missing",
    fault: "a wrong lead is not told what is wrong with it",
    breaks: "errors",
    reply: (reply) => withError(reply, ({ details: _gone, ...error }) => error),
  },
  {
    name: "issue-of-another",
    fault: "a wrong plan is told as a wrong locale",
    breaks: "errors",
    reply: when(
      400,
      (reply) => ({ ...reply, body: reply.body.replaceAll('"/plan"', '"/locale"') }),
    ),
  },
  {
    name: "code-of-405",
    fault: "a refused method has a code that belongs to no status",
    breaks: "errors",
    reply: when(
      405,
      (reply) => withError(reply, (error) => ({ ...error, code: "not_allowed" })),
    ),
  },
  {
    name: "html-405-for-browsers",
    fault: "a refused method is an HTML page where HTML is accepted",
    breaks: "errors",
    reply: when(405, (reply, passing) => isHtmlAccepted(passing) ? asPage(reply) : reply),
  },
  {
    name: "unknown-path-405",
    fault: "a POST to an unknown path below /api/ is answered 405",
    breaks: "errors",
    check: "unknown_not_found",
    reply: when(
      404,
      (reply, passing) =>
        passing.method === "POST" && isApi(passing)
          ? withHeaders({ ...reply, status: 405 }, { allow: "GET" })
          : reply,
    ),
  },
  {
    name: "slash-ignored",
    fault: "a slash at the end of a path is ignored",
    breaks: "errors",
    request: ({ path }) => path === "/api/health/" ? { target: "/api/health" } : {},
  },
  {
    name: "case-ignored",
    fault: "a path below /api/ is found in capitals too",
    breaks: "errors",
    request: (passing) => isApi(passing) ? { target: passing.path.toLowerCase() } : {},
  },
  {
    name: "health-405-400",
    fault: "a refused method of the liveness probe is answered 400",
    breaks: "methods",
    reply: on("/api/health", when(405, becomes(400))),
  },
  {
    name: "health-503",
    fault: "the liveness probe is answered 503",
    breaks: "document",
    check: "positive_acceptance",
    reply: on("/api/health", when(200, becomes(503))),
  },
  {
    name: "health-not-ok",
    fault: "the liveness probe says that it is not well, with 200",
    breaks: "document",
    reply: on(
      "/api/health",
      when(200, (reply) => withJson(reply, (body) => ({ ...body, ok: false }))),
    ),
  },
  {
    name: "site-without-product-api",
    fault: "the site index does not say where the product API is",
    breaks: "document",
    reply: on(
      "/api/site",
      (reply) => withJson(reply, ({ productApi: _gone, ...body }) => body),
    ),
  },
  {
    name: "yaml-malformed",
    fault: "the YAML document is no YAML",
    breaks: "document",
    reply: on(
      "/api/openapi.yaml",
      when(200, (reply) => ({ ...reply, body: `${reply.body}\n\t- [` })),
    ),
  },
  {
    name: "echo-unknown-member",
    fault: "an error names a member that nobody knows",
    breaks: "privacy",
    reply: when(400, (reply, passing) => {
      const unknown = Object.keys(Object(jsonOf(passing))).find((name) => !MEMBERS.includes(name));
      return unknown !== undefined && /^[\w-]+$/.test(unknown)
        ? withError(reply, (error) => ({ ...error, message: `Nobody knows ${unknown}.` }))
        : reply;
    }),
  },
  {
    name: "cache-control-lost-304",
    fault: "Cache-Control is lost on 304",
    breaks: "headers",
    reply: when(304, without("cache-control")),
  },
];

/** Qualities with fewer digits than they have. */
const rounded = (accept: string) =>
  accept.replace(/q=(0\.\d+)/g, (_all, q) => `q=${Math.round(Number(q) * 10) / 10}`);

const PAGES: readonly Mutant[] = [
  {
    name: "quality-one-digit",
    fault: "qualities are compared by their first digit",
    breaks: "negotiation",
    request: ({ headers }) =>
      /q=0\.\d\d/.test(headers["accept"] ?? "")
        ? { headers: { accept: rounded(headers["accept"]!) } }
        : {},
  },
  {
    name: "text-wildcard-markdown",
    fault: "text/* gets markdown",
    breaks: "negotiation",
    request: ({ headers }) =>
      /^\s*text\/\*\s*$/.test(headers["accept"] ?? "")
        ? { headers: { accept: "text/markdown" } }
        : {},
  },
  {
    name: "german-html-only",
    fault: "one German page is HTML whatever is accepted",
    breaks: "negotiation",
    check: "pages_negotiate",
    request: ({ path }) => path === "/de/product" ? { headers: { accept: "text/html" } } : {},
  },
  {
    name: "odd-accept-406",
    fault: "an Accept field that is none is answered 406",
    breaks: "negotiation",
    reply: (reply, passing) =>
      !isApi(passing) && /^[^/]+$/.test(passing.headers["accept"] ?? "")
        ? { ...reply, status: 406 }
        : reply,
  },
  {
    name: "missing-page-200",
    fault: "a page that is not there is answered 200",
    breaks: "negotiation",
    reply: when(
      404,
      (reply, passing) => isApi(passing) ? reply : { ...reply, status: 200 },
    ),
  },
  {
    name: "weak-tag-differs",
    fault: "a weak entity tag never matches",
    breaks: "headers",
    request: ({ headers }) =>
      /^W\//.test(headers["if-none-match"] ?? "")
        ? { headers: { "if-none-match": '"another"' } }
        : {},
  },
];

/** What few requests of many show. */
export const SUBTLE: readonly Mutant[] = [...VALUES, ...ANSWERS, ...PAGES];
