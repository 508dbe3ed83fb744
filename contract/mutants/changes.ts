/** @module Changes to texts, headers and JSON of the requests and answers that mutants see. */

import { parse } from "yaml";
import { at } from "../profile.ts";
import type { ProxiedRequest, Reply } from "./mutant.ts";

/** A text that replaces a value, replacements by expression, or null, which removes the value. */
export type Edit = null | string | Readonly<Record<string, string>>;
type Edits = Readonly<Record<string, Edit>>;
type Values = Readonly<Record<string, string>>;

/** JSON of any shape. */
// deno-lint-ignore no-explicit-any -- mutants read and edit it without a schema
export type AnyJson = any;

/** Parses a body; undefined if it is neither JSON nor YAML. */
export function valueOf({ body, headers }: Pick<Reply, "body" | "headers">): AnyJson {
  try {
    const isYaml = headers["content-type"]?.startsWith("application/yaml");
    return isYaml ? parse(body) ?? undefined : JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Parses the body of a request, whatever its Content-Type; undefined if it is not JSON. */
export function jsonOf({ body }: Pick<ProxiedRequest, "body">): AnyJson {
  return valueOf({ body, headers: {} });
}

export function isLead({ method, path }: ProxiedRequest): boolean {
  return method === "POST" && path === "/api/lead";
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

/** The edited values alone; undefined for those that are removed. */
export function changesOf(
  values: Values,
  edits: Edits,
  request?: ProxiedRequest,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(edits).map(([name, by]) => [name, edit(values[name], by, request)]),
  );
}

/** All values after some were edited. */
export function edited(values: Values, edits: Edits, request?: ProxiedRequest): Values {
  const all = Object.entries({ ...values, ...changesOf(values, edits, request) });
  return Object.fromEntries(all.filter((one): one is [string, string] => one[1] !== undefined));
}

/** The body with other members, by JSON Pointer; unchanged if it has none. */
export function withMembers(
  reply: Pick<Reply, "body" | "headers">,
  members: Readonly<Record<string, unknown>>,
  request: ProxiedRequest,
): string {
  const value = Object.keys(members).length === 0 ? undefined : valueOf(reply);
  if (value === undefined) return reply.body;
  for (const [pointer, to] of Object.entries(members)) {
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
  const { path, body, headers } = request;
  const known = { ...jsonOf(request), ...headers, path, body, uuid: crypto.randomUUID() };
  return text.replace(/\{([\w-]+)\}/g, (all, name) => String(known[name] ?? all));
}
