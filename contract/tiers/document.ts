/**
 * @module The document tier: the document is valid OpenAPI 3.1, its examples match their schemas, and
 * it agrees with the specification's tables, if there are any.
 */

import { Validator } from "@seriousme/openapi-schema-validator";
import { examplesOf, type Json, objectOf } from "../document.ts";
import { deviations, readSpecification } from "../specification.ts";
import type { Session, Tier } from "../session.ts";

export const documentTier: Tier = {
  name: "document",
  tries: "validity of the document, its examples, and the specification's tables",
  live: true,
  async run(session) {
    const { document, profile } = session.contract;
    const exchange = await session.send({ method: "GET", path: profile.document }, {
      title: "the document",
    });
    const { valid, errors } = await new Validator().validate(structuredClone(document.value));
    if (!valid) {
      const message = `it is not a valid OpenAPI document: ${JSON.stringify(errors).slice(0, 300)}`;
      const where = "document";
      session.report({ check: "document_valid", where, message, exchange });
    }
    for (const { where, message } of faultyExamples(session)) {
      session.report({ check: "document_examples", where, message, exchange });
    }
    const specification = session.cases && await readSpecification(session.cases);
    const found = specification === undefined ? [] : deviations(document, specification);
    for (const { where, message } of found) {
      session.report({ check: "specification", where, message, exchange });
    }
  },
};

/** Examples that do not match their schemas. */
function faultyExamples({ contract }: Session): { where: string; message: string }[] {
  const faults: { where: string; message: string }[] = [];
  function check(where: string, { schema, examples }: { schema: Json; examples: readonly Json[] }) {
    for (const example of examples) {
      const [fault] = contract.schemas.of(schema)(example);
      if (fault !== undefined) {
        faults.push({ where, message: `an example does not match its schema: ${fault}` });
      }
    }
  }
  for (const [name, schema] of Object.entries(contract.document.schemas)) {
    const { examples } = objectOf(schema);
    const $ref = `#/components/schemas/${name}`;
    if (Array.isArray(examples)) check(name, { schema: { $ref }, examples });
  }
  const { operations, value } = contract.document;
  for (const { id, bodies, responses } of operations) {
    const contents = responses.flatMap(({ status, content }) =>
      content.map((media) => ({ where: `${id} ${status}`, ...media }))
    );
    const requests = bodies.map((media) => ({ where: `${id} request`, ...media }));
    for (const { where, schema, examples } of [...requests, ...contents]) {
      if (schema !== null) check(where, { schema, examples });
    }
  }
  const headers = objectOf(objectOf(value["components"])["headers"]);
  for (const [name, header] of Object.entries(headers)) {
    const { schema } = objectOf(header);
    if (schema !== undefined) check(name, { schema, examples: examplesOf(value, header) });
  }
  return faults;
}
