/**
 * @module Reads the mutants of the YAML files beside it. Each row is one line with these columns:
 *
 * | column | |
 * | --- | --- |
 * | `fault` | one sentence |
 * | `caught_by` | the rule that must catch it (default: any) |
 * | `tier` | the slow tier that must catch it, for a row or the whole file (default: any fast tier) |
 * | `when` | which requests and answers are changed (default: all) |
 * | `answer` | changes to the answer |
 * | `request` | changes to the request before the service receives it |
 * | `document` | changes to the OpenAPI document, by JSON Pointer |
 * | `accepts`, `refuses` | leads by member that the service refuses or accepts, and the mutant does not |
 * | `env` | changes to the environment of every instance |
 * | `also` | a lead to send after an answer |
 * | `patience` | how long an incomplete request is withheld from the service, in milliseconds |
 *
 * Each text in `when`, `accepts` and `refuses` is an expression for the whole value. A header, body,
 * target or variable is changed by a text that replaces it, by `{expression: replacement}`, or
 * by null, which removes it. `{path}`, `{body}`, `{uuid}`, `{name of a header}` and `{member of the
 * lead}` in a text stand for what the request has.
 */

import { z } from "zod";
import { readYaml } from "../yaml_file.ts";
import { changesOf, edit, edited, isLead, jsonOf, withMembers } from "./changes.ts";
import type { Change, Fault, Mutant, ProxiedRequest, Reply } from "./mutant.ts";

const Value = z.union([
  z.string(),
  z.strictObject({ type: z.enum(["absent", "null", "number"]) }),
  /** At least this many UTF-16 units, or bytes. */
  z.strictObject({ units: z.int() }),
  z.strictObject({ bytes: z.int() }),
]);
const Values = z.record(z.string(), Value);

const Condition = z.strictObject({
  method: z.string().optional(),
  path: z.string().optional(),
  headers: Values.optional(),
  body: z.string().optional(),
  /** A request for a lead, whose members have these values. */
  lead: Values.optional(),
  status: z.union([z.int().transform(String), z.string()]).optional(),
  /** Headers of the answer. */
  gives: Values.optional(),
});

const Edit = z.union([z.null(), z.string(), z.record(z.string(), z.string())]);
const Edits = z.record(z.string(), Edit).default({});
const Json = z.record(z.string(), z.unknown());

const Row = z.strictObject({
  fault: z.string(),
  caught_by: z.string().optional(),
  tier: z.enum(["raw", "limits", "faults", "matrix"]).optional(),
  /** `after`: only once an exchange has been like this. */
  when: Condition.extend({ after: Condition.optional() }).default({}),
  answer: z.strictObject({
    status: z.int().exactOptional(),
    headers: Edits,
    body: Edit.optional(),
    /** New values by JSON Pointer; null removes one (as in RFC 7396), `-` appends (RFC 6901 §4). */
    json: Json.optional(),
    surplus: z.string().exactOptional(),
    late: z.int().exactOptional(),
    cut: z.int().exactOptional(),
  }).optional(),
  request: z.strictObject({
    method: z.string().optional(),
    target: Edit.optional(),
    headers: Edits,
    body: Edit.optional(),
  }).optional(),
  document: Json.optional(),
  accepts: Values.optional(),
  refuses: Values.optional(),
  env: Edits.optional(),
  also: z.string().optional(),
  patience: z.int().optional(),
});

type Row = z.infer<typeof Row>;

const File = z.strictObject({ tier: Row.shape.tier, mutants: z.array(Row).min(1) });

/** The mutants of every YAML file beside this module. @throws {CannotRun} naming file and line */
export async function readRows(): Promise<Mutant[]> {
  const mutants: Mutant[] = [];
  const folder = new URL("./", import.meta.url);
  for await (const { name } of Deno.readDir(folder)) {
    if (!name.endsWith(".yaml")) continue;
    const file = await readYaml(new URL(name, folder), File);
    for (const row of file!.mutants) {
      const { fault, tier = file!.tier, caught_by } = row;
      mutants.push({ name: fault, by: tier, check: caught_by, ...faultOf(withoutShorthand(row)) });
    }
  }
  return mutants;
}

const DOCUMENT = { path: String.raw`/openapi\.json|/api/openapi\.yaml`, status: "200" };

/** The row with `document`, `accepts` and `refuses` written as `when` and `answer`. */
function withoutShorthand(row: Row): Row {
  const { when, document, accepts, refuses } = row;
  if (document !== undefined) {
    return { ...row, when: DOCUMENT, answer: { headers: {}, json: document } };
  }
  if (accepts !== undefined) {
    const answer = { headers: {}, status: 200, body: '{"ok":true,"delivered":false}' };
    return { ...row, when: { ...when, lead: accepts, status: "400" }, answer };
  }
  if (refuses === undefined) return row;
  const path = `/${Object.keys(refuses)[0] ?? ""}`;
  const error = {
    code: "invalid_lead",
    message: "The body is not a valid LeadRequest.",
    hint: "Correct what details.issues names.",
    docs: "http://service.invalid/developers",
    details: { issues: [{ path, rule: "format", message: "It is wrong." }] },
  };
  const answer = { headers: {}, status: 400, body: JSON.stringify({ error }) };
  return { ...row, when: { ...when, lead: refuses, status: "200" }, answer };
}

function faultOf({ when: { after, ...when }, answer, request, env, also, patience }: Row): Fault {
  function fits(one: ProxiedRequest, reply: Reply): boolean {
    if (after !== undefined && isLike(after, one, reply)) one.memory.set("after", 1);
    return isLike(when, one, reply) && (after === undefined || one.memory.has("after"));
  }
  return {
    ...(answer && {
      reply: (reply, one) => fits(one, reply) ? changedReply(reply, answer, one) : reply,
    }),
    ...(request && { request: (one) => isLike(when, one) ? changeOf(one, request) : {} }),
    ...(also && { also: (reply, one) => fits(one, reply) ? edit("", also, one) : undefined }),
    ...(env && { env: (given) => edited(given, env) }),
    ...(patience && { patience }),
  };
}

function isLike(
  { method, path, headers, body, lead, status, gives }: z.infer<typeof Condition>,
  request: ProxiedRequest,
  reply?: Reply,
): boolean {
  return isValue(request.method, method) && isValue(request.path, path) &&
    (status === undefined || isValue(String(reply?.status), status)) &&
    areValues(request.headers, headers) && areValues(reply?.headers, gives) &&
    isValue(request.body, body) &&
    (lead === undefined || isLead(request) && areValues(jsonOf(request), lead));
}

function areValues(object: unknown, wanted: z.infer<typeof Values> = {}): boolean {
  return Object.entries(wanted).every(([name, value]) => isValue(Object(object)[name], value));
}

function isValue(value: unknown, wanted: z.infer<typeof Value> | undefined): boolean {
  if (wanted === undefined) return true;
  if (typeof wanted === "object" && "type" in wanted) {
    const type = value === undefined ? "absent" : value === null ? "null" : typeof value;
    return type === wanted.type;
  }
  if (typeof value !== "string") return false;
  if (typeof wanted === "string") return new RegExp(`^(?:${wanted})$`, "su").test(value);
  if ("units" in wanted) return value.length >= wanted.units;
  return new TextEncoder().encode(value).length >= wanted.bytes;
}

function changedReply(
  reply: Reply,
  { headers, body, json = {}, ...rest }: NonNullable<Row["answer"]>,
  request: ProxiedRequest,
): Reply {
  const changed = { ...reply, ...rest, headers: edited(reply.headers, headers, request) };
  if (body !== undefined) return { ...changed, body: edit(reply.body, body, request) ?? "" };
  return { ...changed, body: withMembers(reply, json, request) };
}

function changeOf(
  request: ProxiedRequest,
  { method, target, headers, body }: NonNullable<Row["request"]>,
): Change {
  return {
    headers: changesOf(request.headers, headers, request),
    ...(method && { method: edit(request.method, method, request)! }),
    ...(target && { target: edit(request.target, target, request)! }),
    ...(body && { body: edit(request.body, body, request)! }),
  };
}
