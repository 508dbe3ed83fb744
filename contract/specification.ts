/**
 * @module Compares a document with the specification's tables (`specification.yaml`, optional).
 */

import { z } from "zod";
import { type ApiDocument, isObject, type Json, type JsonObject, objectOf } from "./document.ts";
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
      body: z.string().optional(),
      answers: z.record(z.string(), z.string()),
    }),
  ),
  /** By schema name; members as type, `!` if required, and keywords. */
  schemas: z.record(z.string(), Members),
  /** The same for nested objects, by JSON Pointer from the schema name. */
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
  expect("document", {
    what: "the list of operations",
    is: document.operations.map(({ id }) => id).toSorted(),
    should: Object.keys(specification.operations).toSorted(),
  });
  for (const [id, wanted] of Object.entries(specification.operations)) {
    const operation = document.operations.find((one) => one.id === id);
    if (operation === undefined) continue;
    const raw = objectOf(objectOf(objectOf(value["paths"])[operation.path]));
    const source = objectOf(raw[operation.method.toLowerCase()]);
    expect(id, { what: "the method", is: operation.method, should: wanted.method });
    expect(id, { what: "the path", is: operation.path, should: wanted.path });
    expect(id, { what: "security", is: source["security"] ?? null, should: [] });
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
  const places = { ...specification.schemas, ...specification.members };
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

/** Members in the notation of the tables. Annotations are ignored, other keywords are not. */
function membersOf(schema: JsonObject): Json {
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return sorted(Object.fromEntries(
    Object.entries(objectOf(schema["properties"])).map(([name, member]) => {
      const { type = "any", ...rest } = objectOf(member);
      const must = required.includes(name) ? "!" : "";
      const keywords = Object.entries(rest).filter(([key]) => !IGNORED.test(key))
        .map(([key, value]) => ` ${key}=${Array.isArray(value) ? value.join(",") : String(value)}`);
      return [name, `${String(type)}${must}${keywords.join("")}`];
    }),
  ));
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
