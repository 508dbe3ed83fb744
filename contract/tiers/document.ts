/**
 * @module The document tier: the document is valid OpenAPI 3.1, everything in it can be used, its examples
 * match their schemas, and it agrees with the specification, if there is one.
 */

import { Validator } from "@seriousme/openapi-schema-validator";
import type { ValidateFunction } from "ajv/dist/2020.js";
import type { ApiDocument, Problem } from "../document.ts";
import { faultyExamples } from "../document/examples.ts";
import { linesOf } from "../document/fault.ts";
import type { Tier } from "../session.ts";
import { deviations, readSpecification } from "../specification.ts";

export const documentTier: Tier = {
  name: "document",
  tries: "validity of the document, its schemas and examples, and the specification",
  live: true,
  async run(session) {
    const { document, schemas, profile } = session.contract;
    const call = { method: "GET", path: profile.document };
    // Empty: the document is elsewhere.
    const exchange = profile.document === "" || session.permits(call) !== undefined
      ? undefined
      : await session.send(call, { title: "the document" });
    const examples = faultyExamples(document, schemas);
    const found = [...document.problems, ...invalid(document), ...schemas.problems, ...examples];
    const specification = session.cases && await readSpecification(session.cases);
    if (specification !== undefined) found.push(...deviations(document, specification));
    for (const one of found) session.report({ ...one, exchange });
  },
};

/** A method that its types lack. Its `validate` also follows references, which `schema.ts` does. */
interface Compiler {
  getAjvValidator(version: string): ValidateFunction;
}

/** Where the document breaks the schema of OpenAPI 3.1. */
function invalid({ value }: ApiDocument): Problem[] {
  const validate = (new Validator({ verbose: true }) as unknown as Compiler).getAjvValidator("3.1");
  try {
    if (validate(value)) return [];
  } catch {
    const message = "it cannot be validated, because it is nested too deeply";
    return [{ check: "document_problem", where: "document", message }];
  }
  return linesOf(validate.errors ?? []).map((fault) => {
    const message = `it is not valid OpenAPI 3.1: ${fault}`;
    return { check: "document_valid", where: "document", message };
  });
}
