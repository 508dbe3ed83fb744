/**
 * @module One HTTP POST of JSON, and what its answer means for a delivery (RFC 9110).
 *
 * Redirects are failures: the lead goes to the configured address or nowhere. The answer's body is
 * not read. Does not know what it carries.
 */

import { type DeliveryOutcome, parseRetryAfter } from "../retry.ts";
import { fetchFailure } from "./failure.ts";
import { credentialsOf, withoutCredentials } from "./target.ts";

/** What is posted. */
export interface Post {
  readonly body: string;
  /** Beside Content-Type, User-Agent and the address's own authorization. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly now: () => number;
}

/** 4xx answers that ask for patience rather than refuse. */
const TEMPORARY_4XX = new Set([408, 425, 429]);

/**
 * Posts JSON. Never rejects.
 *
 * @param address an http or https URL; credentials in it are sent as Basic authorization
 */
export async function postJson(
  address: URL,
  { body, headers = {}, signal, now }: Post,
): Promise<DeliveryOutcome> {
  try {
    const response = await fetch(withoutCredentials(address), {
      method: "POST",
      redirect: "manual",
      headers: {
        "content-type": "application/json",
        "user-agent": "frontdoor",
        ...basicAuthorization(address),
        ...headers,
      },
      body,
      signal,
    });
    // The status has said all; a body that breaks off does not unsay it.
    response.body?.cancel().catch(() => {});
    return outcomeOf(response, now());
  } catch (error) {
    return { result: signal.aborted ? "timeout" : fetchFailure(error) };
  }
}

/** What keeps an http or https URL from being posted to, as the end of a sentence. */
export function postFault(url: URL): string | undefined {
  return credentialsOf(url) === undefined
    ? "must have user and password percent-encoded (% as %25)"
    : undefined;
}

function basicAuthorization(url: URL): Record<string, string> {
  const { user = "", password = "" } = credentialsOf(url) ?? {};
  if (user === "" && password === "") return {};
  return {
    authorization: `Basic ${new TextEncoder().encode(`${user}:${password}`).toBase64()}`,
  };
}

function outcomeOf({ status, headers }: Response, now: number): DeliveryOutcome {
  if (status >= 200 && status < 300) return { result: "ok" };
  return {
    result: `http_${status}`,
    permanent: status >= 400 && status < 500 && !TEMPORARY_4XX.has(status),
    retryAfterMs: parseRetryAfter(headers.get("retry-after"), now),
  };
}
