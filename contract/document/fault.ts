/**
 * @module Says in a line what is wrong with a value: its place, what it has, the keyword and its bound. Items
 * of an array are `*`, so that a fault of all of them is one.
 */

import type { ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import { cut, worded } from "./words.ts";

/** An error of Ajv with `verbose`; `origin` has what Ajv overwrites behind a reference. */
export interface Fault extends ErrorObject {
  origin?: Pick<ErrorObject, "schema" | "data">;
}

/** The most faults of one place and keyword that are named, such as missing members. */
const MOST_OF_KIND = 3;

/** The most faults of one value that are named: each may have a cause of its own. */
const MOST = 30;

/** Compiles the schema of a branch; undefined if it cannot. */
type Compile = (schema: object | boolean) => ValidateFunction | undefined;

/** The faults that a validator has just found, first by place. */
export function linesOf(faults: readonly Fault[], compile: Compile = () => undefined): string[] {
  const kinds = Map.groupBy(
    causesOf(faults, compile).toSorted((a, b) => a.instancePath < b.instancePath ? -1 : 1),
    ({ instancePath, keyword }) => `${starred(instancePath)} ${keyword}`,
  );
  const linesOfKind = (some: Fault[]) => [...new Set(some.map(lineOf))].slice(0, MOST_OF_KIND);
  return kinds.values().flatMap(linesOfKind).take(MOST).toArray();
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
  // The faults of subschemas come before that of their keyword.
  const isWithin = (fault: Fault, index: number) =>
    composite.some((one) => {
      const isHere = fault.instancePath === one.fault.instancePath;
      const isPart = branchesOf(one.fault) !== undefined || fault.propertyName !== undefined;
      return index < one.index &&
        (isHere ? isPart : fault.instancePath.startsWith(`${one.fault.instancePath}/`));
    });
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
    const schema = [...new Set(types.flatMap((one) => (one!.origin ?? one!).schema))];
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

/** Faults that are complete without the value. */
const OTHER: Readonly<Record<string, string>> = {
  anyOf: "matches no schema of anyOf",
  contains: "has no fitting item (contains)",
  "false schema": "is not allowed (its schema is false)",
  not: "is what `not` forbids",
};

function lineOf({ instancePath, keyword, params, ...fault }: Fault): string {
  const { schema: limit, data: value } = fault.origin ?? fault;
  const place = cut(starred(instancePath), 60);
  const name = place || "the value";
  if (/[rR]equired$/.test(keyword)) {
    return `${place}/${params["missingProperty"]} is missing (${keyword})`;
  }
  if (/[dl]Properties$|^propertyNames$/.test(keyword)) {
    const member = cut(String(Object.values(params)[0]), 30);
    return `${place}/${member} is not allowed (${keyword})`;
  }
  if (keyword === "oneOf") {
    return `${name} matches ${params["passingSchemas"] ? "several" : "no"} schemas of oneOf`;
  }
  return OTHER[keyword] === undefined
    ? worded({ name, keyword, value, limit })
    : `${name} ${OTHER[keyword]}`;
}

function starred(pointer: string): string {
  return pointer.replace(/\/\d+(?=\/|$)/g, "/*");
}
