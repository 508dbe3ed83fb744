/** @module Checks the permissions, and settings that are valid but unsuitable for a deployed service. */

import { dirname } from "node:path";
import { VARIABLES } from "../../config/config.ts";
import { isFile } from "../../config/kv_path.ts";
import { isWebhook } from "../../config/summary.ts";
import { type Environment, fail, type Finding, ok } from "./finding.ts";
import { hostOf } from "./targets.ts";

/** A finding, and the condition for it. */
interface Rule extends Required<Finding> {
  readonly applies: (environment: Environment) => boolean;
}

const RULES: readonly Rule[] = [
  {
    check: "site_url",
    state: "fail",
    message: "not a public https address, but every link starts with it",
    fix: "Set SITE_URL to the public address, such as https://www.example.com.",
    applies: ({ config }) => isLocal(config.siteUrl) || config.siteUrl.startsWith("http:"),
  },
  {
    check: "imprint",
    state: "warn",
    message: "the imprint does not name who is responsible for the site",
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
    message: "leads go to a webhook unencrypted",
    fix: "Use its https address in LEAD_TARGETS, unless the network between is your own.",
    applies: ({ config }) =>
      config.leadTargets.some(({ url }) => url.protocol === "http:" && !isLocal(url.href)),
  },
  {
    check: "sealing",
    state: "warn",
    message: "leads are stored unencrypted",
    fix: 'Set LEAD_ENCRYPTION_KEYS: echo "2026:$(openssl rand -base64 32)", and keep a copy of it.',
    applies: ({ config }) => config.leadEncryptionKeys.length === 0,
  },
  {
    check: "proxy",
    state: "warn",
    message: "on Deno Deploy the socket has the client's address; X-Forwarded-For can be forged",
    fix: "Set TRUSTED_PROXY_HOPS to 0, unless a proxy of your own is in front.",
    applies: ({ config, variables }) =>
      Boolean(variables["DENO_DEPLOY"]) && config.trustedProxyHops > 0,
  },
  {
    check: "proxy",
    state: "warn",
    message: "only a proxy on this machine can reach the service: all visitors count as one client",
    fix: "Set TRUSTED_PROXY_HOPS to the number of your proxies that append to X-Forwarded-For.",
    applies: ({ config: { host, siteUrl, trustedProxyHops }, variables }) =>
      !variables["DENO_DEPLOY"] && trustedProxyHops === 0 &&
      isLocal(`http://${host}`) && !isLocal(siteUrl),
  },
];

export function checkSettings(environment: Environment): Finding[] {
  const found = RULES.filter(({ applies }) => applies(environment))
    .map(({ applies: _, ...finding }) => finding);
  return found.length > 0 ? found : [ok("settings", "suitable for a deployed service")];
}

function isLocal(url: string): boolean {
  const { hostname } = new URL(url);
  return /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)$|\.localhost$/.test(hostname);
}

/** A permission, and the flag that grants it. */
type Need = readonly [flag: string, descriptor: Deno.PermissionDescriptor];

export async function checkPermissions({ config }: Environment): Promise<Finding[]> {
  const { host, port, kvPath, leadTargets } = config;
  const hosts = new Set([`${host}:${port}`, ...leadTargets.map(({ url }) => hostOf(url))]);
  const folder = isFile(kvPath) ? [dirname(kvPath)] : [];
  const needs: Need[] = [
    ...VARIABLES.map((variable): Need => [`--allow-env=${variable}`, { name: "env", variable }]),
    ...[...hosts].map((host): Need => [`--allow-net=${host}`, { name: "net", host }]),
    ["--allow-read=static", { name: "read", path: new URL("../../static/", import.meta.url) }],
    ...folder.map((path): Need => [`--allow-read=${path}`, { name: "read", path }]),
    ...folder.map((path): Need => [`--allow-write=${path}`, { name: "write", path }]),
  ];
  const missing: string[] = [];
  for (const [flag, descriptor] of needs) {
    const { state } = await Deno.permissions.query(descriptor);
    if (state !== "granted") missing.push(flag);
  }
  if (missing.length === 0) return [ok("permissions", "all granted")];
  const fix = "Start the service with the flags of the start task in deno.json, and with these.";
  return [fail("permissions", `missing: ${missing.join(" ")}`, fix)];
}
