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
  const url = `${siteUrl}${path}`;
  return [
    block("bash curl", curl({ method, url, type, sent })),
    block("js fetch", fetchScript({ method, url, type, sent })),
    block("python Python", python({ method, url, type, sent })),
  ];
}

interface Sent extends Readonly<Record<"method" | "url" | "type", string>> {
  readonly sent: string | undefined;
}

function curl({ method, url, type, sent }: Sent): string {
  const option = method === (sent ? "POST" : "GET") ? "" : `-X ${method} `; // curl's own default
  if (sent === undefined) return `curl ${option}${url}`;
  const data = sent.replaceAll("'", "'\\''").replaceAll("\n", "\n  ");
  return `curl ${option}${url} \\\n  -H 'Content-Type: ${type}' \\\n  -d '${data}'`;
}

function fetchScript({ method, url, type, sent }: Sent): string {
  const body = sent && [
    `headers: { "content-type": "${type}" },`,
    `body: JSON.stringify(${sent.replaceAll("\n", "\n  ")}),`,
  ];
  const options = [...method === "GET" ? [] : [`method: "${method}",`], ...body ?? []];
  const second = options.length > 0 ? `, {\n  ${options.join("\n  ")}\n}` : "";
  return `const response = await fetch("${url}"${second});\nconsole.log(await response.text());`;
}

function python({ method, url, type, sent }: Sent): string {
  const isPlain = method === "GET" && sent === undefined;
  return [
    `from urllib.request import ${isPlain ? "urlopen" : "Request, urlopen"}`,
    "",
    ...isPlain ? [] : [
      `request = Request("${url}", method="${method}")`,
      ...sent ? [`request.add_header("Content-Type", "${type}")`] : [],
      ...sent ? [`request.data = r"""${sent}""".encode()`] : [],
    ],
    `with urlopen(${isPlain ? `"${url}"` : "request"}, timeout=30) as response:`,
    "    print(response.read().decode())",
  ].join("\n");
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
