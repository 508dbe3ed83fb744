/**
 * @module Delivers JSON by HTTP POST (RFC 9110). Redirects are failures: a lead goes only to the
 * configured URL. The response's body is not read, and the URL is kept out of traces.
 */

import { type DeliveryOutcome, parseRetryAfter } from "../retry.ts";
import { fetchFailure } from "./failure.ts";
import { credentialsOf, withoutCredentials } from "./target.ts";

/**
 * A connection for each attempt. One that goes silent without closing would time out attempt after
 * attempt, and a receiver that answers twice would answer for the next lead.
 */
const client = Deno.createHttpClient({ http2: false, poolMaxIdlePerHost: 0 });

/** 4xx statuses that are retried; those that an operator can correct only for some hours. */
const TEMPORARY_4XX = new Set([401, 403, 404, 408, 425, 429]);

/**
 * Posts JSON. Never rejects.
 *
 * @param address an http or https URL; credentials in it are sent as Basic authorization
 */
export async function postJson(
  address: URL,
  { body, headers, signal, now }: {
    readonly body: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
    readonly now: () => number;
  },
): Promise<DeliveryOutcome> {
  try {
    const response = await untraced(() =>
      fetch(withoutCredentials(address), {
        client,
        method: "POST",
        redirect: "manual",
        headers: {
          "content-type": "application/json",
          "user-agent": "frontdoor",
          // The receiver closes first: else this machine's ports are used up after 28,000 a minute.
          "connection": "close",
          ...basicAuthorization(address),
          ...headers,
        },
        body,
        signal,
      })
    );
    // The status is the outcome, even if the body is truncated.
    response.body?.cancel().catch(() => {});
    return outcomeOf(response, now());
  } catch (error) {
    return { result: signal.aborted ? "timeout" : fetchFailure(error) };
  }
}

/**
 * With tracing on, which cannot be turned off on Deno Deploy, each `fetch` records its whole URL in a
 * span, and the URL may be a secret. Deno 2.9 ignores suppressTracing, but sets the span in the context
 * first: ending it there keeps it empty. The client's `traceparent` and `baggage` are not passed on
 * either, because the context stays empty.
 */
const NO_TRACE = {
  getValue: () => undefined,
  setValue(_key: symbol, span: { end?(): void }) {
    span.end?.();
    return NO_TRACE;
  },
};

function untraced(fetching: () => Promise<Response>): Promise<Response> {
  // Some runtimes have no `Deno.telemetry`.
  return Deno.telemetry?.contextManager?.with(NO_TRACE, fetching) ?? fetching();
}

function basicAuthorization(url: URL): Record<string, string> {
  const { user, password } = credentialsOf(url)!; // the URL has no problem
  if (user + password === "") return {};
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
