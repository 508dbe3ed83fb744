/** @module Faults in errors: their shape, their codes, and what they reveal. */

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
  type Mutant,
  mutantsOf,
  on,
  requests,
  to,
  unknownMember,
  when,
  withHeaders,
} from "./mutant.ts";

/** Errors that are not as they are described, and errors that repeat the request. */
export const ERRORS: readonly Mutant[] = [
  ...mutantsOf({ breaks: "errors" }, {
    "hint-empty-405": [
      "`hint` is empty on 405",
      when(405, error((one) => one.hint = "")),
      "error_shape",
    ],
    "message-missing-404": [
      "a 404 below /api/ lacks `message`",
      when(404, error((one) => delete one.message)),
    ],
    "code-of-404": [
      "a 404 has the code of a 405",
      when(404, error((one) => one.code = "method_not_allowed")),
      "error_code",
    ],
    "code-of-405": [
      "a 405 has a code that belongs to no status",
      when(405, error((one) => one.code = "not_allowed")),
    ],
    "code-of-bad-json": [
      "malformed JSON has the code of an invalid lead",
      when(400, body((text) => text.replace('"code":"invalid_json"', '"code":"invalid_lead"'))),
    ],
    "docs-relative": ["`docs` is relative on 400", when(400, error((one) => one.docs = "/docs"))],
    "docs-dead": [
      "`docs` is a dead link",
      when(404, error((one) => one.docs += "-moved")),
      "docs_resolve",
    ],
    "error-extra-member": [
      "an error has a member `stack`",
      when(405, error((one) => one.stack = "at app.ts")),
    ],
    "error-beside-member": [
      "the body of an error has a member beside `error`",
      when(400, json((value) => "error" in value && (value.ok = false))),
    ],
    "issues-missing": ["an error has no details", error((one) => delete one.details)],
    "issue-pointer": [
      "the issues of an invalid lead name members without a slash",
      when(
        400,
        error(({ details }) => {
          for (const issue of details?.issues ?? []) issue.path = issue.path.slice(1);
        }),
      ),
    ],
    "issue-of-another": [
      "an unknown plan is reported as an unknown locale",
      when(400, body((text) => text.replaceAll('"/plan"', '"/locale"'))),
    ],
    "html-404-for-browsers": [
      "an unknown path below /api/ is an HTML page for clients that accept HTML",
      when(404, given((passing) => isApi(passing) && isHtmlAccepted(passing), asPage)),
    ],
    "html-405-for-browsers": [
      "a 405 is an HTML page for clients that accept HTML",
      when(405, given(isHtmlAccepted, asPage)),
    ],
    "unknown-path-200": [
      "an unknown path below /api/ is answered 200",
      when(404, given(isApi, becomes(200))),
      "unknown_path",
    ],
    "unknown-path-405": [
      "a POST to an unknown path below /api/ is answered 405",
      when(
        404,
        to(
          "POST",
          given(isApi, (reply) => withHeaders({ ...reply, status: 405 }, { allow: "GET" })),
        ),
      ),
      "unknown_not_found",
    ],
    "problem-json": [
      "an invalid lead is answered as application/problem+json",
      forLead(() => true, when(400, header("content-type", "application/problem+json"))),
    ],
    "slash-ignored": [
      "a trailing slash in a path is ignored",
      requests(({ path }) => path === "/api/health/", { target: "/api/health" }),
    ],
    "case-ignored": ["a path below /api/ is found in capitals too", {
      request: (passing) => isApi(passing) ? { target: passing.path.toLowerCase() } : {},
    }],
  }),
  ...mutantsOf({ breaks: "privacy" }, {
    "echo-in-message": [
      "an error's message repeats the address that was sent",
      when(
        400,
        given(
          (passing) => typeof jsonOf(passing)?.email === "string",
          error((one, passing) => one.message = `Cannot take ${jsonOf(passing).email}.`),
        ),
      ),
      "no_echo",
    ],
    "echo-in-details": [
      "an error's details repeat the invalid value",
      on(
        LEAD,
        when(
          400,
          given(
            ({ body }) => body !== "",
            error((one, { body }) => one.details = { received: body }),
          ),
        ),
      ),
    ],
    "echo-in-header": ["a header of a refusal repeats the company", (reply, passing) => {
      const company = jsonOf(passing)?.company;
      const isEchoed = reply.status >= 400 && typeof company === "string" &&
        /^[\x20-\x7e]+$/.test(company);
      return isEchoed ? withHeaders(reply, { "x-debug": company }) : reply;
    }],
    "echo-path": [
      "a 404 repeats the path",
      when(404, error((one, { path }) => one.message = `There is no ${path}.`)),
    ],
    "echo-unknown-member": [
      "an error names a member that no lead has",
      when(
        400,
        given(
          (passing) => /^[\w-]+$/.test(unknownMember(passing) ?? ""),
          error((one, passing) => one.message = `${unknownMember(passing)} is not allowed.`),
        ),
      ),
    ],
  }),
];
