/**
 * @module What the settings say by themselves, without anybody being asked: values that are valid and
 * still not what a deployed service should have.
 */

import { isWebhook } from "../../config/summary.ts";
import { isLoopback } from "./address.ts";
import { type Check, type Environment, fail, type Finding, ok, warn } from "./check.ts";

/** The public address: every link, the sitemap and the documents begin with it. */
export const siteUrl: Check = {
  name: "site_url",
  requires: ["SITE_URL"],
  run({ config, variables }) {
    const { protocol, hostname } = new URL(config.siteUrl);
    if (!variables["SITE_URL"] || isLoopback(hostname)) {
      return [fail(
        "site_url",
        `${config.siteUrl} is this machine's own address, and every link begins with it`,
        "Set SITE_URL to the public address, such as https://www.example.com.",
      )];
    }
    if (protocol === "http:") {
      return [fail(
        "site_url",
        `${config.siteUrl} is not encrypted, and people enter personal data there`,
        "Serve the site over TLS and set SITE_URL to the https address.",
      )];
    }
    return [ok("site_url", config.siteUrl)];
  },
};

/** Who answers for the site. */
export const imprint: Check = {
  name: "imprint",
  requires: ["OPERATOR", "CONTACT_EMAIL"],
  run({ config }) {
    const missing = [
      ...(config.operator.length === 0 ? ["OPERATOR"] : []),
      ...(config.contactEmail === undefined ? ["CONTACT_EMAIL"] : []),
    ];
    if (missing.length === 0) return [ok("imprint", "names an operator and an address")];
    return [warn(
      "imprint",
      "the imprint does not say who answers for the site",
      `Set ${missing.join(" and ")}.`,
    )];
  },
};

/** Whether receivers can tell the service's webhooks from anybody else's. */
export const signature: Check = {
  name: "signature",
  requires: ["LEAD_TARGETS", "LEAD_WEBHOOK_SECRET"],
  run({ config }) {
    const webhooks = config.leadTargets.filter(isWebhook);
    if (webhooks.length === 0) return [];
    if (config.leadWebhookSecrets.length === 0) {
      return [warn(
        "signature",
        "webhooks are not signed: a receiver cannot tell a lead from a forgery",
        'Set LEAD_WEBHOOK_SECRET, here and at the receiver: echo "whsec_$(openssl rand -base64 32)".',
      )];
    }
    const open = webhooks.filter(({ protocol, hostname }) =>
      protocol === "http:" && !isLoopback(hostname)
    );
    if (open.length > 0) {
      return [warn(
        "signature",
        `leads go to ${open.map(({ host }) => host).join(", ")} unencrypted`,
        "Name the https address in LEAD_TARGETS, unless the network between is your own.",
      )];
    }
    return [ok("signature", "webhooks are signed")];
  },
};

/** Whether limits count visitors or a proxy. */
export const proxy: Check = {
  name: "proxy",
  requires: ["HOST", "SITE_URL", "TRUSTED_PROXY_HOPS"],
  run: ({ config, variables }) => [proxyFinding({ config, variables })],
};

function proxyFinding({ config, variables }: Pick<Environment, "config" | "variables">): Finding {
  const { trustedProxyHops: hops, host, siteUrl: site } = config;
  const onDeploy = Boolean(variables["DENO_DEPLOY"]);
  if (onDeploy && hops > 0) {
    return warn(
      "proxy",
      "on Deno Deploy the socket has the visitor's address, and X-Forwarded-For is the visitor's to write",
      "Set TRUSTED_PROXY_HOPS to 0, unless a proxy of your own stands in front.",
    );
  }
  if (!onDeploy && hops === 0 && isLoopback(host) && !isLoopback(new URL(site).hostname)) {
    return warn(
      "proxy",
      "listens on this machine alone, so that a proxy must stand in front, and all visitors count as one client",
      "Set TRUSTED_PROXY_HOPS to the number of your proxies that append to X-Forwarded-For, such as 1.",
    );
  }
  return ok(
    "proxy",
    hops === 0 ? "a client is its socket's address" : `${hops} in front are trusted`,
  );
}
