/** @module Changes to texts, headers and JSON of the requests and answers that mutants see. */

import { parse } from "yaml";
import { at } from "../profile.ts";
import type { ProxiedRequest } from "./message.ts";

/** A text that replaces a value, replacements by expression, or null, which removes the value. */
export type Edit = null | string | Readonly<Record<string, string>>;
type Values = Readonly<Record<string, string>>;

/** A request or an answer. */
type Message = Pick<ProxiedRequest, "headers" | "body">;

/** JSON of any shape. */
// deno-lint-ignore no-explicit-any -- mutants read and edit it without a schema
export type AnyJson = any;

/** The value of a body, JSON unless it is labelled as YAML; undefined if it has none. */
export function valueOf({ body, headers }: Message): AnyJson {
  try {
    const isYaml = headers["content-type"]?.startsWith("application/yaml");
    return isYaml ? parse(body) ?? undefined : JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The value after an edit; undefined if it is removed, or absent and not replaced as a whole. */
export function edit(
  value: string | undefined,
  by: Edit,
  request?: ProxiedRequest,
): string | undefined {
  if (by === null) return undefined;
  if (typeof by === "string") return filled(by, request);
  return Object.entries(by).reduce(
    (text, [from, to]) => text?.replace(new RegExp(from, "gsu"), filled(to, request)),
    value,
  );
}

/** All values after some were edited. */
export function edited(
  values: Values,
  edits: Readonly<Record<string, Edit>>,
  request?: ProxiedRequest,
): Values {
  const changed = Object.entries(edits)
    .map(([name, by]) => [name, edit(values[name], by, request)] as const);
  const all = Object.entries({ ...values, ...Object.fromEntries(changed) });
  return Object.fromEntries(all.filter((one): one is [string, string] => one[1] !== undefined));
}

/** The body after an edit, or with other members by JSON Pointer if it has any. */
export function changedBody(
  message: Message,
  { body, json }: { readonly body?: Edit | undefined; readonly json: Record<string, unknown> },
  request: ProxiedRequest,
): string {
  if (body !== undefined) return edit(message.body, body, request) ?? "";
  const value = Object.keys(json).length === 0 ? undefined : valueOf(message);
  if (value === undefined) return message.body;
  for (const [pointer, to] of Object.entries(json)) {
    const end = pointer.lastIndexOf("/");
    const parent: AnyJson = at(value, pointer.slice(0, end));
    const name = pointer.slice(end + 1).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof parent !== "object" || parent === null) continue;
    if (to === null) delete parent[name];
    else if (name === "-") parent.push(to);
    else parent[name] = typeof to === "string" ? filled(to, request) : to;
  }
  return JSON.stringify(value);
}

/** Replaces `{name}` by what the request has under this name. */
function filled(text: string, request: ProxiedRequest | undefined): string {
  if (request === undefined || !text.includes("{")) return text;
  const { path, body, headers, memory } = request;
  const members = valueOf(request);
  const times = memory.get("times") ?? 0;
  const known = { ...members, ...headers, path, body, times, uuid: crypto.randomUUID() };
  return text.replace(/\{([\w-]+)\}/g, (all, name) => String(known[name] ?? all));
}
