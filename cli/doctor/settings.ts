/** @module Checks settings that are valid but unsuitable for a deployed service, and misspelt variables. */

import { MISSPELT, VARIABLES } from "../../config/config.ts";
import { isWebhook } from "../../config/summary.ts";
import { type Environment, type Finding, ok, warn } from "./finding.ts";

/** A finding, a warning unless it says otherwise, and the condition for it. */
interface Rule extends Required<Omit<Finding, "state">>, Partial<Pick<Finding, "state">> {
  readonly applies: (environment: Environment) => boolean;
}

/** Variables whose values nobody may read. */
export const SECRETS: readonly string[] = [
  "LEAD_TARGETS",
  "LEAD_TARGET_HEADERS",
  "LEAD_WEBHOOK_SECRET",
  "LEAD_ENCRYPTION_KEYS",
];

const RULES: readonly Rule[] = [
  {
    check: "site_url",
    state: "fail",
    message: "not a public https address, but every link starts with it",
    fix: "Set SITE_URL to the public address, such as https://www.example.com.",
    applies: ({ config }) => isLocal(config.siteUrl) || config.siteUrl.startsWith("http:"),
  },
  {
    check: "operator",
    state: "fail",
    message: "imprint and privacy page do not name who operates the site",
    fix:
      "Set OPERATOR: name, address and what else your country asks for, separated by semicolons.",
    applies: ({ config: { operator, siteUrl } }) => operator.length === 0 && isPublic(siteUrl),
  },
  {
    check: "operator",
    message: "the imprint does not name who is responsible for the site, or gives no address",
    fix: "Set OPERATOR and CONTACT_EMAIL.",
    applies: ({ config: { operator, contactEmail, siteUrl } }) =>
      operator.length === 0 ? !isPublic(siteUrl) : contactEmail === undefined,
  },
  {
    check: "signature",
    message: "webhooks are not signed: a receiver cannot tell a lead from a forgery",
    fix:
      'Set LEAD_WEBHOOK_SECRET here and at the receiver: echo "whsec_$(openssl rand -base64 32)".',
    applies: ({ config: { leadTargets, leadWebhookSecrets } }) =>
      leadTargets.some(isWebhook) && leadWebhookSecrets.length === 0,
  },
  {
    check: "credentials",
    message: "a target has a user, a colon, and an empty password",
    fix: "In a password write # as %23 and $ as %24; remove the colon if there is none.",
    applies: ({ variables }) => /:\/\/[^@/?#\s]*:@/.test(variables["LEAD_TARGETS"] ?? ""),
  },
  {
    check: "encryption",
    message: "leads go to a webhook unencrypted",
    fix: "Use its https address in LEAD_TARGETS, unless the network between is your own.",
    applies: ({ config }) =>
      config.leadTargets.some(({ url }) => url.protocol === "http:" && !isLocal(url.href)),
  },
  {
    check: "sealing",
    message: "leads are stored unencrypted",
    fix: 'Set LEAD_ENCRYPTION_KEYS: echo "2026:$(openssl rand -base64 32)", and keep a copy of it.',
    applies: ({ config }) => config.leadEncryptionKeys.length === 0,
  },
  {
    check: "proxy",
    message: "on Deno Deploy the socket has the client's address; X-Forwarded-For can be forged",
    fix: "Set TRUSTED_PROXY_HOPS to 0, unless a proxy of your own is in front.",
    applies: ({ config, variables }) =>
      Boolean(variables["DENO_DEPLOY"]) && config.trustedProxyHops > 0,
  },
  {
    check: "proxy",
    message: "only a proxy on this machine can reach the service: all visitors count as one client",
    fix: "Set TRUSTED_PROXY_HOPS to the number of your proxies that append to X-Forwarded-For.",
    applies: ({ config: { host, siteUrl, trustedProxyHops }, variables }) =>
      !variables["DENO_DEPLOY"] && trustedProxyHops === 0 &&
      isLocal(`http://${host}`) && !isLocal(siteUrl),
  },
  {
    check: "listen",
    message: "HOST and PORT have no effect on Deno Deploy",
    fix: "Leave them out.",
    applies: ({ variables }) =>
      Boolean(variables["DENO_DEPLOY"] && (variables["HOST"] || variables["PORT"])),
  },
  {
    check: "secrets",
    message: `${SECRETS.join(", ")} are secrets; deno deploy env load does not hide them all`,
    fix: "Add each that is set with deno deploy env add NAME VALUE --secret.",
    applies: ({ variables }) =>
      Boolean(variables["DENO_DEPLOY"]) && SECRETS.some((name) => variables[name]),
  },
];

export function checkSettings(environment: Environment): Finding[] {
  const found = RULES.filter(({ applies }) => applies(environment))
    .map(({ check, state = "warn", message, fix }) => ({ check, state, message, fix }));
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
 * Whether the words are the same, or one or two edits make the names the same. Those of PORT and HOST never
 * are: usual variables are as near.
 */
function resembles(name: string, variable: string): boolean {
  const words = (text: string) => text.split("_").sort().join();
  return variable.length > 4 && !variable.startsWith("DENO_") &&
    (words(name) === words(variable) || areNear(name, variable, variable.length > 10 ? 2 : 1));
}

/** Whether the Damerau–Levenshtein distance of two texts is at most `edits`. */
function areNear(a: string, b: string, edits: number): boolean {
  if (a === b) return true;
  if (a[0] === b[0]) return areNear(a.slice(1), b.slice(1), edits);
  if (edits === 0) return false;
  const [restA, restB] = [a.slice(1), b.slice(1)];
  return areNear(restA, restB, edits - 1) || areNear(restA, b, edits - 1) ||
    areNear(a, restB, edits - 1) ||
    (a[0] === b[1] && a[1] === b[0] && areNear(a.slice(2), b.slice(2), edits - 1));
}
