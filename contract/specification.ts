/**
 * @module Compares a document with the specification's tables (`specification.yaml`, optional).
 */

import { z } from "zod";
import {
  type ApiDocument,
  arrayOf,
  isObject,
  type Json,
  type JsonObject,
  objectOf,
} from "./document.ts";
import { readYaml } from "./yaml_file.ts";

const Members = z.record(z.string(), z.string());

const Specification = z.strictObject({
  version: z.string(),
  /** By operation id; bodies and answers as media type and schema name. */
  operations: z.record(
    z.string(),
    z.strictObject({
      method: z.string(),
      path: z.string(),
      /** By name: where it is, and the same notation as for members. */
      parameters: Members.default({}),
      body: z.string().optional(),
      answers: z.record(z.string(), z.string()),
    }),
  ),
  /** By schema name; members as type, `!` if required, and keywords: `array! items=Plan maxItems=9`. */
  schemas: z.record(z.string(), Members),
  /** The same for nested objects, by JSON Pointer from the schema name: `Plan/properties/price`. */
  members: z.record(z.string(), Members).default({}),
});

export type Specification = z.infer<typeof Specification>;

/**
 * Reads the tables; undefined without a file.
 * @throws {CannotRun} naming every invalid member
 */
export function readSpecification(folder: URL): Promise<Specification | undefined> {
  const file = new URL("specification.yaml", folder);
  return readYaml(file, Specification);
}

/** Deviations of the document from the specification, with place and message. */
export function deviations(
  document: ApiDocument,
  specification: Specification,
): { readonly where: string; readonly message: string }[] {
  const found: { where: string; message: string }[] = [];
  function expect(where: string, { what, is, should }: { what: string; is: Json; should: Json }) {
    const [seen, wanted] = [JSON.stringify(is), JSON.stringify(should)];
    if (seen !== wanted) found.push({ where, message: `${what} is ${seen} instead of ${wanted}` });
  }
  const { value } = document;
  expect("document", {
    what: "info.version",
    is: objectOf(value["info"])["version"] ?? null,
    should: specification.version,
  });
  /** Names every operation, schema or nested object that only one side has. */
  function expectSame(what: string, is: readonly string[], should: object) {
    const [seen, wanted] = [new Set(is), new Set(Object.keys(should))];
    const name = (message: string) => (where: string) => void found.push({ where, message });
    seen.difference(wanted).forEach(name(`specification.yaml lacks this ${what}: add its row`));
    wanted.difference(seen).forEach(name(`the document lacks this ${what} of specification.yaml`));
  }
  const places = { ...specification.schemas, ...specification.members };
  expectSame("operation", document.operations.map(({ id }) => id), specification.operations);
  expectSame("object", Object.entries(document.schemas).flatMap(closedObjects), places);
  for (const [id, wanted] of Object.entries(specification.operations)) {
    const operation = document.operations.find((one) => one.id === id);
    if (operation === undefined) continue;
    const raw = objectOf(objectOf(objectOf(value["paths"])[operation.path]));
    const source = objectOf(raw[operation.method.toLowerCase()]);
    expect(id, { what: "the method", is: operation.method, should: wanted.method });
    expect(id, { what: "the path", is: operation.path, should: wanted.path });
    expect(id, { what: "security", is: source["security"] ?? null, should: [] });
    const parameters = operation.parameters.map((one) =>
      [one.name, `${one.in} ${memberText(one.schema, one.required)}`] as const
    );
    const is = sorted(Object.fromEntries(parameters));
    expect(id, { what: "the parameters", is, should: sorted(wanted.parameters) });
    const body = objectOf(source["requestBody"]);
    expect(id, {
      what: "the request body",
      is: wanted.body === undefined && source["requestBody"] === undefined
        ? ""
        : `${contentOf(body)}${body["required"] === true ? "" : " (optional)"}`,
      should: wanted.body ?? "",
    });
    const answers = Object.entries(objectOf(source["responses"]));
    expect(id, {
      what: "the answers",
      is: Object.fromEntries(
        answers.map(([status, answer]) => [status, contentOf(objectOf(answer))]),
      ),
      should: wanted.answers,
    });
  }
  for (const [pointer, members] of Object.entries(places)) {
    const schema = pointer.split("/").reduce(
      (at: JsonObject, name) => objectOf(at[name]),
      document.schemas,
    );
    expect(pointer, {
      what: "additionalProperties",
      is: schema["additionalProperties"] ?? null,
      should: false,
    });
    expect(pointer, { what: "the members", is: membersOf(schema), should: sorted(members) });
  }
  return found;
}

/** Media type and schema name: `application/json Health`. */
function contentOf(message: JsonObject): string {
  return Object.entries(objectOf(message["content"])).map(([type, media]) => {
    const { $ref } = objectOf(objectOf(media)["schema"]);
    return typeof $ref === "string" ? `${type} ${$ref.split("/").at(-1)}` : type;
  }).join(" or ");
}

/** A schema's place if it is a component, and those of closed objects within it. */
function closedObjects([place, schema]: readonly [string, Json]): string[] {
  const { additionalProperties, properties, items } = objectOf(schema);
  const isListed = additionalProperties === false || !place.includes("/");
  const members = Object.entries(objectOf(properties))
    .flatMap(([name, value]) => closedObjects([`${place}/properties/${name}`, value]));
  const within = items === undefined ? [] : closedObjects([`${place}/items`, items]);
  return [...(isListed ? [place] : []), ...members, ...within];
}

function membersOf(schema: JsonObject): Json {
  const required = arrayOf(schema["required"]);
  return sorted(Object.fromEntries(
    Object.entries(objectOf(schema["properties"]))
      .map(([name, member]) => [name, memberText(member, required.includes(name))]),
  ));
}

/** A schema in the notation of the tables. Annotations are ignored, other keywords are not. */
function memberText(schema: Json, required = false): string {
  const { $ref, anyOf, type = "any", ...rest } = objectOf(schema);
  const must = required ? "!" : "";
  if (typeof $ref === "string") return $ref.split("/").at(-1)! + must;
  const choices = arrayOf(anyOf).map((one) => memberText(one)).join("|");
  const keywords = Object.entries(rest).filter(([key]) => !IGNORED.test(key)).map(
    ([key, value]) => {
      const text = isObject(value) ? memberText(value) : [value].flat().join(",");
      return ` ${key}=${text.includes(" ") ? `(${text})` : text}`;
    },
  );
  return `${choices || [type].flat().join("|")}${must}${keywords.join("")}`;
}

/** Annotations, and keywords of objects, which have their own rows. */
const IGNORED =
  /^(?:title|description|examples?|default|deprecated|properties|required|additionalProperties|propertyNames)$/;

function sorted(members: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => !isObject(value)).toSorted(([a], [b]) =>
      a < b ? -1 : 1
    ),
  );
}
