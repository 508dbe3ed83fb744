/** @module Rules by the document, and by the profile, which says what no document can. */

import { parse } from "yaml";
import { isJsonType, mediaFor, responseFor, type ResponseRule } from "../document/document.ts";
import { jsonOf, pathOf } from "../lib/exchange.ts";
import { at } from "../lib/json.ts";
import type { ErrorRules } from "./profile.ts";
import type { Schemas } from "../document/schemas.ts";
import { type Case, type Contract, isGeneric, mediaTypeOf, type Problems } from "./check.ts";
import { readings, typesOf } from "./readings.ts";
import { declareRules } from "../lib/rules.ts";

export const DOCUMENTED_RULES = declareRules({
  media_type: "breach: a body has a media type that the document lists for its status",
  response_headers: "breach: required headers are present, and headers match their schemas",
  body_schema: "breach: a body matches the schema documented for its status and media type",
  success_says: "breach: the body of a 200 has the values that the profile requires",
  error_shape: "breach: every error is JSON in the documented shape, whatever Accept asks for",
  error_code: "breach: the document or the profile gives an error's code for its status",
  head_fields: "advice: HEAD has the fields of GET (RFC 9110 §9.3.2)",
  no_echo: "advice: no error repeats a part of its request, in body or headers",
});

export function documentProblems(
  exchange: Case,
  contract: Contract,
): Problems<typeof DOCUMENTED_RULES> {
  const rule = ruleOf(exchange, contract);
  if (rule === undefined) return {};
  const { call, answer: { status, headers } } = exchange;
  const isHead = call.method === "HEAD";
  const type = mediaTypeOf(headers);
  const types = rule.content.map((media) => media.type);
  const isDocumented = types.length === 0 || mediaFor(rule.content, type) !== undefined;
  // HEAD may leave fields out (RFC 9110 §9.3.2).
  const isType = isDocumented || (type === "" && !hasBody(exchange));
  // Content-Type is ignored (OpenAPI 3.1 §4.8.17).
  const fields = rule.headers.filter(({ name }) => name !== "content-type");
  const missing = fields.filter(({ name, required }) => required && !headers.has(name));
  const wrong = fields.flatMap(({ name, schema, media }) => {
    const value = headers.get(name);
    if (value === null) return [];
    const meant = isJsonType(media ?? "") ? jsonOf({ text: value }) : undefined;
    const read = readings(value, { schema, document: contract.document });
    const problems = (meant === undefined ? read : [meant])
      .map((reading) => contract.schemas.of(schema)(reading));
    const isRight = problems.some((found) => found.length === 0);
    return isRight ? [] : problems[0]!.map((problem) => `header ${name}: ${problem}`);
  });
  const instead = `media type ${type || "none"} instead of ${types.join(" or ")}`;
  const lacks = missing.map(({ name }) => `${status} lacks the header ${name}`);
  return {
    media_type: !isType && `${status} has ${instead}`,
    response_headers: [...isHead ? [] : lacks, ...wrong],
    head_fields: isHead && missing.map(({ name }) => `HEAD lacks ${name}`),
    body_schema: bodyProblems(exchange, { rule, contract }),
  };
}

/** The documented response; a 405 for an undocumented method may be that of any operation. */
function ruleOf(exchange: Case, { profile }: Contract): ResponseRule | undefined {
  const { tier, operation, neighbours, answer: { status } } = exchange;
  // Malformed messages are answered by the server's parser, of which the document says nothing.
  if (tier === "raw" && status >= 400 && profile.errors === undefined) return undefined;
  const candidates = operation === undefined && status === 405 ? neighbours : [operation];
  const rule = candidates.map((one) => one && responseFor(one, status)).find((one) => one);
  // `default` describes the answers of the operation, not those of HTTP and of other methods.
  const isOther = isGeneric(exchange) || operation === undefined;
  return isOther && rule?.status.toLowerCase() === "default" ? undefined : rule;
}

function bodyProblems(exchange: Case, { rule, contract }: {
  readonly rule: ResponseRule;
  readonly contract: Contract;
}): readonly string[] | string {
  const { status, headers, text } = exchange.answer;
  const type = mediaTypeOf(headers);
  const media = mediaFor(rule.content, type);
  if (!hasBody(exchange) || media === undefined) return [];
  const isYaml = /[/+](?:x-)?yaml$/.test(type);
  const { schema = true } = media;
  let value: unknown = text;
  try {
    if (isJsonType(type)) value = JSON.parse(text);
    else if (isYaml) parse(text);
  } catch {
    return `the body of ${status} is not ${type}`;
  }
  // JSON Schema describes JSON. Text is judged if it is described as a string, all else is not.
  const isText = type.startsWith("text/") || isYaml;
  const isString = isText && typesOf(schema, contract.document).includes("string");
  if (!isString && !isJsonType(type)) return [];
  return contract.schemas.of(schema)(value).map((problem) => `body of ${status}: ${problem}`);
}

/** Whether an answer has a body, whatever its headers say (RFC 9110 §6.4.1), that was read. */
function hasBody({ call, answer: { status, isCut } }: Case): boolean {
  return call.method !== "HEAD" && status !== 204 && status !== 304 && isCut !== true;
}

/** A shorter word may occur in an answer by chance. */
const SHORTEST_MARKER = 6;

export function profileProblems(
  exchange: Case,
  { profile, schemas }: Contract,
): Problems<typeof DOCUMENTED_RULES> {
  const { call, answer, operation, markers = [] } = exchange;
  const { status, headers } = answer;
  const received = () => `${answer.text}\n${[...headers].flat().join("\n")}`;
  // An answer to TRACE repeats the request by definition (RFC 9110 §9.3.8).
  const isEcho = status >= 400 && call.method !== "TRACE" &&
    markers.some((marker) => marker.length >= SHORTEST_MARKER && received().includes(marker));
  const no_echo = isEcho && `the error ${status} repeats what was sent`;
  const { errors: rules, says = {} } = profile;
  if (!hasBody(exchange)) return { no_echo };
  const body = jsonOf(answer);
  if (status === 200) {
    const missing = Object.entries(says[operation?.id ?? ""] ?? {})
      .filter(([pointer, is]) => at(body, pointer) !== is)
      .map(([pointer, is]) => `the body of 200 does not have ${JSON.stringify(is)} at ${pointer}`);
    return { success_says: missing };
  }
  // `/api` counts as under `/api/`.
  const isUnder = rules !== undefined && `${pathOf(call)}/`.startsWith(rules.under);
  if (status < 400 || !isUnder) return { no_echo };
  const type = mediaTypeOf(headers);
  const problems = type === "application/json"
    ? shapeProblems(body, { rules, schemas }).map((problem) => `the error ${status}: ${problem}`)
    : `the error ${status} is ${type || "of no media type"}, not JSON`;
  const { content = [] } = operation && responseFor(operation, status) || {};
  const code = at(body, rules.code);
  const documented = content.flatMap(({ examples }) => examples)
    .map((example) => at(example, rules.code));
  const isKnown = [...documented, ...rules.codes[String(status)] ?? []].includes(code);
  return {
    error_shape: problems,
    error_code: !isKnown && `the error ${status} has the code ${JSON.stringify(code)}`,
    no_echo,
  };
}

/** The problems in an error's body, one line each: its shape, and empty members. */
export function shapeProblems(
  body: unknown,
  { rules, schemas }: { readonly rules: ErrorRules; readonly schemas: Schemas },
): string[] {
  const empty = rules.not_empty.filter((pointer) => {
    const value = at(body, pointer);
    return typeof value !== "string" || value.trim() === "";
  });
  return [
    ...schemas.of({ $ref: `#/components/schemas/${rules.schema}` })(body),
    ...empty.map((pointer) => `${pointer} is empty`),
  ];
}
