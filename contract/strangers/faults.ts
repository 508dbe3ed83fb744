/** @module Reads faults.yaml: thirty faults, each a change that the mutants' proxy makes. */

import { Ajv2020 } from "ajv/dist/2020.js";
import { z } from "zod";
import { jsonOf } from "../mutants/changes.ts";
import type { Change, ProxiedRequest, ProxyFault, Reply } from "../mutants/mutant.ts";
import { readYaml } from "../yaml_file.ts";

// deno-lint-ignore no-explicit-any -- JSON of any shape, edited without a schema
type AnyJson = any;

const Row = z.strictObject({
  fault: z.string(),
  on: z.string(),
  if: z.record(z.string(), z.unknown()).default({}),
  keep: z.array(z.string()).optional(),
  request: z.record(z.string(), z.unknown()).optional(),
  when: z.number().optional(),
  reply: z.record(z.string(), z.unknown()).optional(),
});

export interface StrangerFault extends ProxyFault {
  /** The name of the service. */
  readonly on: string;
  readonly fault: string;
}

const ajv = new Ajv2020({ strict: false });

export async function readFaults(): Promise<StrangerFault[]> {
  const file = new URL("faults.yaml", import.meta.url);
  const rows = await readYaml(file, z.record(z.string(), z.array(Row)));
  return Object.entries(rows ?? {}).flatMap(([on, some]) => some.map((row) => faultOf(on, row)));
}

/**
 * A fault whose service receives no malformed JSON: Prism 5.16 never answers it, so that each such
 * request would take the longest time, with a fault or without.
 */
export function guarded({ request = () => ({}), ...fault }: ProxyFault): ProxyFault {
  const isMalformed = (one: ProxiedRequest) => one.body !== "" && jsonOf(one) === undefined;
  return {
    ...fault,
    request: (one) => isMalformed(one) ? { body: '"malformed"' } : request(one),
  };
}

function faultOf(service: string, row: z.infer<typeof Row>): StrangerFault {
  const { fault, keep, request: patch, when: status, reply: replyPatch } = row;
  const operation = new RegExp(`^${row.on}$`);
  const isMeant = ajv.compile(row.if);
  const fits = (one: ProxiedRequest) =>
    operation.test(`${one.method} ${one.path}`) && isMeant(viewOf(one));
  const request = (one: ProxiedRequest) => fits(one) ? changeOf(one, { patch, keep }) : {};
  const reply = (given: Reply, one: ProxiedRequest) =>
    given.status === status && fits(one) ? replyOf(given, replyPatch) : given;
  return {
    on: service,
    fault,
    ...patch && { request },
    ...replyPatch && { reply },
  };
}

/** A request as `if` and `request` see it. */
function viewOf(request: ProxiedRequest): AnyJson {
  const { searchParams } = new URL(request.target, "http://service");
  return { query: Object.fromEntries(searchParams), body: jsonOf(request) };
}

function changeOf(
  request: ProxiedRequest,
  { patch, keep }: { readonly patch: AnyJson; readonly keep: readonly string[] | undefined },
): Change {
  const view = viewOf(request);
  if (keep) view.body = Object.fromEntries(keep.map((name) => [name, view.body?.[name]]));
  const { method, query, body } = merged(view, patch);
  return {
    ...method && { method },
    ...patch.query && { target: `${request.path}?${new URLSearchParams(query)}` },
    ...patch.body && { body: textOf(body) },
  };
}

function replyOf({ body: text, ...reply }: Reply, patch: AnyJson): Reply {
  const changed = merged({ ...reply, body: jsonOf({ body: text }) }, patch);
  return { ...changed, body: "body" in patch ? textOf(changed.body) : text };
}

function textOf(body: AnyJson): string {
  return (JSON.stringify(body) ?? "").replaceAll("{n}", () => crypto.randomUUID());
}

function merged(value: AnyJson, patch: AnyJson): AnyJson {
  if (typeof patch !== "object" || patch === null || Array.isArray(patch)) return patch;
  if (Array.isArray(value)) return value.map((item) => merged(item, patch));
  const all = { ...value };
  for (const [name, one] of Object.entries(patch)) {
    all[name] = merged(all[name], one);
    if (one === null) delete all[name];
  }
  return all;
}
