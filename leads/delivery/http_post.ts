/**
 * @module One HTTP POST of JSON, and what its answer means for a delivery (RFC 9110).
 *
 * Redirects are failures: the lead goes to the configured address or nowhere. The answer's body is
 * not read. Traces do not hold the address.
 */

import { type DeliveryOutcome, parseRetryAfter } from "../retry.ts";
import { fetchFailure } from "./failure.ts";
import { credentialsOf, withoutCredentials } from "./target.ts";

/** 4xx answers that mean "later" rather than "never". */
const TEMPORARY_4XX = new Set([408, 425, 429]);

/**
 * Posts JSON. Never rejects.
 *
 * @param address an http or https URL; credentials in it are sent as Basic authorization
 */
export async function postJson(
  address: URL,
  { body, headers = {}, signal, now }: {
    readonly body: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
    readonly now: () => number;
  },
): Promise<DeliveryOutcome> {
  try {
    const response = await untraced(() =>
      fetch(withoutCredentials(address), {
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
      })
    );
    // The status is the outcome, even if the body breaks off.
    response.body?.cancel().catch(() => {});
    return outcomeOf(response, now());
  } catch (error) {
    return { result: signal.aborted ? "timeout" : fetchFailure(error) };
  }
}

/**
 * Where Deno traces, each `fetch` makes a span of the whole URL, which for many a target is its
 * secret. On Deno Deploy it cannot be turned off, and Deno 2.9 ignores suppressTracing. But
 * it sets the new span in the context first, and a span that has ended takes nothing more. Without
 * anything in the context, the client's `traceparent` and `baggage` go no further either.
 */
const NO_TRACE = {
  getValue: () => undefined,
  setValue(_key: symbol, span: { end?(): void }) {
    span.end?.();
    return NO_TRACE;
  },
};

/** Fetches; of what is fetched, a trace holds only that something was. */
function untraced(fetching: () => Promise<Response>): Promise<Response> {
  // A runtime without `Deno.telemetry` delivers all the same.
  return Deno.telemetry?.contextManager?.with(NO_TRACE, fetching) ?? fetching();
}

/** What keeps an http or https URL from being posted to, as the end of a sentence. */
export function postFault(url: URL): string | undefined {
  if (credentialsOf(url) !== undefined) return undefined;
  return "must have user and password percent-encoded (% as %25)";
}

function basicAuthorization(url: URL): Record<string, string> {
  const { user = "", password = "" } = credentialsOf(url) ?? {};
  if (user === "" && password === "") return {};
  const pair = new TextEncoder().encode(`${user}:${password}`).toBase64();
  return { authorization: `Basic ${pair}` };
}

function outcomeOf({ status, headers }: Response, now: number): DeliveryOutcome {
  if (status >= 200 && status < 300) return { result: "ok" };
  return {
    result: `http_${status}`,
    permanent: status >= 400 && status < 500 && !TEMPORARY_4XX.has(status),
    retryAfterMs: parseRetryAfter(headers.get("retry-after"), now),
  };
}
