/** @module The summary of the configuration that is printed at the start. */

import type { Config } from "./config.ts";
import { kvPlace } from "../lib/kv_path.ts";
import { durationText, type RateLimit, type TargetSetting } from "./readers.ts";
import { DEFAULT_LOCALE } from "../schemas/site_data.ts";
import { forTerminal } from "../lib/terminal_text.ts";

interface Circumstances {
  readonly denoVersion: string;
  readonly isColoured?: boolean;
  /** The name of the file of variables, and which of them are not in use. */
  readonly envFile?: string | undefined;
  readonly isDev?: boolean;
  /** On Deno Deploy, where the service has no address but the public one. */
  readonly isDeployed?: boolean;
}

/**
 * Summarises the configuration for the operator, without secrets: of a target, its name and host.
 *
 * If the site is local, the last line is a request to try. Without targets its lead is stored, to be
 * looked at; with targets its address is under .invalid, so that no target gets it.
 */
export function summarise(
  config: Config,
  { denoVersion, isColoured, envFile, isDev, isDeployed }: Circumstances,
): string {
  const { leadTargets, leadWebhookSecrets, leadRetentionMs, leadEncryptionKeys, siteUrl } = config;
  const signed = leadWebhookSecrets.length > 0 ? "signed" : "unsigned: set LEAD_WEBHOOK_SECRET";
  const sealed = leadEncryptionKeys.length > 0 ? "sealed" : "not sealed: set LEAD_ENCRYPTION_KEYS";
  const note = leadTargets.some(isWebhook) ? ` (${signed})` : "";
  const hosts = leadTargets.map(({ name, url: { host } }) =>
    name === host ? host : `${name} (${host})`
  );
  const targets = leadTargets.length > 0
    ? hosts.join(", ") + note
    : "nowhere: they are stored and logged (set LEAD_TARGETS)";
  const within = ({ count, windowMs }: RateLimit, what: string) =>
    `${count} ${what} in ${durationText(windowMs)}`;
  const address = isDeployed ? siteUrl : addressOf(config);
  const style = (code: number, text: string) => isColoured ? `\x1b[${code}m${text}\x1b[0m` : text;
  const row = (label: string, text: string) =>
    `  ${style(2, label.padEnd(12))}  ${forTerminal(text)}`;
  const lead = {
    email: `you@example.${leadTargets.length > 0 ? "invalid" : "com"}`,
    company: "Example Ltd",
    locale: DEFAULT_LOCALE,
  };
  return [
    `${style(1, forTerminal(config.siteName))} on ${style(36, address)}`,
    ...(siteUrl === address ? [] : [row("public as", siteUrl)]),
    row("leads go to", targets),
    row(
      "leads are in",
      `${kvPlace(config.kvPath)}, kept ${durationText(leadRetentionMs)}, ${sealed}`,
    ),
    row(
      "each client",
      `${within(config.leadRateLimit, "leads")}, ${within(config.leadAttemptLimit, "attempts")}`,
    ),
    ...(envFile === undefined ? [] : [row("settings", envFile)]),
    row("runs on", `Deno ${denoVersion}`),
    ...(isDev
      ? [row("edit", "static/: the browser reloads; code, .env: the service restarts")]
      : []),
    ...(isDeployed || !isLocal(new URL(siteUrl).hostname) ? [] : [
      row("now try", "in another terminal"),
      `curl ${address}/api/lead -H 'content-type: application/json' -d '${JSON.stringify(lead)}'`,
    ]),
  ].join("\n");
}

/** The address for this machine's browser, whatever interfaces HOST selects. */
function addressOf({ host, port }: Pick<Config, "host" | "port">): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return `http://${isLocal(name) ? "localhost" : name}:${port}`;
}

function isLocal(host: string): boolean {
  return /^(?:localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/.test(host);
}

/** Whether a target is a webhook, whose events can be signed. */
export function isWebhook({ url }: TargetSetting): boolean {
  return /^https?:$/.test(url.protocol);
}
