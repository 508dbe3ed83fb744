/**
 * @module robots.txt (RFC 9309) with what the texts may be used for (contentsignals.org).
 *
 * Crawlers that read for an assistant and crawlers that gather texts for training have groups of
 * their own, which the signal opens or closes: not every one of them reads the signal itself.
 */

import type { ContentSignal } from "../schemas/values.ts";
import type { SiteFacts } from "./facts.ts";

/** By what they do, as their operators document it; one that does both is listed where it matters more. */
const CRAWLERS = {
  aiInput: [
    "ChatGPT-User",
    "Claude-SearchBot",
    "Claude-User",
    "DuckAssistBot",
    "MistralAI-User",
    "OAI-SearchBot",
    "Perplexity-User",
    "PerplexityBot",
  ],
  aiTrain: [
    "Amazonbot",
    "Applebot-Extended",
    "Bytespider",
    "CCBot",
    "ClaudeBot",
    "GPTBot",
    "Google-Extended",
    "meta-externalagent",
  ],
} as const;

/** Builds the file. */
export function robotsOf(
  { siteUrl, contentSignal }: Pick<SiteFacts, "siteUrl" | "contentSignal">,
): string {
  const { search, aiInput, aiTrain } = contentSignal;
  const signal = signalText(contentSignal);
  return [
    "# The texts are also there as markdown: see /llms.txt.",
    group(["*"], { signal, allowed: search }),
    "# Assistants, which fetch a page in order to answer from it.",
    group(CRAWLERS.aiInput, { signal, allowed: aiInput }),
    "# Crawlers that gather texts to train models on.",
    group(CRAWLERS.aiTrain, { signal, allowed: aiTrain }),
    `Sitemap: ${siteUrl}/sitemap.xml\n`,
  ].join("\n");
}

function signalText({ search, aiInput, aiTrain }: ContentSignal): string {
  const says = (allowed: boolean) => allowed ? "yes" : "no";
  return `search=${says(search)}, ai-input=${says(aiInput)}, ai-train=${says(aiTrain)}`;
}

function group(
  agents: readonly string[],
  { signal, allowed }: { readonly signal: string; readonly allowed: boolean },
): string {
  return [
    ...agents.map((agent) => `User-agent: ${agent}`),
    `Content-Signal: ${signal}`,
    allowed ? "Allow: /" : "Disallow: /",
    "",
  ].join("\n");
}
