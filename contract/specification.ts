/**
 * @module The specification's tables (`specification.yaml`, optional), and how a document
 * deviates from them.
 */

import { z } from "zod";
import { type ApiDocument, isObject, type Json, type JsonObject, objectOf } from "./document.ts";
import { ANNOTATIONS } from "./schema_values.ts";
import { readYaml } from "./yaml_file.ts";

const Members = z.record(z.string(), z.string());

const Specification = z.strictObject({
  version: z.string(),
  /** By operation id; bodies and answers as media type and name of the schema. */
  operations: z.record(
    z.string(),
    z.strictObject({
      method: z.string(),
      path: z.string(),
      body: z.string().optional(),
      answers: z.record(z.string(), z.string()),
    }),
  ),
  /** By name: members as type, `!` where required, and keywords. */
  schemas: z.record(z.string(), Members),
  /** The same of objects within a schema, by JSON Pointer from its name. */
  members: z.record(z.string(), Members).default({}),
});

export type Specification = z.infer<typeof Specification>;

/**
 * Reads the tables; undefined without a file.
 * @throws {CannotRun} naming every member that is wrong
 */
export function readSpecification(folder: URL): Promise<Specification | undefined> {
  const file = new URL("specification.yaml", folder);
  return readYaml(file, Specification);
}

/** What the document has otherwise than the specification: a place and a sentence each. */
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

/** Media type and the name of the schema: "application/json Health". */
function contentOf(message: JsonObject): string {
  return Object.entries(objectOf(message["content"])).map(([type, media]) => {
    const { $ref } = objectOf(objectOf(media)["schema"]);
    return typeof $ref === "string" ? `${type} ${$ref.split("/").at(-1)}` : type;
  }).join(" or ");
}

/**
 * Members as the specification writes them. Annotations are free; a keyword more is a deviation.
 */
function membersOf(schema: JsonObject): Json {
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return sorted(Object.fromEntries(
    Object.entries(objectOf(schema["properties"])).map(([name, member]) => {
      const { type = "any", ...rest } = objectOf(member);
      const must = required.includes(name) ? "!" : "";
      const keywords = Object.entries(rest).filter(([key]) => !FREE.has(key))
        .map(([key, value]) => ` ${key}=${Array.isArray(value) ? value.join(",") : String(value)}`);
      return [name, `${String(type)}${must}${keywords.join("")}`];
    }),
  ));
}

/** Annotations, and keywords of objects, whose members have rows of their own. */
const OF_OBJECTS = ["properties", "required", "additionalProperties", "propertyNames"];
const FREE = new Set([...ANNOTATIONS, ...OF_OBJECTS]);

function sorted(members: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => !isObject(value)).toSorted(([a], [b]) =>
      a < b ? -1 : 1
    ),
  );
}
