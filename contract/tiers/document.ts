/** @module The document tier: validity of the document, examples, defaults; the specification. */

import { Validator } from "@seriousme/openapi-schema-validator";
import type { ValidateFunction } from "ajv/dist/2020.js";
import {
  type ApiDocument,
  DOCUMENT_RULES,
  isJsonType,
  type Problem,
} from "../document/document.ts";
import { arrayOf, isObject, type Json, namesOf } from "../lib/json.ts";
import { jsonOf } from "../lib/exchange.ts";
import { linesOf } from "../document/error_lines.ts";
import { examplesOf, typeOf } from "../document/read.ts";
import { readings } from "../oracle/readings.ts";
import type { Schemas } from "../document/schemas.ts";
import type { Tier } from "../run/session.ts";
import { deviations, readSpecification } from "../document/specification.ts";
import { declareRules } from "../lib/rules.ts";

const RULES = declareRules({
  document_defaults: "advice: defaults match their schemas (JSON Schema Validation §9.2)",
  document_examples: "advice: examples match their schemas (OpenAPI 3.1 §4.8.14)",
});

export const documentTier: Tier = {
  name: "document",
  tries: "validity of the document, its schemas and examples, and the specification",
  live: true,
  share: 0.1,
  async run(session) {
    const { document, schemas, profile } = session.contract;
    const call = { method: "GET", path: profile.document };
    // Empty: the document is elsewhere.
    const exchange = profile.document === "" || session.permits(call) !== undefined
      ? undefined
      : await session.send(call, { title: "the document" });
    const examples = invalidExamples(document, schemas, session.isOver);
    const found = [...document.problems, ...invalid(document), ...schemas.problems, ...examples];
    const specification = session.cases && await readSpecification(session.cases);
    if (specification !== undefined) {
      found.push(...deviations(document, specification, profile.choices));
    }
    const isOld = document.source.version === "2.0";
    for (const { where: place, check, message } of found) {
      const where = isOld ? place.replace(/^\/components\/schemas(?=\/)/, "/definitions") : place;
      session.report(check, message, { where, exchange });
    }
  },
};

/** A method that its types lack. Its `validate` also follows references, which `schema.ts` does. */
interface Compiler {
  getAjvValidator(version: string): ValidateFunction;
}

function invalid({ source: { value, name, version } }: ApiDocument): Problem[] {
  const validator = new Validator({ verbose: true }) as unknown as Compiler;
  const validate = validator.getAjvValidator(version);
  try {
    if (validate(value)) return [];
  } catch {
    const message = "it cannot be validated, because it is nested too deeply";
    return [{ check: DOCUMENT_RULES.document_problem, where: "document", message }];
  }
  return linesOf(validate.errors ?? []).map((problem) => {
    const message = `it is not valid ${name}: ${problem}`;
    return { check: DOCUMENT_RULES.document_valid, where: "document", message };
  });
}

interface Use extends Pick<Problem, "check" | "where"> {
  readonly schema: Json;
  /** What an example or default can mean. */
  readonly meanings: readonly Json[];
}

/** The longest time in milliseconds for examples; a document can have millions. */
const LONGEST_MS = 20_000;

/** Judges every example and default of a document. Its schemas are compiled on the way. */
export function invalidExamples(
  document: ApiDocument,
  schemas: Schemas,
  isOver: () => boolean = () => false,
): Problem[] {
  const found: Problem[] = [];
  const end = performance.now() + LONGEST_MS;
  for (const { where, schema, check, meanings } of usesOf(document, schemas)) {
    if (performance.now() > end || isOver()) {
      const message = "judging all examples takes too long; the rest was not judged";
      return [...found, { check: DOCUMENT_RULES.document_problem, where: "document", message }];
    }
    const problems = meanings.map(schemas.of(schema));
    if (problems.length === 0 || problems.some((lines) => lines.length === 0)) continue;
    const what = check === "document_defaults" ? "the default" : "an example";
    found.push({ check, where, message: `${what} does not match its schema: ${problems[0]![0]}` });
  }
  return found;
}

/** Places within schemas, examples and what is not tested. */
const OTHER = /\/(?:schemas?|examples?|callbacks|webhooks|links|x-[^/]*)\//;

/** All media types, parameters and headers that have a schema, then all schemas with values. */
function* usesOf(document: ApiDocument, schemas: Schemas): Generator<Use> {
  const { places, annotated } = schemas;
  const check = RULES.document_examples;
  Object.values(document.schemas).forEach(schemas.of);
  for (const node of places.nodes) {
    if (!isObject(node) || node["schema"] === undefined) continue;
    const where = places.of(node);
    const [map = "", name = ""] = namesOf(where).slice(-2);
    if (!/^(?:parameters|headers|content)$/.test(map) || OTHER.test(where)) continue;
    const { schema } = node;
    schemas.of(schema); // collects what is annotated in it
    for (const example of examplesOf(document.value, node)) {
      const meanings = map === "content"
        ? bodiesOf(example, typeOf(name))
        : [example, ...parsed(example), ...readings(String(example), { schema, document })];
      yield { where, schema, check, meanings };
    }
  }
  for (const schema of annotated) {
    const { example, examples, default: fallback } = schema;
    const own = { where: places.of(schema), schema };
    for (const value of [example, ...arrayOf(examples)]) {
      if (value !== undefined) yield { ...own, check, meanings: [value] };
    }
    if (fallback !== undefined) {
      yield { ...own, check: RULES.document_defaults, meanings: [fallback] };
    }
  }
}

/** What the example of a body can mean; nothing if JSON Schema does not describe its media type. */
function bodiesOf(example: Json, type: string): Json[] {
  if (isJsonType(type)) return [example, ...parsed(example)];
  const isOther = typeof example === "string" || /xml|json-?l|json-seq|ndjson|stream/.test(type);
  return isOther ? [] : [example];
}

function parsed(text: Json): Json[] {
  const value = typeof text === "string" ? jsonOf({ text }) as Json | undefined : undefined;
  return value === undefined ? [] : [value];
}
