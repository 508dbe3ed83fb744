/**
 * @module Classifies connection failures by an error's text or code, and puts results into words. An
 * error's text is never passed on: it may quote a URL with a secret.
 */

/** Why there was no answer. `unreachable` is everything else. */
export type Failure = "refused" | "dns" | "tls" | "timeout" | "unreachable";

/** Texts after the URL in the cause of an error of `fetch`, which has neither a code nor a class. */
const FETCH_FAILURES: readonly (readonly [RegExp, Failure])[] = [
  [/^dns error/, "dns"],
  [/^tcp connect error: .*refused/i, "refused"],
  [/^tcp connect error: .*timed out/i, "timeout"],
  [/^(?:invalid peer certificate|tls |received (?:corrupt|fatal|unexpected)|peer )/i, "tls"],
];

/** Codes of `node:net` and `node:tls`. */
const CODE_FAILURES: readonly (readonly [RegExp, Failure])[] = [
  [/^ECONNREFUSED$/, "refused"],
  [/^(?:ENOTFOUND|EAI_[A-Z]+|EDNS)$/, "dns"],
  [/^ETIMEDOUT$/, "timeout"],
  [/^(?:ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|EPROTO$|ETLS$)/, "tls"],
];

/** Results of attempts in words; the first match counts. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^http_3/, "the target redirects, and redirects are not followed"],
  [/^http_401$/, "the target refuses the credentials"],
  [/^http_403$/, "the target forbids the request"],
  [/^http_404$/, "the target does not know the path"],
  [/^http_408$/, "the target got no whole request in time"],
  [/^http_410$/, "the target has gone for good"],
  [/^http_4(?:25|29)$/, "the target asks to send later"],
  [/^http_4/, "the target refuses the lead"],
  [/^http_/, "the target reports an error of its own"],
  [/^smtp_4|^smtp_503$/, "the mail server asks to send later"],
  [/^smtp_/, "the mail server refuses the mail"],
  [/^auth$/, "the mail server refuses the credentials"],
  [/^refused$/, "the target's host refuses the connection"],
  [/^dns$/, "the target's host name cannot be resolved"],
  [/^tls$/, "TLS with the target cannot be set up"],
  [/^timeout$/, "the target did not answer in time"],
  [/^unreachable$/, "the target cannot be reached"],
  [/^no_target$/, "LEAD_TARGETS has no such target"],
  [/^unusable$/, "the lead cannot be opened"],
];

export function reasonOf(result: string): string {
  const words = firstMatch(REASONS, result) ?? "the attempt failed";
  const status = /^(?:http|smtp)_(\d{3})$/.exec(result)?.[1];
  return status === undefined ? words : `${words} (${status})`;
}

export function fetchFailure(error: unknown): Failure {
  const text = error instanceof Error && error.cause instanceof Error ? error.cause.message : "";
  // The URL before these words cannot contain them: it has no spaces.
  const [, why = ""] = /client error \(Connect\): (.*)$/s.exec(text) ?? [];
  return firstMatch(FETCH_FAILURES, why) ?? "unreachable";
}

export function socketFailure(code: unknown): Failure {
  return firstMatch(CODE_FAILURES, String(code)) ?? "unreachable";
}

function firstMatch<T>(table: readonly (readonly [RegExp, T])[], text: string): T | undefined {
  return table.find(([pattern]) => pattern.test(text))?.[1];
}
