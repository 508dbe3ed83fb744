/** @module The summary of the configuration that is printed at the start. */

import type { Allowance, TargetSetting } from "../schemas/values.ts";
import type { Config } from "./config.ts";
import { kvPlace } from "./kv_path.ts";

/** Summarises the configuration for the operator, without secrets: of a target, its name and host. */
export function summarise(config: Config, denoVersion: string): string {
  const { leadTargets, leadWebhookSecrets, leadRetentionMs, leadEncryptionKeys } = config;
  const signed = leadWebhookSecrets.length > 0 ? "signed" : "unsigned: set LEAD_WEBHOOK_SECRET";
  const sealed = leadEncryptionKeys.length > 0 ? "sealed" : "not sealed: set LEAD_ENCRYPTION_KEYS";
  const note = leadTargets.some(isWebhook) ? ` (${signed})` : "";
  const targets = leadTargets.length > 0
    ? `${leadTargets.map(nameAndHost).join(", ")}${note}`
    : "nowhere: they are stored and logged (set LEAD_TARGETS)";
  const days = Math.round(leadRetentionMs / 8_640_000) / 10;
  const within = ({ count, windowMs }: Allowance, what: string) =>
    `${count} ${what} in ${windowMs / 1000} s`;
  return `${config.siteName} on http://${config.host}:${config.port}, public as ${config.siteUrl}
  leads go to   ${targets}
  leads are in  ${kvPlace(config)}, kept ${days} days, ${sealed}
  each client   ${within(config.leadRateLimit, "leads")}, ${
    within(config.leadAttemptLimit, "tries")
  }
  runs on       Deno ${denoVersion}`;
}

function nameAndHost({ name, url: { host } }: TargetSetting): string {
  return name === host ? host : `${name} (${host})`;
}

/** Whether a target is a webhook, whose events can be signed. */
export function isWebhook({ url }: TargetSetting): boolean {
  return /^https?:$/.test(url.protocol);
}
