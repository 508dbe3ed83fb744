/**
 * @module Says in a line what is wrong with a value: its place, what it has, the keyword and its bound. Items
 * of an array are `*`, so that a fault of all of them is one.
 */

import type { ErrorObject, ValidateFunction } from "ajv/dist/2020.js";

/** An error of Ajv with `verbose`; `origin` has what Ajv overwrites behind a reference. */
export interface Fault extends ErrorObject {
  origin?: Pick<ErrorObject, "schema" | "data">;
}

/** The most faults of one value that are named. */
const MOST = 3;

/** Compiles the schema of a branch; undefined if it cannot. */
type Compile = (schema: object | boolean) => ValidateFunction | undefined;

/** The faults that a validator has just found, first by place. */
export function linesOf(faults: readonly Fault[], compile: Compile = () => undefined): string[] {
  const lines = causesOf(faults, compile)
    .toSorted((a, b) => a.instancePath < b.instancePath ? -1 : 1).map(lineOf);
  return [...new Set(lines)].slice(0, MOST);
}

/**
 * A line without the values that it saw: the cause, by which findings are grouped.
 * `/a is "x", maxLength is 3` becomes `/a maxLength is 3`.
 */
export function causeOf(line: string): string {
  return line.replace(/ (?:is|has) (?:"(?:[^"\\]|\\.)*"|[^",]*), (?=\w+ is )/g, " ");
}

/** Replaces the faults of all branches of `anyOf` and `oneOf` by those of the closest branch. */
function causesOf(faults: readonly Fault[], compile: Compile): Fault[] {
  const composite = faults.map((fault, index) => ({ fault, index })).filter(({ fault }) =>
    fault.keyword === "contains" || fault.keyword === "propertyNames" ||
    branchesOf(fault) !== undefined
  );
  // The faults of branches come before that of their keyword.
  const isWithin = (fault: Fault, index: number) =>
    composite.some((one) =>
      index < one.index && `${fault.instancePath}/`.startsWith(`${one.fault.instancePath}/`)
    );
  const outer = faults.filter((fault, index) => !isWithin(fault, index) && fault.keyword !== "if");
  return outer.flatMap((fault) => {
    const branches = branchesOf(fault);
    return branches === undefined ? [fault] : closest(fault, { branches, compile });
  });
}

/** The branches if none of them matches. */
function branchesOf(fault: Fault): readonly (object | boolean)[] | undefined {
  const isChoice = fault.keyword === "anyOf" ||
    (fault.keyword === "oneOf" && !fault.params["passingSchemas"]);
  return isChoice ? (fault.origin ?? fault).schema as object[] : undefined;
}

function closest(
  choice: Fault,
  { branches, compile }: { branches: readonly (object | boolean)[]; compile: Compile },
): Fault[] {
  const { data } = choice.origin ?? choice;
  const results = branches.map((branch) => {
    const validate = compile(branch);
    return validate?.(data) === false ? causesOf(validate.errors ?? [], compile) : [];
  }).filter((faults) => faults.length > 0);
  const types = results.map((faults) =>
    faults.find(({ keyword, instancePath }) => keyword === "type" && instancePath === "")
  );
  const [first] = types;
  if (first !== undefined && types.every((one) => one !== undefined)) {
    const schema = [...new Set(types.flatMap((one) => (one!.origin ?? one!).schema))].join(" or ");
    return [{ ...first, instancePath: choice.instancePath, origin: { schema, data } }];
  }
  const best = results.toSorted((a, b) => distance(a) - distance(b))[0];
  if (best === undefined) return [choice];
  return best.map((fault) => ({
    ...fault,
    instancePath: choice.instancePath + fault.instancePath,
    origin: fault.origin ?? { schema: fault.schema, data: fault.data },
  }));
}

/** A branch of another type is far; one with another constant, as of a discriminator, less so. */
function distance(faults: readonly Fault[]): number {
  const of = ({ keyword, instancePath }: Fault) =>
    keyword === "type" && instancePath === "" ? 10_000 : /^(?:const|enum)$/.test(keyword) ? 100 : 1;
  return faults.reduce((sum, fault) => sum + of(fault), 0);
}

function lineOf({ instancePath, keyword, params, message = "is wrong", ...fault }: Fault): string {
  const { schema: bound, data: value } = fault.origin ?? fault;
  const place = instancePath.replace(/\/\d+(?=\/|$)/g, "/*");
  const at = cut(place, 60) || "the value";
  const limit = `${keyword} is ${shownBound(bound)}`;
  switch (keyword) {
    case "maxLength":
    case "minLength":
      return `${at} has ${[...String(value)].length} characters, ${limit}`;
    case "maxItems":
    case "minItems":
      return `${at} has ${(value as unknown[]).length} items, ${limit}`;
    case "maxProperties":
    case "minProperties":
      return `${at} has ${Object.keys(value as object).length} members, ${limit}`;
    case "required":
      return `${cut(place, 60)}/${params["missingProperty"]} is missing (required)`;
    case "dependentRequired":
      return `${at}/${params["missingProperty"]} is missing (dependentRequired)`;
    case "additionalProperties":
    case "unevaluatedProperties": {
      const name = cut(String(params["additionalProperty"] ?? params["unevaluatedProperty"]), 30);
      return `${cut(place, 60)}/${name} is not allowed (${keyword})`;
    }
    case "uniqueItems":
      return `${at} has equal items, ${limit}`;
    case "contains":
      return `${at} has no fitting item (contains)`;
    case "not":
      return `${at} is what not forbids`;
    case "oneOf":
      if (!params["passingSchemas"]) return `${at} matches no schema of oneOf`;
      return `${at} matches several schemas of oneOf`;
    case "propertyNames":
      return `${at} has a member ${shown(params["propertyName"])} (propertyNames)`;
    case "false schema":
      return `${at} is not allowed (its schema is false)`;
    case "const":
    case "enum":
    case "exclusiveMaximum":
    case "exclusiveMinimum":
    case "format":
    case "maximum":
    case "minimum":
    case "multipleOf":
    case "pattern":
    case "type":
      return `${at} is ${shown(value)}, ${limit}`;
    default:
      return `${at} ${message} (${keyword})`;
  }
}

function shownBound(bound: unknown): string {
  if (!Array.isArray(bound)) return typeof bound === "string" ? cut(bound, 50) : shown(bound);
  return cut(bound.map((one) => typeof one === "string" ? one : shown(one)).join(", "), 50);
}

/** A value in short. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object" && value !== null) return "an object";
  return typeof value === "string" ? JSON.stringify(cut(value, 30)) : String(value);
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
