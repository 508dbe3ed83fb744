/** @module Faults in errors: shape, codes, and what they reveal. */

import {
  asPage,
  becomes,
  body,
  error,
  forLead,
  given,
  header,
  isApi,
  isHtmlAccepted,
  json,
  jsonOf,
  LEAD,
  on,
  requests,
  to,
  unknownMember,
  when,
  withHeaders,
} from "./changes.ts";
import type { MutantTable } from "./mutant.ts";

/** Errors that differ from the document, and errors that repeat the request. */
export const ERRORS: MutantTable = {
  "`hint` is empty on 405": [when(405, error((one) => one.hint = "")), "error_shape"],
  "a 404 below /api/ lacks `message`": when(404, error((one) => delete one.message)),
  "a 404 has the code of a 405": [
    when(404, error((one) => one.code = "method_not_allowed")),
    "error_code",
  ],
  "a 405 has a code that belongs to no status": when(
    405,
    error((one) => one.code = "not_allowed"),
  ),
  "malformed JSON has the code of an invalid lead": when(
    400,
    body((text) => text.replace('"code":"invalid_json"', '"code":"invalid_lead"')),
  ),
  "`docs` is relative on 400": when(400, error((one) => one.docs = "/docs")),
  "`docs` is a dead link": [when(404, error((one) => one.docs += "-moved")), "docs_resolve"],
  "an error has a member `stack`": when(405, error((one) => one.stack = "at app.ts")),
  "the body of an error has a member beside `error`": when(
    400,
    json((value) => "error" in value && (value.ok = false)),
  ),
  "an error has no details": error((one) => delete one.details),
  "the issues of an invalid lead name members without a slash": when(
    400,
    error(({ details }) => {
      for (const issue of details?.issues ?? []) issue.path = issue.path.slice(1);
    }),
  ),
  "an unknown plan is reported as an unknown locale": when(
    400,
    body((text) => text.replaceAll('"/plan"', '"/locale"')),
  ),
  "an unknown path below /api/ is an HTML page for clients that accept HTML": when(
    404,
    given((request) => isApi(request) && isHtmlAccepted(request), asPage),
  ),
  "a 405 is an HTML page for clients that accept HTML": when(405, given(isHtmlAccepted, asPage)),
  "an unknown path below /api/ is answered 200": [
    when(404, given(isApi, becomes(200))),
    "unknown_path",
  ],
  "a POST to an unknown path below /api/ is answered 405": [
    when(
      404,
      to(
        "POST",
        given(isApi, (reply) => withHeaders({ ...reply, status: 405 }, { allow: "GET" })),
      ),
    ),
    "unknown_not_found",
  ],
  "an invalid lead is answered as application/problem+json": forLead(
    () => true,
    when(400, header("content-type", "application/problem+json")),
  ),
  "a trailing slash in a path is ignored": requests(({ path }) => path === "/api/health/", {
    target: "/api/health",
  }),
  "a path below /api/ is found in capitals too": {
    request: (request) => isApi(request) ? { target: request.path.toLowerCase() } : {},
  },
  "an error's message repeats the address that was sent": [
    when(
      400,
      given(
        (request) => typeof jsonOf(request)?.email === "string",
        error((one, request) => one.message = `Cannot take ${jsonOf(request).email}.`),
      ),
    ),
    "no_echo",
  ],
  "an error's details repeat the invalid value": on(
    LEAD,
    when(
      400,
      given(
        ({ body }) => body !== "",
        error((one, { body }) => one.details = { received: body }),
      ),
    ),
  ),
  "a header of a refusal repeats the company": (reply, request) => {
    const company = jsonOf(request)?.company;
    const isEchoed = reply.status >= 400 && typeof company === "string" &&
      /^[\x20-\x7e]+$/.test(company);
    return isEchoed ? withHeaders(reply, { "x-debug": company }) : reply;
  },
  "a 404 repeats the path": when(
    404,
    error((one, { path }) => one.message = `There is no ${path}.`),
  ),
  "an error names a member that no lead has": when(
    400,
    given(
      (request) => /^[\w-]+$/.test(unknownMember(request) ?? ""),
      error((one, request) => one.message = `${unknownMember(request)} is not allowed.`),
    ),
  ),
};
