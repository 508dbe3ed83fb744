/** @module Checks settings that are valid but unsuitable for a deployed service, and misspelt variables. */

import { MISSPELT, VARIABLES } from "../../config/config.ts";
import { isWebhook } from "../../config/summary.ts";
import { type Environment, fail, type Finding, ok, warn } from "./finding.ts";

export const SECRETS: readonly string[] = [
  "LEAD_TARGETS",
  "LEAD_TARGET_HEADERS",
  "LEAD_WEBHOOK_SECRET",
  "LEAD_ENCRYPTION_KEYS",
];

export function checkSettings({ config, variables }: Environment): Finding[] {
  const { siteUrl, operator, contactEmail, leadTargets, trustedProxyHops } = config;
  const isOnDeploy = Boolean(variables["DENO_DEPLOY"]);
  const found = [
    (isLocal(siteUrl) || siteUrl.startsWith("http:")) && fail(
      "site_url",
      "not a public https address, but every link starts with it",
      "Set SITE_URL to the public address, such as https://www.example.com.",
    ),
    operator.length === 0 && (isPublic(siteUrl) ? fail : warn)(
      "operator",
      "imprint and privacy page do not name who operates the site",
      `Set OPERATOR${contactEmail === undefined ? " and CONTACT_EMAIL" : ""}: ` +
        ".env.example says what the imprint needs.",
    ),
    operator.length > 0 && contactEmail === undefined &&
    warn("operator", "the imprint gives no email address", "Set CONTACT_EMAIL."),
    leadTargets.some(isWebhook) && config.leadWebhookSecrets.length === 0 && warn(
      "signature",
      "webhooks are not signed: a receiver cannot tell a lead from a forgery",
      'Set LEAD_WEBHOOK_SECRET here and at the receiver: echo "whsec_$(openssl rand -base64 32)".',
    ),
    /:\/\/[^@/?#\s]*:@/.test(variables["LEAD_TARGETS"] ?? "") && warn(
      "credentials",
      "a target has a user, a colon, and an empty password",
      "In a password write # as %23 and $ as %24; remove the colon if there is none.",
    ),
    leadTargets.some(({ url }) => url.protocol === "http:" && !isLocal(url.href)) && warn(
      "encryption",
      "leads go to a webhook unencrypted",
      "Use its https address in LEAD_TARGETS, unless the network between is your own.",
    ),
    config.leadEncryptionKeys.length === 0 && warn(
      "sealing",
      "leads are stored unencrypted",
      'Set LEAD_ENCRYPTION_KEYS: echo "2026:$(openssl rand -base64 32)", and keep a copy of it.',
    ),
    isOnDeploy && trustedProxyHops > 0 && warn(
      "proxy",
      "on Deno Deploy the socket has the client's address; X-Forwarded-For can be forged",
      "Set TRUSTED_PROXY_HOPS to 0, unless a proxy of your own is in front.",
    ),
    !isOnDeploy && trustedProxyHops === 0 && isLocal(`http://${config.host}`) &&
    !isLocal(siteUrl) && warn(
      "proxy",
      "only a proxy on this machine can reach the service: all visitors count as one client",
      "Set TRUSTED_PROXY_HOPS to the number of your proxies that append to X-Forwarded-For.",
    ),
    isOnDeploy && (variables["HOST"] || variables["PORT"]) &&
    warn("listen", "HOST and PORT have no effect on Deno Deploy", "Leave them out."),
    isOnDeploy && SECRETS.some((name) => variables[name]) && warn(
      "secrets",
      `${SECRETS.join(", ")} are secrets; deno deploy env load does not hide them all`,
      "Add each that is set with deno deploy env add NAME VALUE --secret.",
    ),
  ].filter((one) => typeof one === "object");
  return found.length > 0 ? found : [ok("settings", "suitable for a deployed service")];
}

/** Whether visitors can reach an address; names under `.invalid` never exist (RFC 2606). */
export function isPublic(url: string): boolean {
  return url.startsWith("https:") && !isLocal(url) && !new URL(url).hostname.endsWith(".invalid");
}

function isLocal(url: string): boolean {
  const { hostname } = new URL(url);
  return /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)$|\.localhost$/.test(hostname);
}

/** All names that begin like those of leads, but what Kubernetes sets for a service called `lead`. */
const LIKE_OURS = /^LEADS?_(?!(?:.*_)?(?:PORT|SERVICE)(?:_|$))/;

/** https://docs.deno.com/deploy/reference/env_vars_and_contexts/#limits */
const RESERVED =
  /^(?:DENO_(?!(?:AUTH_TOKENS|COMPAT|CONDITIONS|DEPLOY_ENDPOINT|DEPLOY_TOKEN)$)|LD_|OTEL_)/;

/** Names that have no effect, but resemble a variable or begin like one, or that Deno Deploy refuses. */
export function checkVariables({ variables }: Pick<Environment, "variables">): Finding[] {
  const known = [...VARIABLES, ...MISSPELT.keys()];
  return Object.keys(variables).filter((name) => !known.includes(name)).sort().flatMap((name) => {
    if (variables["DENO_DEPLOY"] && RESERVED.test(name)) {
      const fix = "If it is in your file, leave it out.";
      return [warn("variables", `${name} cannot be set on Deno Deploy`, fix)];
    }
    const meant = VARIABLES.find((variable) => resembles(name.toUpperCase(), variable));
    if (meant === undefined && !LIKE_OURS.test(name)) return [];
    const fix = meant === undefined
      ? "Remove it: .env.example has all variables."
      : `Rename it if ${meant} is meant.`;
    return [warn("variables", `${name} is set, and no such variable exists`, fix)];
  });
}

/**
 * Whether the letters, in any order, are the same but for one or two. Those of PORT and HOST never are:
 * usual variables are as near.
 */
function resembles(name: string, variable: string): boolean {
  let [extra, missing] = [name, 0];
  for (const letter of variable) {
    if (!extra.includes(letter)) missing++;
    extra = extra.replace(letter, "");
  }
  return variable.length > 4 && !variable.startsWith("DENO_") &&
    Math.max(missing, extra.length) <= (variable.length > 10 ? 2 : 1);
}
