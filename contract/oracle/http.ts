/** @module Rules of HTTP for every answer: its status, and what RFC 9110 requires of some. */

import { isJsonType, mediaFor, type Operation, responseFor } from "../document/document.ts";
import type { Call } from "../lib/exchange.ts";
import { retryAfterOf } from "../lib/retry_after.ts";
import { type Case, isGeneric, isSuccess, mediaTypeOf, type Problems } from "./check.ts";
import { declareRules } from "../lib/rules.ts";

export const HTTP_RULES = declareRules({
  no_server_error: "breach: no request makes the service fail",
  status_documented: "breach: an operation answers only with statuses that its document lists",
  method_undocumented: "breach: a method that the document does not list for a path does not work",
  allow_on_405: "breach: a 405 has the field Allow (RFC 9110 §15.5.6)",
  challenge_on_401: "breach: a 401 has the field WWW-Authenticate (RFC 9110 §15.5.2)",
  retry_after: "breach: Retry-After is a number of seconds or a date (RFC 9110 §10.2.3)",
  no_content: "breach: a 204 has no Content-Length, and a 205 no content (RFC 9110 §8.6, §15.3.6)",
  not_modified: "breach: If-None-Match works, and 304 has the fields for caches (RFC 9110 §13.1.2)",
  undecodable_survived:
    "advice: lone surrogates in JSON (RFC 8259 §8.2), or bytes of an undocumented media type that are no UTF-8, do not make the service fail",
  unavailable: "advice: no part of the service is down, unless the document lists that status",
  redirected: "advice: an operation is at its path, with the same slash at the end",
  status_common: "advice: the document lists common statuses too, such as 401, 404 or 413",
  method_not_allowed: "advice: an undocumented method gets 405, or 501 (RFC 9110 §15.5.6, §15.6.2)",
  options_offered: "advice: OPTIONS works, and lists the methods (RFC 9110 §9.3.7)",
  retry_after_useful: "advice: a 429 or 503 says when to try again (RFC 9110 §15.6.4, RFC 6585 §4)",
  revalidation: "advice: If-Modified-Since works, and 304 has no media type (RFC 9110 §13.1.3)",
});

/** Sent by frameworks and gateways: a document need not list every status (OpenAPI 3.1 §4.8.16). */
const COMMON = new Set([403, 406, 408, 411, 413, 414, 415, 417, 421, 426, 428, 429, 431]);

/** Sent by gateways, or while a part of the service is down (RFC 9110 §15.6.3 to §15.6.5). */
const UNAVAILABLE = new Set([502, 503, 504]);

/** Right for an undocumented method, before and instead of a 405. */
const REFUSALS = new Set([401, 403, 405, 407, 429, 501, ...UNAVAILABLE]);

export function statusProblems(exchange: Case): Problems<typeof HTTP_RULES> {
  const { operation, neighbours, call, answer: { status } } = exchange;
  const documented = operation && responseFor(operation, status);
  // `default` describes the body of an error, and does not announce that the service fails.
  const isAnnounced = documented !== undefined && documented.status.toLowerCase() !== "default";
  if (status >= 500 && !isAnnounced && status !== 501 && !UNAVAILABLE.has(status)) {
    const rule = isUndecodable(exchange) ? "undecodable_survived" : "no_server_error";
    return { [rule]: `status ${status}` };
  }
  if (documented !== undefined || isGeneric(exchange)) return {};
  const message = `status ${status} is not documented`;
  if (UNAVAILABLE.has(status)) return { unavailable: message };
  if (neighbours.length === 0) return {};
  if (operation === undefined) return methodProblems(exchange);
  // HEAD of a documented GET is compared with that GET.
  if (call.method !== operation.method) return {};
  // `GET /flows/count`, if only POST is documented there, need not be `GET /flows/{id}`.
  if (status === 405 && neighbours[0]!.path !== operation.path) return {};
  if (isSamePlace(exchange)) return { redirected: `${status} redirects to the same path` };
  return { [isCommon(exchange, operation) ? "status_common" : "status_documented"]: message };
}

/** Whether a redirect only adds or removes a slash, or names another origin. */
function isSamePlace({ base, call, answer: { status, headers } }: Case): boolean {
  const location = headers.get("location");
  const bare = (url: string) => URL.parse(url, base + call.path)?.pathname.replace(/\/+$/, "");
  return status > 300 && status < 400 && location !== null && bare(location) === bare("");
}

function isCommon({ tier, call, answer: { status } }: Case, operation: Operation): boolean {
  const { path, parameters, bodies, secured } = operation;
  const isTemplated = path.includes("{");
  const common: Readonly<Record<number, boolean>> = {
    400: tier === "raw" || isMalformed(call, operation),
    401: secured || (call.headers ?? []).some(([name]) => /^auth|key/i.test(name)),
    404: isTemplated || parameters.length > 0 || bodies.length > 0,
    405: isTemplated,
  };
  return common[status] ?? COMMON.has(status);
}

function typeOf({ headers = [] }: Call): string {
  return mediaTypeOf(new Headers(headers.map(([name, value]) => [name, value])));
}

/** Whether the message itself is malformed: no document describes that. */
function isMalformed(call: Call, { bodies }: Operation): boolean {
  try {
    const { path, body = "" } = call;
    if (decodeURIComponent(path).includes("\0")) return true;
    if (body.length === 0) return false;
    const type = typeOf(call);
    if (mediaFor(bodies, type) === undefined) return true;
    const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
    if (isJsonType(type)) JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return false;
  } catch {
    return true;
  }
}

/** Whether the body has no text in UTF-8, so that frameworks fail when they quote it. */
function isUndecodable({ call, operation }: Case): boolean {
  const { body = "" } = call;
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const isDocumented = mediaFor(operation?.bodies ?? [], typeOf(call)) !== undefined;
  if (typeof body !== "string" && !isDocumented) return text.includes("\ufffd");
  try {
    // JSON.stringify() leaves half a surrogate pair escaped.
    return /(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(JSON.stringify(JSON.parse(text)));
  } catch {
    return false;
  }
}

function methodProblems(exchange: Case): Problems<typeof HTTP_RULES> {
  const { neighbours, call, answer: { status, headers } } = exchange;
  if (call.method === "OPTIONS") {
    const isRefused = [400, 404, 405, 501].includes(status);
    return { options_offered: isRefused && `OPTIONS got ${status}` };
  }
  // A templated path may name a thing that does not exist.
  const isMissing = status === 404 && neighbours.every(({ path }) => path.includes("{"));
  if (REFUSALS.has(status) || isMissing) return {};
  // A page for every unknown path, as of single-page applications, or the answer to TRACE.
  const isFallback = ["text/html", "message/http"].includes(mediaTypeOf(headers));
  const works = isSuccess(exchange) && !isFallback;
  const message = `an undocumented method got ${status} instead of 405`;
  return { [works ? "method_undocumented" : "method_not_allowed"]: message };
}

export function protocolProblems(
  { call, answer: { status, headers, body } }: Case,
): Problems<typeof HTTP_RULES> {
  const lacks = (name: string) => !headers.has(name) && `${status} without ${name}`;
  const after = headers.get("retry-after");
  const isTime = after === null || retryAfterOf(headers) !== undefined;
  // The tag that matched is that of the 200.
  const hasTag = call.headers?.some(([name, value]) =>
    name.toLowerCase() === "if-none-match" && value.includes('"')
  );
  return {
    allow_on_405: status === 405 && lacks("Allow"),
    challenge_on_401: status === 401 && lacks("WWW-Authenticate"),
    retry_after: !isTime && "Retry-After is neither a number of seconds nor a date",
    retry_after_useful: (status === 429 || status === 503) &&
      (lacks("Retry-After") || /^0+$/.test(after!) && `${status} with Retry-After 0`),
    no_content: (status === 204 && headers.has("content-length") && "204 with Content-Length") ||
      (status === 205 && body.length > 0 && "205 with content"),
    not_modified: status === 304 && hasTag && lacks("etag"),
    revalidation: status === 304 && headers.has("content-type") && "304 with a media type",
  };
}
