/**
 * @module All rules by name: what is always true of a service that keeps its contract, and what it means
 * if it is not.
 */

/**
 * `breach`: the document or a MUST of an RFC is broken. `advice`: a SHOULD, or something that clients
 * miss. `coverage`: the run could not see or generate something.
 */
export type Severity = "breach" | "advice" | "coverage";

export interface Rule {
  readonly severity: Severity;
  /** One sentence. */
  readonly rule: string;
}

const BREACHES = {
  // Every answer (`oracle/`).
  no_server_error: "no request makes the service fail",
  status_documented: "an operation answers only with statuses that its document lists",
  method_undocumented: "a method that the document does not list for a path does not work",
  media_type: "a body has a media type that the document lists for its status",
  response_headers: "required headers are present, and documented headers match their schemas",
  body_schema: "a body matches the schema documented for its status and media type",
  success_says: "the body of a 200 has the values that the profile requires",
  error_shape: "every error is JSON in the documented shape, whatever Accept asks for",
  error_code: "an error's code is one that the document or the profile gives for its status",
  allow_on_405: "a 405 has the field Allow (RFC 9110 §15.5.6)",
  challenge_on_401: "a 401 has the field WWW-Authenticate (RFC 9110 §15.5.2)",
  retry_after: "Retry-After is a number of seconds or a date (RFC 9110 §10.2.3)",
  no_content: "a 204 has no Content-Length, and a 205 no content (RFC 9110 §8.6, §15.3.6)",
  not_modified:
    "If-None-Match is obeyed, and a 304 repeats the fields of its 200 that guide caches " +
    "(RFC 9110 §13.1.2, §15.4.5)",
  // Several answers (`tiers/`).
  answers: "every request gets an answer",
  credentials_required: "an operation that needs credentials refuses requests without them",
  base_right: "the paths of the document exist below the base URL",
  credentials_given: "the service lets the run in",
  harness_error: "the harness itself does not fail: what it had left to try was not tried",
  differential: "two services answer alike",
  docs_resolve: "the documentation that an error links to exists",
  head_equals_get:
    "HEAD has the status of GET, and no other Content-Length (RFC 9110 §8.6, §9.3.2)",
  json_equals_yaml: "the documents in JSON and YAML are the same",
  limit_met: "the run does not meet the limits of the service",
  negotiation: "a page has the media type that Accept asks for (RFC 9110 §12.5.1)",
  sibling: "the markdown URL of a page is its markdown",
  // The document.
  document_valid: "the document is valid OpenAPI 3.1",
  specification: "the document agrees with the specification",
  // Generated requests.
  valid_accepted: "a request that fits the document is accepted",
  broken_refused: "a request that breaks the document by one change is refused",
  created_is_found: "what a create has answered with is found",
  use_after_delete: "what was deleted is not found any more",
  anything_survived: "any bytes get a documented answer, and the next request is answered",
  unknown_not_found: "an undocumented path is not found, whatever the method",
  pages_negotiate: "a page is HTML or markdown as Accept asks, and Vary lists Accept",
  // The rows of the case files, and instances.
  case: "a row of the case files gets the answer that it wants",
  promise: "the service keeps its promises about leads when parts of it fail",
  failure: "the service answers as documented when parts of it fail",
  limit_allowance: "the service admits as many requests as its limits allow, and no more",
  limit_clients: "clients are counted apart, by their address as the proxies report it",
  limit_fields: "RateLimit and RateLimit-Policy are well formed and consistent",
  limit_headers: "RateLimit reports what is left, and when more is",
  limit_recovery: "a client is admitted again when its limit allows it",
  limit_refusals: "refusals are fast and extend no wait",
  limit_retry_after: "Retry-After tells how long a client has to wait",
  limit_scope: "only the limited operation is limited",
  limit_unread: "a refused request is answered without its body being read",
  raw: "malformed and unusual messages get an answer that HTTP permits (RFC 9110, RFC 9112)",
} as const;

const ADVICE = {
  // Raw messages.
  raw_advice:
    "malformed and unusual messages get the answer that HTTP advises (RFC 9110, RFC 9112)",
  raw_survival: "the service answers while many connections have sent half a request",
  // Generated requests.
  undecodable_survived:
    "lone surrogates in JSON (RFC 8259 §8.2), or bytes of an undocumented media type that are no " +
    "UTF-8, do not make the service fail",
  coerced: "a value of another type is refused, not converted (JSON Schema §6.1.1)",
  format_refused: "a value that breaks its format is refused (JSON Schema §7.2.1 leaves it open)",
  media_refused: "a body of an undocumented media type gets 415 (RFC 9110 §15.5.16)",
  undocumented_rule: "a request that fits the document is accepted: its schemas tell every rule",
  // The document.
  document_defaults: "the defaults of schemas match them (JSON Schema 2020-12 Validation §9.2)",
  document_examples: "the examples of the document match their schemas (OpenAPI 3.1 §4.8.14)",
  // Every answer.
  unavailable: "no part of the service is down, unless the document lists that status",
  status_common:
    "the document also lists statuses that many services send, such as 401, 404 or 413",
  redirected: "an operation is at its path, with the same slash at the end",
  method_not_allowed: "an undocumented method gets 405, or 501 (RFC 9110 §15.5.6, §15.6.2)",
  no_echo: "no error repeats a part of its request, in body or headers",
  retry_after_useful: "a 429 or 503 says when to try again (RFC 9110 §15.6.4, RFC 6585 §4)",
  // Several answers. Starlette names the methods of one of several routes, so `allow` is no breach.
  allow: "Allow lists exactly the methods that work (RFC 9110 §10.2.1)",
  authorization_ignored: "credentials make no difference where none are required",
  head_fields: "HEAD has the fields of GET (RFC 9110 §9.3.2)",
  head_offered: "HEAD works where GET does (RFC 9110 §9.1)",
  options_offered: "OPTIONS works, and lists the methods (RFC 9110 §9.3.7)",
  positive_acceptance: "a documented request is accepted",
  revalidation:
    "a 304 has no media type, and If-Modified-Since is obeyed (RFC 9110 §13.1.3, §15.4.5)",
  unknown_path: "an unknown path gets 404, with the profile's code",
} as const;

const COVERAGE = {
  never_accepted: "every operation accepts a request",
  document_problem: "every operation of the document can be read",
  schema_unusable: "every schema of the document can be used",
  schema_unknown: "requests can be generated for every schema",
  completeness: "every documented status of every operation was seen",
} as const;

export const RULES: Readonly<Record<string, Rule>> = {
  ...withSeverity(BREACHES, "breach"),
  ...withSeverity(ADVICE, "advice"),
  ...withSeverity(COVERAGE, "coverage"),
};

function withSeverity(rules: Readonly<Record<string, string>>, severity: Severity) {
  return Object.fromEntries(
    Object.entries(rules).map(([name, rule]) => [name, { severity, rule }]),
  );
}

/** The severity of a finding's rule. */
export function severityOf({ check }: { readonly check: string }): Severity {
  const rule = RULES[check];
  if (rule === undefined) throw new Error(`rules.ts lacks the rule ${check}`);
  return rule.severity;
}
