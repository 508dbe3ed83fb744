/** @module Reads faults.yaml: thirty faults, each a change that the mutants' proxy makes. */

import { Ajv2020 } from "ajv/dist/2020.js";
import { z } from "zod";
import { type AnyJson, edited, jsonOf } from "../mutants/changes.ts";
import type { Change, ProxiedRequest, ProxyFault, Reply } from "../mutants/mutant.ts";
import { readYaml } from "../yaml_file.ts";

const Json = z.record(z.string(), z.unknown());

const Row = z.strictObject({
  fault: z.string(),
  on: z.string(),
  body: Json.optional(),
  query: Json.optional(),
  request: z.strictObject({
    method: z.string().optional(),
    query: z.record(z.string(), z.string()).optional(),
    body: Json.optional(),
    keep: z.array(z.string()).optional(),
  }).optional(),
  reply: z.strictObject({
    when: z.number(),
    status: z.number().optional(),
    headers: z.record(z.string(), z.string().nullable()).default({}),
    body: Json.optional(),
    text: z.string().optional(),
  }).optional(),
});

type Row = z.infer<typeof Row>;

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

function faultOf(service: string, { fault, on, body, query, request, reply }: Row): StrangerFault {
  const operation = new RegExp(`^${on}$`);
  const fitsBody = body && ajv.compile({ type: "object", ...body });
  const fitsQuery = query && ajv.compile(query);
  function fits(one: ProxiedRequest): boolean {
    return operation.test(`${one.method} ${one.path}`) && fitsBody?.(jsonOf(one)) !== false &&
      fitsQuery?.(Object.fromEntries(urlOf(one).searchParams)) !== false;
  }
  return {
    on: service,
    fault,
    ...request && { request: (one) => fits(one) ? changeOf(one, request) : {} },
    ...reply && {
      reply: (one, request) =>
        one.status === reply.when && fits(request) ? replyOf(one, reply) : one,
    },
  };
}

function changeOf(
  request: ProxiedRequest,
  { method, query, body, keep }: NonNullable<Row["request"]>,
): Change {
  const url = urlOf(request);
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
  const kept = keep && Object.fromEntries(keep.map((name) => [name, jsonOf(request)[name]]));
  return {
    ...method && { method },
    ...query && { target: url.pathname + url.search },
    ...kept && { body: JSON.stringify(kept) },
    ...body && { body: patched(jsonOf(request), body) },
  };
}

function replyOf(
  reply: Reply,
  { status = reply.status, headers, body, text }: NonNullable<Row["reply"]>,
): Reply {
  const changed = text ?? (body ? patched(jsonOf(reply), body) : reply.body);
  return { ...reply, status, body: changed, headers: edited(reply.headers, headers) };
}

function patched(value: AnyJson, patch: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(merged(value, patch)).replaceAll("{n}", crypto.randomUUID());
}

function merged(value: AnyJson, patch: unknown): AnyJson {
  if (typeof patch !== "object" || patch === null || Array.isArray(patch)) return patch;
  if (Array.isArray(value)) return value.map((item) => merged(item, patch));
  const members = Object.entries(patch).map(([name, one]) => [name, merged(value?.[name], one)]);
  const all = Object.entries({ ...value, ...Object.fromEntries(members) });
  return Object.fromEntries(all.filter(([name, one]) => one !== null || !(name in patch)));
}

function urlOf({ target }: ProxiedRequest): URL {
  return new URL(target, "http://service");
}
