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
  media_type: "a body has a media type that the document lists for its status",
  response_headers: "required headers are present, and documented headers match their schemas",
  body_schema: "a body matches the schema documented for its status and media type",
  success_says: "the body of a 200 has the values that the profile requires",
  error_shape: "every error is JSON in the documented shape, whatever Accept asks for",
  error_code: "an error's code is one that the document or the profile gives for its status",
  no_echo: "no error repeats a part of its request, in body or headers",
  allow_on_405: "Allow of a 405 lists the methods that work (RFC 9110 §15.5.6)",
  retry_after: "Retry-After of a 429 is a positive number of seconds (RFC 9110 §10.2.3)",
  not_modified: "a 304 repeats the fields of its 200, and has no media type (RFC 9110 §15.4.5)",
  // Several answers (`tiers/`).
  answers: "every request gets an answer",
  allow: "Allow lists exactly the methods that work",
  authorization_ignored: "credentials make no difference where none are required",
  differential: "two services answer alike",
  docs_resolve: "the documentation that an error links to exists",
  head_equals_get: "HEAD answers like GET, without a body (RFC 9110 §9.3.2)",
  json_equals_yaml: "the documents in JSON and YAML are the same",
  limit_met: "the run does not meet the limits of the service",
  negotiation: "a page has the media type that Accept asks for (RFC 9110 §12.5.1)",
  positive_acceptance: "a documented request is accepted",
  sibling: "the markdown URL of a page is its markdown",
  unknown_path: "an unknown path gets 404 with the profile's code",
  // The document.
  document_valid: "the document is valid OpenAPI 3.1",
  document_examples: "the examples of the document match their schemas",
  specification: "the document agrees with the specification",
  // Generated requests.
  valid_accepted: "a request that fits the document is accepted",
  broken_refused: "a request that breaks the document by one change is refused",
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
  raw: "malformed and unusual messages get the answer that HTTP requires (RFC 9110, RFC 9112)",
  raw_survival: "the service answers while many connections have sent half a request",
} as const;

const COVERAGE = {
  completeness: "every documented status of every operation was seen",
  schema_unknown: "requests can be generated for every schema",
} as const;

export const RULES: Readonly<Record<string, Rule>> = {
  ...withSeverity(BREACHES, "breach"),
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
