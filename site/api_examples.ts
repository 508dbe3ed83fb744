/** @module Renders the examples of the OpenAPI document as fenced blocks with labels. */

import type { Json } from "../schemas/openapi_headers.ts";
import { type JsonObject, objectAt } from "./schema_text.ts";

/** Media type, schema and examples of a request or response. */
export function contentOf(
  message: Json | undefined,
): { type: string; schema: JsonObject; examples: JsonObject } {
  const [[type, media] = ["", {}]] = Object.entries(objectAt(message, "content"));
  return { type, schema: objectAt(media, "schema"), examples: objectAt(media, "examples") };
}

/** The request with the first example of its body, if it has one, in each language of the docs. */
export function requestBlocks(
  title: string,
  { siteUrl, body }: { readonly siteUrl: string; readonly body: Json | undefined },
): string[] {
  const [method = "", path] = title.split(" ");
  const { type, examples } = contentOf(body);
  const [example] = Object.values(examples);
  const sent = example === undefined ? undefined : pretty(objectAt(example)["value"]);
  const indented = sent?.replaceAll("\n", "\n  ");
  const url = `${siteUrl}${path}`;
  const option = method === (sent ? "POST" : "GET") ? "" : `-X ${method} `; // curl's own default
  const data = indented && [
    `-H 'Content-Type: ${type}'`,
    `-d '${indented.replaceAll("'", "'\\''")}'`,
  ];
  const curl = [`curl ${option}${url}`, ...data ?? []].join(" \\\n  ");
  const options = [
    ...method === "GET" ? [] : [`method: "${method}",`],
    ...sent ? [`headers: { "content-type": "${type}" },`] : [],
    ...sent ? [`body: JSON.stringify(${indented}),`] : [],
  ];
  const init = options.length > 0 ? `, {\n  ${options.join("\n  ")}\n}` : "";
  const python = options.length === 0
    ? ["from urllib.request import urlopen", "", `with urlopen("${url}", timeout=30) as response:`]
    : [
      ...["from urllib.request import Request, urlopen", ""],
      `request = Request("${url}", method="${method}")`,
      ...sent ? [`request.add_header("Content-Type", "${type}")`] : [],
      ...sent ? [`request.data = r"""${sent}""".encode()`] : [],
      "with urlopen(request, timeout=30) as response:",
    ];
  const script =
    `const response = await fetch("${url}"${init});\nconsole.log(await response.text());`;
  return [
    block("bash curl", curl),
    block("js fetch", script),
    block("python Python", [...python, "    print(response.read().decode())"].join("\n")),
  ];
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
