/** @module Renders the examples of the OpenAPI document as fenced blocks with labels. */

import type { Json } from "../schemas/openapi_headers.ts";
import { type JsonObject, objectAt } from "./schema_text.ts";

export const JSON_TYPE = "application/json";

/** Media type, schema and examples of a request or response. */
export function contentOf(
  message: Json | undefined,
): { type: string; schema: JsonObject; examples: JsonObject } {
  const [[type, media] = ["", {}]] = Object.entries(objectAt(message, "content"));
  return { type, schema: objectAt(media, "schema"), examples: objectAt(media, "examples") };
}

/** The command that sends the first example of an operation's body, if it has one. */
export function requestBlock(
  title: string,
  { siteUrl, body }: { readonly siteUrl: string; readonly body: Json | undefined },
): string {
  const [method, path] = title.split(" ");
  const { type, examples } = contentOf(body);
  const [example] = Object.values(examples);
  const sent = example && pretty(objectAt(example)["value"])
    .replaceAll("'", "'\\''").replaceAll("\n", "\n  ");
  const option = method === (sent ? "POST" : "GET") ? "" : `-X ${method} `; // curl's own default
  const data = sent ? ` \\\n  -H 'Content-Type: ${type}' \\\n  -d '${sent}'` : "";
  return block("bash curl", `curl ${option}${siteUrl}${path}${data}`);
}

/** The examples of a response, labelled with its status and their names. */
export function exampleBlocks(status: string, response: Json): string[] {
  const { type, examples } = contentOf(response);
  return Object.entries(examples).map(([name, example]) =>
    block(`${/\w+$/.exec(type)} ${status} ${name}`, pretty(objectAt(example)["value"]))
  );
}

function pretty(value: Json | undefined): string {
  return typeof value === "string" ? value.trimEnd() : JSON.stringify(value, null, 2);
}

/** The first word of `info` is the language, the rest a label. */
function block(info: string, text: string): string {
  return `\`\`\`${info}\n${text}\n\`\`\``;
}
