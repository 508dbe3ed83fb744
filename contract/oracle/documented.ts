/**
 * @module Rules by the document: status, media type, headers and body of an answer.
 */

import { parse } from "yaml";
import { isJsonType, mediaFor, responseFor, type ResponseRule } from "../document.ts";
import { at } from "../profile.ts";
import { type Case, type Check, isBodiless, mediaTypeOf } from "./check.ts";

/** Statuses that HTTP defines, so that documents need not list them. */
function isGeneric({ call, answer }: Case): boolean {
  if (call.method === "OPTIONS") return answer.status === 200 || answer.status === 204;
  const conditional = call.headers?.some(([name]) => /^if-/i.test(name)) ?? false;
  return conditional && (answer.status === 304 || answer.status === 412);
}

/** The documented response; a 405 for an undocumented method may be that of any operation. */
function ruleOf({ operation, neighbours, answer }: Case): ResponseRule | undefined {
  const candidates = operation === undefined && answer.status === 405 ? neighbours : [operation];
  const rules = candidates.map((one) =>
    one === undefined ? undefined : responseFor(one, answer.status)
  );
  return rules.find((rule) => rule !== undefined);
}

export const statusDocumented: Check = {
  name: "status_documented",
  judge(exchange) {
    const { operation, neighbours, call, answer } = exchange;
    if (neighbours.length === 0 || isGeneric(exchange)) return [];
    if (operation === undefined) {
      if (answer.status === 405) return [];
      return [`${call.method} is not documented here and got ${answer.status} instead of 405`];
    }
    if (responseFor(operation, answer.status) !== undefined) return [];
    return [`status ${answer.status} is not documented`];
  },
};

export const mediaType: Check = {
  name: "media_type",
  judge(exchange) {
    const rule = ruleOf(exchange);
    if (rule === undefined || isGeneric(exchange)) return [];
    const type = mediaTypeOf(exchange.answer.headers);
    if (rule.content.length === 0 || mediaFor(rule.content, type) !== undefined) return [];
    const documented = rule.content.map((media) => media.type).join(" or ");
    return [`${exchange.answer.status} has media type ${type || "none"} instead of ${documented}`];
  },
};

export const headersDocumented: Check = {
  name: "response_headers",
  judge(exchange, { schemas }) {
    const rule = ruleOf(exchange);
    if (rule === undefined || isGeneric(exchange)) return [];
    return rule.headers.flatMap(({ name, required, schema }) => {
      const value = exchange.answer.headers.get(name);
      if (value === null) {
        return required ? [`${exchange.answer.status} lacks the header ${name}`] : [];
      }
      const faults = schemas.of(schema)(typed(value, schema));
      return faults.map((fault) => `header ${name}: ${fault}`);
    });
  },
};

/** Converts a text if its schema is of numbers or booleans, generously: `0x10` is a number. */
export function typed(value: string, schema: unknown): unknown {
  const type = (schema as { type?: unknown } | undefined)?.type;
  if (type === "integer" || type === "number") {
    return value.trim() === "" || Number.isNaN(Number(value)) ? value : Number(value);
  }
  if (type === "boolean") return value === "true" ? true : value === "false" ? false : value;
  return value;
}

export const bodySchema: Check = {
  name: "body_schema",
  judge(exchange, { schemas }) {
    const rule = ruleOf(exchange);
    if (rule === undefined || isBodiless(exchange)) return [];
    const type = mediaTypeOf(exchange.answer.headers);
    const schema = mediaFor(rule.content, type)?.schema ?? null;
    if (schema === null) return [];
    const { status, text } = exchange.answer;
    const value = valueOf(type, text);
    if (value === undefined) return [`the body of ${status} is not ${type}`];
    return schemas.of(schema)(value).map((fault) => `body of ${status}: ${fault}`);
  },
};

export const successSays: Check = {
  name: "success_says",
  judge(exchange, { profile }) {
    const { operation, answer } = exchange;
    const wanted = profile.says?.[operation?.id ?? ""];
    if (wanted === undefined || answer.status !== 200 || isBodiless(exchange)) return [];
    const value = valueOf(mediaTypeOf(answer.headers), answer.text);
    return Object.entries(wanted).filter(([pointer, is]) => at(value, pointer) !== is)
      .map(([pointer, is]) => `the body of 200 does not have ${JSON.stringify(is)} at ${pointer}`);
  },
};

/**
 * The value of a body; undefined if it is malformed. Text and YAML, which documents describe as
 * strings, are strings.
 */
function valueOf(type: string, text: string): unknown {
  try {
    if (isJsonType(type)) return JSON.parse(text);
    if (!/[/+]yaml$/.test(type)) return text;
    parse(text);
    return text;
  } catch {
    return undefined;
  }
}
