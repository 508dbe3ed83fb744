/** @module API catalog (RFC 9727), security.txt (RFC 9116), web manifest, robots.txt (RFC 9309). */

import { DAY_MS } from "../lib/clock.ts";
import { DEFAULT_LOCALE, LOCALES } from "../schemas/site_data.ts";
import { pathsIn } from "./urls.ts";
import type { SiteFacts } from "./placeholders.ts";

/** RFC 9116 §2.5.5 recommends less than a year. */
const SECURITY_TXT_VALID_MS = 180 * DAY_MS;

export function apiCatalog({ siteUrl }: Pick<SiteFacts, "siteUrl">): object {
  const link = (path: string, type: string) => ({ href: siteUrl + path, type });
  return {
    linkset: [{
      anchor: `${siteUrl}/api/site`,
      "service-desc": [
        link("/openapi.json", "application/json"),
        link("/api/openapi.yaml", "application/yaml"),
      ],
      "service-doc": LOCALES.flatMap((locale) =>
        [pathsIn(locale).docs, pathsIn(locale).developers].map((path) => ({
          ...link(path, "text/html"),
          hreflang: [locale],
        }))
      ),
      "status": [link("/api/health", "application/json")],
    }],
  };
}

export function securityTxt(
  { siteUrl, contactEmail }: Pick<SiteFacts, "siteUrl" | "contactEmail">,
  now: number,
): string {
  const today = now - now % DAY_MS;
  const contact = contactEmail === undefined
    ? siteUrl + pathsIn(DEFAULT_LOCALE).contact
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

export function webManifest({ siteName, brand }: Pick<SiteFacts, "siteName" | "brand">): object {
  const background = brand.theme?.light;
  return {
    name: siteName,
    short_name: siteName,
    start_url: "/",
    display: "browser",
    ...(background && { theme_color: background, background_color: background }),
    icons: [192, 512].map((size) => ({
      src: `/assets/icon-${size}.png`,
      sizes: `${size}x${size}`,
      type: "image/png",
    })),
  };
}

/** By purpose, as their operators document it; one with both purposes by the main one. */
const CRAWLERS = {
  aiInput: [
    ...["ChatGPT-User", "Claude-SearchBot", "Claude-User", "DuckAssistBot", "MistralAI-User"],
    ...["OAI-SearchBot", "Perplexity-User", "PerplexityBot"],
  ],
  aiTrain: [
    ...["Amazonbot", "Applebot-Extended", "Bytespider", "CCBot", "ClaudeBot", "GPTBot"],
    ...["Google-Extended", "meta-externalagent"],
  ],
} as const;

/** Renders robots.txt, with groups for AI crawlers: not all of them read Content-Signal. */
export function robotsOf(
  { siteUrl, contentSignal }: Pick<SiteFacts, "siteUrl" | "contentSignal">,
): string {
  const { search, aiInput, aiTrain } = contentSignal;
  const yesNo = (allowed: boolean) => allowed ? "yes" : "no";
  const signal = `search=${yesNo(search)}, ai-input=${yesNo(aiInput)}, ai-train=${yesNo(aiTrain)}`;
  const group = (agents: readonly string[], allowed: boolean) => [
    ...agents.map((agent) => `User-agent: ${agent}`),
    `Content-Signal: ${signal}`,
    allowed ? "Allow: /" : "Disallow: /",
    "",
  ];
  return [
    "# Every page is also available as markdown: see /llms.txt.",
    ...group(["*"], search),
    "# Assistants and AI search that read pages to answer questions.",
    ...group(CRAWLERS.aiInput, aiInput),
    "# Crawlers that collect text to train models.",
    ...group(CRAWLERS.aiTrain, aiTrain),
    `Sitemap: ${siteUrl}/sitemap.xml\n`,
  ].join("\n");
}
