/**
 * @module Documents for programs at fixed addresses: the API catalog (RFC 9727, as an RFC 9264
 * linkset), security.txt (RFC 9116), the web app manifest (W3C). Made from facts, not from pages.
 */

import type { Json } from "../schemas/json.ts";
import type { SiteFacts } from "./facts.ts";
import { contactPaths, DEFAULT_LOCALE, localePrefix, LOCALES } from "./page_path.ts";

const DAY_MS = 86_400_000;

/** RFC 9116 §2.5.5 recommends less than a year. */
const SECURITY_TXT_VALID_MS = 180 * DAY_MS;

/** The one API of this host and what describes it; each `type` is what its target is served as. */
export function apiCatalog({ siteUrl }: Pick<SiteFacts, "siteUrl">): Json {
  const link = (path: string, type: string) => ({ href: siteUrl + path, type });
  return {
    linkset: [{
      anchor: `${siteUrl}/api/site`,
      "service-desc": [
        link("/openapi.json", "application/json"),
        link("/api/openapi.yaml", "application/yaml"),
      ],
      "service-doc": LOCALES.flatMap((locale) =>
        ["/docs", "/developers"].map((path) => ({
          ...link(localePrefix(locale) + path, "text/html"),
          hreflang: [locale],
        }))
      ),
      "status": [link("/api/health", "application/json")],
    }],
  };
}

/**
 * Where to report a weakness.
 *
 * @param now milliseconds since the epoch; the text expires some months after that day
 */
export function securityTxt(
  { siteUrl, contactEmail }: Pick<SiteFacts, "siteUrl" | "contactEmail">,
  now: number,
): string {
  const today = now - now % DAY_MS;
  const contact = contactEmail === undefined
    ? siteUrl + contactPaths(DEFAULT_LOCALE).form
    : `mailto:${encodeURI(contactEmail)}`;
  return [
    `Contact: ${contact}`,
    `Expires: ${new Date(today + SECURITY_TXT_VALID_MS).toISOString()}`,
    `Preferred-Languages: ${LOCALES.join(", ")}`,
    `Canonical: ${siteUrl}/.well-known/security.txt`,
    `Policy: ${siteUrl}/security`,
    "",
  ].join("\n");
}

/** The name and the icons under which a device keeps the site. */
export function webManifest({ siteName }: Pick<SiteFacts, "siteName">): Json {
  return {
    name: siteName,
    short_name: siteName,
    start_url: "/",
    display: "browser",
    icons: [192, 512].map((size) => ({
      src: `/assets/icon-${size}.png`,
      sizes: `${size}x${size}`,
      type: "image/png",
    })),
  };
}
