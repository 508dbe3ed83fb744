/**
 * @module Delivery by HTTP POST, signed by Standard Webhooks 1.0 where a secret is set.
 *
 * The lead's id is the `webhook-id` of every try, so that the receiver can tell a repeated delivery.
 * Redirects are failures: the lead goes to the configured address or nowhere. The answer's body is
 * not read.
 */

import type { LeadRecord } from "../lead.ts";
import { type DeliveryOutcome, parseRetryAfter } from "../retry.ts";
import { type Target, targetId } from "./target.ts";

/** What a webhook needs beside its address. */
export interface WebhookOptions {
  /** `whsec_…`; several while a secret is being rotated. */
  readonly secrets: readonly string[];
  readonly now: () => number;
}

/** 4xx answers that ask for patience rather than refuse. */
const TEMPORARY_4XX = new Set([408, 425, 429]);

/** @param url an http or https URL; credentials in it are sent as Basic authorization */
export async function createWebhook(
  url: URL,
  { secrets, now }: WebhookOptions,
): Promise<Target> {
  const address = new URL(url);
  address.username = "";
  address.password = "";
  const authorization = basicAuthorization(url);

  return {
    id: await targetId("webhook", url),
    async deliver(record, signal) {
      const body = payload(record);
      const headers = {
        "content-type": "application/json",
        "user-agent": "frontdoor",
        ...authorization,
        ...await signatures(body, { id: record.id, secrets, now: now() }),
      };
      try {
        const response = await fetch(address, {
          method: "POST",
          redirect: "manual",
          headers,
          body,
          signal,
        });
        await response.body?.cancel();
        return outcomeOf(response, now());
      } catch {
        // The error's text may hold the URL, and a URL may hold a secret.
        return { result: signal.aborted ? "timeout" : "unreachable" };
      }
    },
  };
}

function payload({ id, receivedAt, lead }: LeadRecord): string {
  return JSON.stringify({
    type: "lead.created",
    timestamp: new Date(receivedAt).toISOString(),
    data: { id, ...lead },
  });
}

async function signatures(
  body: string,
  { id, secrets, now }: { id: string; secrets: readonly string[]; now: number },
): Promise<Record<string, string>> {
  const timestamp = new Date(now);
  const common = {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now / 1000)),
  };
  if (secrets.length === 0) return common;
  const { Webhook } = await import("standardwebhooks");
  const signed = secrets.map((secret) => new Webhook(secret).sign(id, timestamp, body));
  return { ...common, "webhook-signature": signed.join(" ") };
}

function basicAuthorization({ username, password }: URL): Record<string, string> {
  if (username === "" && password === "") return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${new TextEncoder().encode(pair).toBase64()}` };
}

function outcomeOf({ status, headers }: Response, now: number): DeliveryOutcome {
  if (status >= 200 && status < 300) return { result: "ok" };
  return {
    result: `http_${status}`,
    permanent: status >= 400 && status < 500 && !TEMPORARY_4XX.has(status),
    retryAfterMs: parseRetryAfter(headers.get("retry-after"), now),
  };
}
