/**
 * @module Rules for the status of an answer: documented, common to all services, or not to be sent.
 */

import { isJsonType, mediaFor, type Operation, responseFor } from "../document.ts";
import type { Call } from "../exchange.ts";
import { type Case, type Checks, isGeneric, isSuccess, mediaTypeOf } from "./check.ts";

/**
 * Statuses that frameworks, middleware and gateways send for any operation. A document is expected to
 * cover known errors, not every status (OpenAPI 3.1 §4.8.16).
 */
const COMMON = new Set([403, 406, 408, 411, 413, 414, 415, 417, 421, 426, 428, 429, 431]);

/** Sent by gateways, or while a part of the service is down (RFC 9110 §15.6.3 to §15.6.5). */
const UNAVAILABLE = new Set([502, 503, 504]);

/** Right for an undocumented method, before and instead of a 405. */
const REFUSALS = new Set([401, 403, 405, 407, 429, 501, ...UNAVAILABLE]);

const STATUS_RULES = [
  "no_server_error",
  "surrogate_survived",
  "unavailable",
  "status_documented",
  "status_common",
  "redirected",
  "method_undocumented",
  "method_not_allowed",
  "options_offered",
] as const;

/** The message by its rule; at most one. */
type Fault = Partial<Record<typeof STATUS_RULES[number], string>>;

export const STATUS_CHECKS: Checks = Object.fromEntries(
  STATUS_RULES.map((name) => [name, (exchange) => statusFault(exchange)[name]]),
);

function statusFault(exchange: Case): Fault {
  const { operation, neighbours, call, answer: { status } } = exchange;
  const documented = operation && responseFor(operation, status);
  // `default` describes the body of an error, and does not announce that the service fails.
  const isAnnounced = documented !== undefined && documented.status.toLowerCase() !== "default";
  if (status >= 500 && !isAnnounced && status !== 501 && !UNAVAILABLE.has(status)) {
    const check = hasLoneSurrogate(call) ? "surrogate_survived" : "no_server_error";
    return { [check]: `status ${status}` };
  }
  if (documented !== undefined || isGeneric(exchange)) return {};
  const message = `status ${status} is not documented`;
  if (UNAVAILABLE.has(status)) return { unavailable: message };
  if (neighbours.length === 0) return {};
  if (operation === undefined) return methodFault(exchange);
  // HEAD of a documented GET is compared with that GET.
  if (call.method !== operation.method) return {};
  // `GET /flows/count`, if only POST is documented there, need not be `GET /flows/{id}`.
  if (status === 405 && neighbours[0]!.path !== operation.path) return {};
  if (isSamePlace(exchange)) return { redirected: `${status} redirects to the same path` };
  return isCommon(exchange, operation)
    ? { status_common: message }
    : { status_documented: message };
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
  switch (status) {
    case 400:
      return tier === "raw" || isMalformed(call, operation);
    case 401:
      return secured || (call.headers ?? []).some(([name]) => /^auth|key/i.test(name));
    case 404:
      return isTemplated || parameters.length > 0 || bodies.length > 0;
    case 405:
      return isTemplated;
    default:
      return COMMON.has(status);
  }
}

/** Whether the message itself is malformed: no document describes that. */
function isMalformed(call: Call, { bodies }: Operation): boolean {
  try {
    if (decodeURIComponent(call.path).includes("\0")) return true;
    const { body = "", headers = [] } = call;
    const type = mediaTypeOf(new Headers(headers.map(([name, value]) => [name, value])));
    if (body.length === 0) return false;
    if (mediaFor(bodies, type) === undefined) return true;
    const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
    if (isJsonType(type)) JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return false;
  } catch {
    return true;
  }
}

/** Whether the body is JSON with a text that no UTF-8 can express. */
function hasLoneSurrogate({ body = "" }: Call): boolean {
  try {
    const text = typeof body === "string" ? body : new TextDecoder().decode(body);
    let isFound = false;
    JSON.parse(text, (name, value) => {
      isFound ||= !name.isWellFormed() || (typeof value === "string" && !value.isWellFormed());
      return value;
    });
    return isFound;
  } catch {
    return false;
  }
}

/** The fault in an answer to a method that the path does not document. */
function methodFault(exchange: Case): Fault {
  const { neighbours, call, answer: { status, headers } } = exchange;
  if (call.method === "OPTIONS") {
    const isRefused = [400, 404, 405, 501].includes(status);
    return isRefused ? { options_offered: `OPTIONS got ${status}` } : {};
  }
  // A templated path may name a thing that does not exist.
  const isMissing = status === 404 && neighbours.every(({ path }) => path.includes("{"));
  if (REFUSALS.has(status) || isMissing) return {};
  const message = `an undocumented method got ${status} instead of 405`;
  // A page for every unknown path, as of single-page applications, or the answer to TRACE.
  const isFallback = ["text/html", "message/http"].includes(mediaTypeOf(headers));
  const works = isSuccess(exchange) && !isFallback;
  return works ? { method_undocumented: message } : { method_not_allowed: message };
}
