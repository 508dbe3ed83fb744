/** @module Faults in the shape of answers: bodies, errors, media types, and what they give away. */

import {
  asPage,
  forLead,
  isApi,
  isHtmlAccepted,
  jsonOf,
  LEAD,
  type Mutant,
  on,
  type Spoil,
  when,
  withError,
  withHeaders,
  withJson,
} from "./mutant.ts";

const onSuccess = (path: string, spoil: Spoil) => on(path, when(200, spoil));

const SUCCESSES: readonly Mutant[] = [
  {
    name: "health-ok-string",
    fault: "`ok` of the health answer is a string",
    breaks: "document",
    check: "body_schema",
    reply: onSuccess(
      "/api/health",
      (reply) => withJson(reply, (body) => ({ ...body, ok: "true" })),
    ),
  },
  {
    name: "health-extra-member",
    fault: "the health answer has a member more",
    breaks: "document",
    reply: onSuccess(
      "/api/health",
      (reply) => withJson(reply, (body) => ({ ...body, uptime: 12 })),
    ),
  },
  {
    name: "health-without-status",
    fault: "the health answer lacks `status`",
    breaks: "document",
    reply: onSuccess(
      "/api/health",
      (reply) => withJson(reply, ({ status: _gone, ...body }) => body),
    ),
  },
  {
    name: "site-url-relative",
    fault: "the site index has a relative `url`",
    breaks: "document",
    reply: onSuccess("/api/site", (reply) => withJson(reply, (body) => ({ ...body, url: "/" }))),
  },
  {
    name: "site-resource-number",
    fault: "a resource of the site index is no string",
    breaks: "document",
    reply: onSuccess(
      "/api/site",
      (reply) =>
        withJson(reply, (body) => ({ ...body, resources: { ...body.resources, home: 1 } })),
    ),
  },
  {
    name: "delivered-string",
    fault: "`delivered` is a string",
    breaks: "document",
    reply: onSuccess(LEAD, (reply) => withJson(reply, (body) => ({ ...body, delivered: "false" }))),
  },
  {
    name: "lead-answer-id",
    fault: "the answer to a lead has a member more",
    breaks: "document",
    reply: onSuccess(LEAD, (reply) => withJson(reply, (body) => ({ ...body, id: "018f" }))),
  },
  {
    name: "yaml-as-json-type",
    fault: "the YAML document is sent as text/yaml",
    breaks: "document",
    reply: onSuccess(
      "/api/openapi.yaml",
      (reply) => withHeaders(reply, { "content-type": "text/yaml" }),
    ),
  },
  {
    name: "site-as-text",
    fault: "the site index is sent as text/plain",
    breaks: "document",
    check: "media_type",
    reply: onSuccess("/api/site", (reply) => withHeaders(reply, { "content-type": "text/plain" })),
  },
];

const ERRORS: readonly Mutant[] = [
  {
    name: "hint-empty-405",
    fault: "`hint` is empty on 405",
    breaks: "errors",
    check: "error_shape",
    reply: when(405, (reply) => withError(reply, (error) => ({ ...error, hint: "" }))),
  },
  {
    name: "message-missing-404",
    fault: "a 404 below /api/ lacks `message`",
    breaks: "errors",
    reply: when(404, (reply) => withError(reply, ({ message: _gone, ...error }) => error)),
  },
  {
    name: "code-of-404",
    fault: "a 404 has the code of a 405",
    breaks: "errors",
    check: "error_code",
    reply: when(
      404,
      (reply) => withError(reply, (error) => ({ ...error, code: "method_not_allowed" })),
    ),
  },
  {
    name: "code-of-bad-json",
    fault: "what is no JSON has the code of a wrong lead",
    breaks: "errors",
    reply: when(
      400,
      (reply) =>
        withError(
          reply,
          (error) => error.code === "invalid_json" ? { ...error, code: "invalid_lead" } : error,
        ),
    ),
  },
  {
    name: "docs-relative",
    fault: "`docs` is relative on 400",
    breaks: "errors",
    reply: when(400, (reply) => withError(reply, (error) => ({ ...error, docs: "/docs" }))),
  },
  {
    name: "docs-dead",
    fault: "`docs` leads nowhere",
    breaks: "errors",
    check: "docs_resolve",
    reply: when(
      404,
      (reply) => withError(reply, (error) => ({ ...error, docs: `${error.docs}-moved` })),
    ),
  },
  {
    name: "error-extra-member",
    fault: "an error has a member `stack`",
    breaks: "errors",
    reply: when(
      405,
      (reply) => withError(reply, (error) => ({ ...error, stack: "at app.ts" })),
    ),
  },
  {
    name: "error-beside-member",
    fault: "a member stands beside `error`",
    breaks: "errors",
    reply: when(
      400,
      (reply) => withJson(reply, (body) => "error" in body ? { ...body, ok: false } : body),
    ),
  },
  {
    name: "issue-pointer",
    fault: "the issues of a wrong lead name its members without a slash",
    breaks: "errors",
    reply: when(
      400,
      (reply) =>
        withError(reply, (error) =>
          error.details?.issues === undefined ? error : {
            ...error,
            details: {
              issues: error.details.issues.map((issue: { path: string }) => ({
                ...issue,
                path: issue.path.slice(1),
              })),
            },
          }),
    ),
  },
  {
    name: "html-404-for-browsers",
    fault: "an unknown path below /api/ is an HTML page where HTML is accepted",
    breaks: "errors",
    reply: when(
      404,
      (reply, passing) => isApi(passing) && isHtmlAccepted(passing) ? asPage(reply) : reply,
    ),
  },
  {
    name: "unknown-path-200",
    fault: "an unknown path below /api/ is answered 200",
    breaks: "errors",
    check: "unknown_path",
    reply: when(
      404,
      (reply, passing) => isApi(passing) ? { ...reply, status: 200 } : reply,
    ),
  },
  {
    name: "problem-json",
    fault: "a wrong lead is told as application/problem+json",
    breaks: "errors",
    reply: forLead(
      () => true,
      when(400, (reply) => withHeaders(reply, { "content-type": "application/problem+json" })),
    ),
  },
];

const PRIVACY: readonly Mutant[] = [
  {
    name: "echo-in-message",
    fault: "an error's message repeats the address that was sent",
    breaks: "privacy",
    check: "no_echo",
    reply: when(400, (reply, passing) => {
      const email = jsonOf(passing)?.email;
      return typeof email === "string"
        ? withError(reply, (error) => ({ ...error, message: `Cannot take ${email}.` }))
        : reply;
    }),
  },
  {
    name: "echo-in-details",
    fault: "an error's details repeat the value that is wrong",
    breaks: "privacy",
    reply: on(
      LEAD,
      when(
        400,
        (reply, { body }) =>
          body === ""
            ? reply
            : withError(reply, (error) => ({ ...error, details: { received: body } })),
      ),
    ),
  },
  {
    name: "echo-in-header",
    fault: "a header of a refusal repeats the company",
    breaks: "privacy",
    reply: (reply, passing) => {
      const company = jsonOf(passing)?.company;
      if (reply.status < 400 || typeof company !== "string" || !/^[\x20-\x7e]+$/.test(company)) {
        return reply;
      }
      return withHeaders(reply, { "x-debug": company });
    },
  },
  {
    name: "echo-path",
    fault: "a 404 repeats the path",
    breaks: "privacy",
    reply: when(
      404,
      (reply, { path }) =>
        withError(reply, (error) => ({ ...error, message: `There is no ${path}.` })),
    ),
  },
];

/** Answers that are not as they are described. */
export const SHAPES: readonly Mutant[] = [...SUCCESSES, ...ERRORS, ...PRIVACY];
