/**
 * @module One word for a delivery that got no answer. Errors are sorted by what their text begins
 * with or by their code; nothing of the text is passed on, because it may quote a URL, and a URL may
 * hold a secret.
 */

/** Why there was no answer. `unreachable` is everything else. */
export type Failure = "refused" | "dns" | "tls" | "timeout" | "unreachable";

/**
 * What `fetch` says about a connection that did not come about. Its error has neither code nor class
 * of its own: only the cause's text tells, after the URL.
 */
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

/** The word for what `fetch` has thrown. */
export function fetchFailure(error: unknown): Failure {
  const text = error instanceof Error && error.cause instanceof Error ? error.cause.message : "";
  // The URL before these words cannot contain them: it has no blanks.
  const [, why = ""] = /client error \(Connect\): (.*)$/s.exec(text) ?? [];
  return firstMatch(FETCH_FAILURES, why);
}

/** The word for the code of an error from a socket. */
export function socketFailure(code: unknown): Failure {
  return firstMatch(CODE_FAILURES, typeof code === "string" ? code : "");
}

function firstMatch(table: readonly (readonly [RegExp, Failure])[], text: string): Failure {
  return table.find(([pattern]) => pattern.test(text))?.[1] ?? "unreachable";
}
