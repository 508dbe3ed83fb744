/**
 * @module Delivery by webhook: the lead as JSON, signed by Standard Webhooks 1.0 if a secret is set.
 *
 * Every attempt has the same `webhook-id`, so that receivers recognise duplicates. A test lead, which
 * only the doctor sends, has another type, so that they can ignore it.
 */

import { isTestLead, type LeadRecord } from "../lead.ts";
import { postJson } from "./http_post.ts";
import type { TargetKind, TargetOptions } from "./target.ts";
import { webhookIdOf } from "./webhook_id.ts";

/** `https://…` or `http://…`; credentials in the URL are sent as Basic authorization. */
export const webhook: TargetKind = {
  schemes: ["https", "http"],
  problem: () => undefined,
  create({ url, headers }, { secrets, now }) {
    return {
      async deliver(record, signal) {
        const body = payload(record);
        const signed = await signatures(webhookIdOf(record), body, { secrets, now });
        return await postJson(url, { body, headers: { ...headers, ...signed }, signal, now });
      },
    };
  },
};

function payload({ id, receivedAt, lead }: LeadRecord): string {
  return JSON.stringify({
    type: isTestLead(lead) ? "lead.test" : "lead.created",
    timestamp: new Date(receivedAt).toISOString(),
    data: { id, ...lead },
  });
}

async function signatures(
  id: string,
  body: string,
  { secrets, now }: TargetOptions,
): Promise<Record<string, string>> {
  const time = now();
  const common = { "webhook-id": id, "webhook-timestamp": String(Math.floor(time / 1000)) };
  if (secrets.length === 0) return common;
  const { Webhook } = await import("standardwebhooks"); // 9 ms
  const signed = secrets.map((secret) => new Webhook(secret).sign(id, new Date(time), body));
  return { ...common, "webhook-signature": signed.join(" ") };
}
