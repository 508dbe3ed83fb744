/** @module Settings that are valid and still not what a deployed service should have. */

import { isWebhook } from "../../config/summary.ts";
import { type Environment, type Finding, ok } from "./finding.ts";

/** A finding, and when there is one. */
interface Rule extends Required<Finding> {
  readonly applies: (environment: Environment) => boolean;
}

const RULES: readonly Rule[] = [
  {
    check: "site_url",
    state: "fail",
    message: "not a public https address, and every link begins with it",
    fix: "Set SITE_URL to the public address, such as https://www.example.com.",
    applies: ({ config }) => isLocal(config.siteUrl) || config.siteUrl.startsWith("http:"),
  },
  {
    check: "imprint",
    state: "warn",
    message: "the imprint does not say who is responsible for the site",
    fix: "Set OPERATOR and CONTACT_EMAIL.",
    applies: ({ config }) => config.operator.length === 0 || config.contactEmail === undefined,
  },
  {
    check: "signature",
    state: "warn",
    message: "webhooks are not signed: a receiver cannot tell a lead from a forgery",
    fix:
      'Set LEAD_WEBHOOK_SECRET here and at the receiver: echo "whsec_$(openssl rand -base64 32)".',
    applies: ({ config: { leadTargets, leadWebhookSecrets } }) =>
      leadTargets.some(isWebhook) && leadWebhookSecrets.length === 0,
  },
  {
    check: "encryption",
    state: "warn",
    message: "a webhook gets leads unencrypted",
    fix: "Name its https address in LEAD_TARGETS, unless the network between is your own.",
    applies: ({ config }) =>
      config.leadTargets.some(({ protocol, href }) => protocol === "http:" && !isLocal(href)),
  },
  {
    check: "sealing",
    state: "warn",
    message: "leads are not sealed in the database",
    fix: 'Set LEAD_ENCRYPTION_KEYS: echo "2026:$(openssl rand -base64 32)", and keep a copy of it.',
    applies: ({ config }) => config.leadEncryptionKeys.length === 0,
  },
  {
    check: "proxy",
    state: "warn",
    message: "on Deno Deploy the socket has the visitor's address; X-Forwarded-For can be forged",
    fix: "Set TRUSTED_PROXY_HOPS to 0, unless a proxy of your own is in front.",
    applies: ({ config, variables }) =>
      Boolean(variables["DENO_DEPLOY"]) && config.trustedProxyHops > 0,
  },
  {
    check: "proxy",
    state: "warn",
    message: "only this machine's proxy can reach the service: all visitors count as one client",
    fix: "Set TRUSTED_PROXY_HOPS to the number of your proxies that append to X-Forwarded-For.",
    applies: ({ config: { host, siteUrl, trustedProxyHops }, variables }) =>
      !variables["DENO_DEPLOY"] && trustedProxyHops === 0 &&
      isLocal(`http://${host}`) && !isLocal(siteUrl),
  },
];

/** The findings that settings give by themselves. */
export function checkSettings(environment: Environment): Finding[] {
  const found = RULES.filter(({ applies }) => applies(environment))
    .map(({ applies: _, ...finding }) => finding);
  return found.length > 0 ? found : [ok("settings", "fit a deployed service")];
}

/** Whether a URL's host is this machine. */
function isLocal(url: string): boolean {
  const { hostname } = new URL(url);
  return /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)$|\.localhost$/.test(hostname);
}
