/** @module Compares a document with the specification of the cases, in both directions. */

import { z } from "zod";
import { type Change, changesBetween } from "./changes.ts";
import type { ApiDocument, Problem } from "./document.ts";
import { arrayOf, type Json, type JsonObject, objectOf } from "../lib/json.ts";
import { readYaml } from "../lib/yaml_file.ts";
import { declareRules } from "../lib/rules.ts";

const RULES = declareRules({
  specification: "breach: the document agrees with the specification",
});

const Operation = z.record(z.string(), z.json());

const Specification = z.strictObject({
  info: z.strictObject({ version: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({ schemas: z.record(z.string(), z.json()) }).catchall(z.json()),
});

export type Specification = z.infer<typeof Specification>;

/** Undefined without a file. @throws {CannotRun} naming every invalid member */
export function readSpecification(folder: URL): Promise<Specification | undefined> {
  return readYaml(new URL("specification.yaml", folder), Specification);
}

type Deviation = Pick<Change, "where" | "name" | "what">;

/** @param choices members with more values in their enum, or absent if they are not required */
export function deviations(
  { value, operations, schemas }: ApiDocument,
  specification: Specification,
  choices: readonly string[] = [],
): Problem[] {
  const { info: { version }, paths, components } = specification;
  const own = Object.entries(components.schemas)
    .map(([name, schema]) => [name, withChoices(schema, objectOf(schemas[name]), choices)]);
  const wanted = { ...components, schemas: Object.fromEntries(own) };
  const found: Deviation[] = changesBetween({ ...specification, components: wanted }, value)
    .filter(({ name }) => !name.startsWith("header "));
  const is = objectOf(value["info"])["version"];
  if (is !== version) {
    found.push({ where: "document", name: "info.version", what: `${version} → ${is}` });
  }
  const [seen, named] = [schemas, components.schemas].map((all) => new Set(Object.keys(all)));
  for (const where of seen!.difference(named!)) found.push({ where, name: "", what: "added" });
  for (const where of named!.difference(seen!)) found.push({ where, name: "", what: "removed" });
  for (const { method, path, id } of operations) {
    const [is, should] = [objectOf(value["paths"]), paths]
      .map((all) => objectOf(objectOf(all[path])[method.toLowerCase()])["security"]);
    // Clients do not notice whether it is empty or absent.
    const isAbsent = is === undefined && should !== undefined;
    if (isAbsent) found.push({ where: id, name: "security", what: "removed" });
  }
  return found.map(problemOf);
}

/** The specified schema with the values that the document lists for the choices of the owner. */
function withChoices(schema: Json, is: JsonObject, choices: readonly string[]): Json {
  const { properties, ...rest } = objectOf(schema);
  if (properties === undefined) return schema;
  const members = Object.entries(objectOf(properties)).flatMap(([name, member]) => {
    const chosen = objectOf(is["properties"])[name];
    const isRequired = arrayOf(rest["required"]).includes(name);
    if (!choices.includes(name)) return [[name, member]];
    if (chosen === undefined) return isRequired ? [[name, member]] : [];
    const values = arrayOf(objectOf(chosen)["enum"]);
    const least = new Set(arrayOf(objectOf(member)["enum"]));
    const isList = values.length > 0 && new Set(values).size === values.length &&
      values.every((one) => typeof one === "string") && least.isSubsetOf(new Set(values));
    return [[name, isList ? { ...objectOf(member), enum: [...values] } : member]];
  });
  return { ...rest, properties: Object.fromEntries(members) };
}

function problemOf({ where, name, what }: Deviation): Problem {
  const message = what.startsWith("added")
    ? "specification.yaml lacks this: add it"
    : what === "removed"
    ? "the document lacks this of specification.yaml"
    : `${what}, from specification.yaml to the document`;
  const said = name === "" ? message : `${name}: ${message}`;
  return { check: RULES.specification, where, message: said };
}
