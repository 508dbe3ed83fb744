/** @module Reads mutants, one in each row of a YAML file; the README documents the columns. */

import { z } from "zod";
import { readYaml } from "../lib/yaml_file.ts";
import { changedBody, edit, edited, valueOf } from "./message.ts";
import type { ProxiedRequest, Reply } from "./message.ts";
import type { Fault } from "./proxy.ts";

const Value = z.union([
  z.null(),
  z.string(),
  /** An expression for any value as JSON. */
  z.strictObject({ json: z.string() }),
  /** At least this many UTF-16 units, or bytes. */
  z.strictObject({ units: z.int() }),
  z.strictObject({ bytes: z.int() }),
]);
const Values = z.record(z.string(), Value);

const Condition = z.strictObject({
  method: z.string().optional(),
  path: z.string().optional(),
  query: Values.optional(),
  headers: Values.optional(),
  body: z.string().optional(),
  members: Values.optional(),
  beside: z.array(z.string()).optional(),
  status: z.union([z.int(), z.string()]).transform(String).optional(),
  gives: Values.optional(),
});

const Edit = z.union([z.null(), z.string(), z.record(z.string(), z.string())]);
const Edits = z.record(z.string(), Edit).default({});
/** New values by JSON Pointer; null removes one (as in RFC 7396), `-` appends (RFC 6901 §4). */
const Json = z.record(z.string(), z.unknown());

export const Row = z.strictObject({
  fault: z.string(),
  caught_by: z.string().optional(),
  tier: z.enum(["raw", "limits", "faults", "coverage"]).optional(),
  /** `after`: only once an exchange before has been like this. */
  when: Condition.extend({ after: Condition.optional() }).default({}),
  answer: z.strictObject({
    status: z.int().exactOptional(),
    headers: Edits,
    body: Edit.optional(),
    json: Json.default({}),
    surplus: z.string().exactOptional(),
    late: z.int().exactOptional(),
    cut: z.int().exactOptional(),
  }).optional(),
  request: z.strictObject({
    method: z.string().optional(),
    target: Edit.optional(),
    headers: Edits,
    body: Edit.optional(),
    json: Json.default({}),
  }).optional(),
  document: Json.optional(),
  accepts: Values.optional(),
  refuses: Values.optional(),
  env: Edits.optional(),
  patience: z.int().exactOptional(),
});

type Row = z.infer<typeof Row>;

export interface Mutant extends Fault {
  readonly name: string;
  /** What must catch it; by default, any fast tier. */
  readonly by?: Row["tier"];
  readonly check?: string | undefined;
}

const File = z.strictObject({ tier: Row.shape.tier, mutants: z.array(Row).min(1) });

/** The mutants of every file beside this module, by name. @throws {CannotRun} naming file and line */
export async function readMutants(): Promise<Mutant[]> {
  const mutants: Mutant[] = [];
  const folder = new URL("./", import.meta.url);
  for await (const { name } of Deno.readDir(folder)) {
    if (!name.endsWith(".yaml")) continue;
    const { tier, mutants: rows } = (await readYaml(new URL(name, folder), File))!;
    mutants.push(...rows.map((row) => mutantOf({ tier, ...row })));
  }
  return mutants.sort((one, other) => one.name < other.name ? -1 : 1);
}

const DOCUMENT = { path: String.raw`/openapi\.json|/api/openapi\.yaml`, status: "200" };
const LEAD = { method: "POST", path: "/api/lead" };
const TAKEN = '{"ok":true,"delivered":false}';

/** The row with `document`, `accepts` and `refuses` written as `when` and `answer`. */
function inFull(row: Row): Row {
  const { document, accepts, refuses } = row;
  const answer = { headers: {}, json: document ?? {} };
  if (document !== undefined) return { ...row, when: DOCUMENT, answer };
  const when = { ...LEAD, ...row.when, members: { ...accepts, ...refuses } };
  if (accepts !== undefined) {
    const taken = { ...answer, status: 200, body: TAKEN };
    return { ...row, when: { ...when, status: "400" }, answer: taken };
  }
  if (refuses === undefined) return row;
  const error = {
    code: "invalid_lead",
    message: "The body is not a valid LeadRequest.",
    hint: "Correct what details.issues names.",
    docs: "http://service.invalid/developers",
    details: { issues: Object.keys(refuses).map((name) => ({ path: `/${name}`, ...ISSUE })) },
  };
  const refused = { ...answer, status: 400, body: JSON.stringify({ error }) };
  return { ...row, when: { ...when, status: "200" }, answer: refused };
}

const ISSUE = { rule: "format", message: "Wrong." };

export function mutantOf(row: Row): Mutant {
  const { when: { after, ...like }, answer, request, env, patience } = inFull(row);
  function fits(one: ProxiedRequest, reply?: Reply): boolean {
    const isAfter = after === undefined || one.memory.has("after");
    if (after !== undefined && isLike(after, one, reply)) one.memory.set("after", 1);
    return isAfter && isLike(like, one, reply);
  }
  return {
    name: row.fault,
    by: row.tier,
    check: row.caught_by,
    ...request && { request: (one) => isLike(like, one) ? changedRequest(one, request) : one },
    ...answer &&
      { reply: (reply, one) => fits(one, reply) ? changedReply(reply, answer, one) : reply },
    ...env && { env: (given) => edited(given, env) },
    ...patience && { patience },
  };
}

/** @param reply undefined before there is one; what is said of it then holds */
function isLike(
  { method, path, query, headers, body, members, beside, status, gives }: z.infer<typeof Condition>,
  request: ProxiedRequest,
  reply?: Reply,
): boolean {
  const parameters = new URLSearchParams(request.target.split("?", 2)[1]);
  const json = () => Object(valueOf(request));
  return isValue(request.method, method) && isValue(request.path, path) &&
    areValues(Object.fromEntries(parameters), query) && areValues(request.headers, headers) &&
    isValue(request.body, body) && (members === undefined || areValues(json(), members)) &&
    (beside === undefined || Object.keys(json()).some((name) => !beside.includes(name))) &&
    (reply === undefined ||
      isValue(String(reply.status), status) && areValues(reply.headers, gives));
}

function areValues(object: Record<string, unknown>, wanted: z.infer<typeof Values> = {}): boolean {
  return Object.entries(wanted).every(([name, value]) => isValue(object[name], value));
}

function isValue(value: unknown, wanted: z.infer<typeof Value> | undefined): boolean {
  if (wanted === undefined) return true;
  if (wanted === null) return value === undefined;
  if (typeof wanted === "string") return typeof value === "string" && isWhole(value, wanted);
  if ("json" in wanted) return value !== undefined && isWhole(JSON.stringify(value), wanted.json);
  if (typeof value !== "string") return false;
  if ("units" in wanted) return value.length >= wanted.units;
  return new TextEncoder().encode(value).length >= wanted.bytes;
}

function isWhole(text: string, expression: string): boolean {
  return new RegExp(`^(?:${expression})$`, "su").test(text);
}

function changedReply(
  reply: Reply,
  { headers, body, json, ...rest }: NonNullable<Row["answer"]>,
  request: ProxiedRequest,
): Reply {
  const { memory } = request;
  memory.set("times", (memory.get("times") ?? 0) + 1);
  return {
    ...{ ...reply, ...rest },
    headers: edited(reply.headers, headers, request),
    body: changedBody(reply, { body, json }, request),
  };
}

function changedRequest(
  request: ProxiedRequest,
  { method = request.method, target = {}, headers, ...rest }: NonNullable<Row["request"]>,
): ProxiedRequest {
  return {
    ...request,
    method: edit(request.method, method, request)!,
    target: edit(request.target, target, request) ?? request.target,
    headers: edited(request.headers, headers, request),
    body: changedBody(request, rest, request),
  };
}
