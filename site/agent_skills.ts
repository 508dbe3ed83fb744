/**
 * @module What agents find in `/.well-known/`: the skill to send an enquiry (agentskills.io), the index of
 * skills (Agent Skills Discovery 0.2.0, a draft) and the catalog for registries (ARD 0.91, a draft).
 *
 * The skill is in English, as the API is: an agent reads it whatever the language of its person.
 */

import { ERROR_CODES } from "../schemas/error_codes.ts";
import { enquiryText } from "./agent_recipe.ts";
import { LOCALES } from "../schemas/site_data.ts";
import { fill, wordsOf } from "../schemas/words.ts";
import { SKILL, SKILL_NAME } from "./urls.ts";
import { escapeMarkdown, type SiteFacts } from "./placeholders.ts";

/** Decides whether an agent loads the skill. */
function descriptionOf({ siteName }: SiteFacts): string {
  return `Sends an enquiry to ${siteName} on behalf of a person, for example a question or a request for ` +
    "a quote or a demonstration. Use it when the person has asked to contact this company and agrees to " +
    "what is sent. It needs no account or key and creates none.";
}

export function skillOf(facts: SiteFacts): string {
  const { siteName, siteUrl } = facts;
  const codes = Object.entries(ERROR_CODES).map(([code, { status, message, hint }]) =>
    `| ${status} | \`${code}\` | ${message} ${hint.replaceAll("{site}", siteUrl)} |`
  );
  return [
    "---",
    `name: ${SKILL_NAME}`,
    // A JSON string is a YAML double-quoted scalar.
    `description: ${JSON.stringify(descriptionOf(facts))}`,
    "---",
    "",
    `# Send an enquiry to ${escapeMarkdown(siteName)}`,
    "",
    enquiryText("en", facts),
    "",
    "One request is enough. Tell the person what you have sent and what the response was, and with " +
    "`Lead-Test: ?1` that it was only a test. An enquiry opens " +
    `no account. What this site keeps, and for how long, is at ${siteUrl}/privacy.md`,
    "",
    "## Errors",
    "",
    'The body of an error is `{"error": {"code", "message", "hint", "docs", "details"}}`. ' +
    "Rely on `code`:",
    "",
    "| Status | `code` | Meaning and what to do |",
    "| --- | --- | --- |",
    ...codes,
    "",
    "## More",
    "",
    `- API description, OpenAPI 3.1: ${siteUrl}/openapi.json`,
    `- Index of this site for agents: ${siteUrl}/llms.txt`,
    "",
  ].join("\n");
}

/** The index of skills, with the digest of SKILL.md as it is served. */
export async function skillIndexOf(facts: SiteFacts): Promise<object> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(skillOf(facts)));
  return {
    $schema: "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
    skills: [{
      name: SKILL_NAME,
      type: "skill-md",
      description: descriptionOf(facts),
      url: facts.siteUrl + SKILL,
      digest: `sha256:${new Uint8Array(digest).toHex()}`,
    }],
  };
}

/** The ARD manifest. Its version 0.91 ignores `specVersion`, which its predecessors require. */
export function ardOf(facts: SiteFacts): object {
  const { siteName, siteUrl } = facts;
  return {
    specVersion: "1.0",
    entries: [{
      identifier: `urn:air:${new URL(siteUrl).hostname}:skill:${SKILL_NAME}`,
      displayName: `Send an enquiry to ${siteName}`,
      type: 'text/markdown; profile="urn:air:agent-skills"',
      url: siteUrl + SKILL,
      description: descriptionOf(facts),
      representativeQueries: LOCALES.flatMap((locale) => wordsOf(locale).enquiry.queries)
        .slice(0, 5).map((query) => fill(query, { site: siteName })),
    }],
  };
}
