/**
 * @module Rules by the document: media type, headers and body of an answer.
 */

import { parse } from "yaml";
import { isJsonType, mediaFor, responseFor, type ResponseRule } from "../document.ts";
import { jsonOf } from "../exchange.ts";
import { at } from "../pointer.ts";
import {
  type Case,
  type Checks,
  type Contract,
  isBodiless,
  isGeneric,
  mediaTypeOf,
} from "./check.ts";
import { readings, typesOf } from "./reading.ts";

export const DOCUMENT_CHECKS: Checks = {
  media_type(exchange, contract) {
    const { content = [] } = ruleOf(exchange, contract) ?? {};
    const type = mediaTypeOf(exchange.answer.headers);
    if (content.length === 0 || mediaFor(content, type) !== undefined) return undefined;
    // HEAD may leave fields out (RFC 9110 §9.3.2).
    if (type === "" && isBodiless(exchange)) return undefined;
    const documented = content.map((media) => media.type).join(" or ");
    return `${exchange.answer.status} has media type ${type || "none"} instead of ${documented}`;
  },
  response_headers(exchange, contract) {
    const { call, answer } = exchange;
    return headersOf(exchange, contract).flatMap(({ name, required, schema }) => {
      const value = answer.headers.get(name);
      if (value === null) {
        const lacks = required && call.method !== "HEAD";
        return lacks ? [`${answer.status} lacks the header ${name}`] : [];
      }
      const faults = readings(value, { schema, document: contract.document })
        .map((reading) => contract.schemas.of(schema)(reading));
      const isRight = faults.some((found) => found.length === 0);
      return isRight ? [] : faults[0]!.map((fault) => `header ${name}: ${fault}`);
    });
  },
  head_fields(exchange, contract) {
    if (exchange.call.method !== "HEAD") return undefined;
    return headersOf(exchange, contract)
      .filter(({ name, required }) => required && !exchange.answer.headers.has(name))
      .map(({ name }) => `HEAD lacks ${name}`);
  },
  body_schema(exchange, contract) {
    const rule = ruleOf(exchange, contract);
    const { status, headers, text, isCut } = exchange.answer;
    if (rule === undefined || isBodiless(exchange) || isCut === true) return undefined;
    const type = mediaTypeOf(headers);
    const media = mediaFor(rule.content, type);
    if (media === undefined) return undefined;
    const value = valueOf(type, text);
    if (value === undefined) return `the body of ${status} is not ${type}`;
    const schema = media.schema ?? true;
    // JSON Schema describes JSON. Text is judged if it is described as a string, all else is not.
    const isText = type.startsWith("text/") || isYaml(type);
    const isString = isText && typesOf(schema, contract.document).includes("string");
    if (!isString && !isJsonType(type)) return undefined;
    return contract.schemas.of(schema)(value).map((fault) => `body of ${status}: ${fault}`);
  },
  success_says(exchange, { profile }) {
    const { operation, answer } = exchange;
    const wanted = profile.says?.[operation?.id ?? ""];
    if (wanted === undefined || answer.status !== 200 || isBodiless(exchange)) return undefined;
    if (answer.isCut === true) return undefined;
    const value = jsonOf(answer);
    return Object.entries(wanted).filter(([pointer, is]) => at(value, pointer) !== is)
      .map(([pointer, is]) => `the body of 200 does not have ${JSON.stringify(is)} at ${pointer}`);
  },
};

/** The documented response; a 405 for an undocumented method may be that of any operation. */
function ruleOf(exchange: Case, { profile }: Contract): ResponseRule | undefined {
  const { tier, operation, neighbours, answer: { status } } = exchange;
  // Malformed messages are answered by the server's parser, of which the document says nothing.
  if (tier === "raw" && status >= 400 && profile.errors === undefined) return undefined;
  const candidates = operation === undefined && status === 405 ? neighbours : [operation];
  const rule = candidates.map((one) => one && responseFor(one, status)).find((one) => one);
  return isGeneric(exchange) && rule?.status.toLowerCase() === "default" ? undefined : rule;
}

/** The documented headers. Content-Type is ignored (OpenAPI 3.1 §4.8.17). */
function headersOf(exchange: Case, contract: Contract): ResponseRule["headers"] {
  const { headers = [] } = ruleOf(exchange, contract) ?? {};
  return headers.filter(({ name }) => name !== "content-type");
}

function isYaml(type: string): boolean {
  return /[/+](?:x-)?yaml$/.test(type);
}

/**
 * The value of a body; undefined if it is malformed. Text and YAML, which documents describe as
 * strings, are strings.
 */
function valueOf(type: string, text: string): unknown {
  try {
    if (isJsonType(type)) return JSON.parse(text);
    if (isYaml(type)) parse(text);
    return text;
  } catch {
    return undefined;
  }
}
