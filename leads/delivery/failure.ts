/**
 * @module Classifies connection failures by an error's text or code. The text is never passed on: it may
 * quote a URL with a secret.
 */

/** Why there was no answer. `unreachable` is everything else. */
export type Failure = "refused" | "dns" | "tls" | "timeout" | "unreachable";

/** Texts after the URL in the cause of an error of `fetch`, which has neither a code nor a class. */
const FETCH_FAILURES: readonly (readonly [RegExp, Failure])[] = [
  [/^dns error/, "dns"],
  [/^tcp connect error: .*refused/i, "refused"],
  [/^tcp connect error: .*timed out/i, "timeout"],
  [/^tcp connect error/, "unreachable"],
  [/^(?:invalid peer certificate|tls |received (?:corrupt|fatal|unexpected)|peer )/i, "tls"],
];

/** Codes of `node:net` and `node:tls`. */
const CODE_FAILURES: readonly (readonly [RegExp, Failure])[] = [
  [/^ECONNREFUSED$/, "refused"],
  [/^(?:ENOTFOUND|EAI_[A-Z]+|EDNS)$/, "dns"],
  [/^ETIMEDOUT$/, "timeout"],
  [/^(?:ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|EPROTO$|ETLS$)/, "tls"],
];

/** Classifies an error of `fetch`. */
export function fetchFailure(error: unknown): Failure {
  const text = error instanceof Error && error.cause instanceof Error ? error.cause.message : "";
  // The URL before these words cannot contain them: it has no spaces.
  const [, why = ""] = /client error \(Connect\): (.*)$/s.exec(text) ?? [];
  return firstMatch(FETCH_FAILURES, why);
}

/** Classifies the code of a socket's error. */
export function socketFailure(code: unknown): Failure {
  return firstMatch(CODE_FAILURES, typeof code === "string" ? code : "");
}

function firstMatch(table: readonly (readonly [RegExp, Failure])[], text: string): Failure {
  return table.find(([pattern]) => pattern.test(text))?.[1] ?? "unreachable";
}
