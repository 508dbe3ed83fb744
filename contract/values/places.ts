/** @module The places of a schema: the value itself, its members and its items, shallow ones first. */

import { arrayOf, isObject, type Json, type JsonObject, objectOf } from "../document.ts";
import { type ValueOptions, withMember } from "./options.ts";
import { alternativesOf, type Rules, typeOf } from "./rules.ts";
import { attempt, extraNames, itemOf, neededWith, schemaOf, smallestOfRules } from "./smallest.ts";

/** One alternative of the schema at one place. */
export interface Place {
  /** The JSON Pointer within the value. */
  readonly at: string;
  readonly depth: number;
  readonly rules: Rules;
  /** The types of all alternatives at the place. */
  readonly types: readonly string[];
  /** The smallest whole value with another value at the place. */
  put(value: Json): Json;
}

const MOST = 120;
const DEEPEST = 4;

/** The places of a schema that a value can be made for. */
export function placesOf(schema: Json, options: ValueOptions): Place[] {
  const places: Place[] = [];
  let level = placesAt(schema, options, { at: "", depth: 0, put: (value) => value });
  for (let depth = 0; level.length > 0 && depth <= DEEPEST && places.length < MOST; depth++) {
    places.push(...level);
    level = level.flatMap((place) => innerPlaces(place, options)).slice(0, MOST);
  }
  return places.slice(0, MOST);
}

function placesAt(
  schema: Json,
  options: ValueOptions,
  where: Pick<Place, "at" | "depth" | "put">,
): Place[] {
  const alternatives = alternativesOf(schema, options);
  const types = [
    ...new Set(alternatives.flatMap(typesOf)),
  ];
  return alternatives.slice(0, 8).map((rules) => ({ ...where, rules, types }));
}

function typesOf({ type, enum: listed }: Rules): readonly string[] {
  if (Array.isArray(listed)) return listed.map(typeOf);
  return type === undefined ? [] : [String(type)];
}

function innerPlaces(place: Place, options: ValueOptions): Place[] {
  const { rules, put, at } = place;
  const depth = place.depth + 1;
  if (rules["enum"] !== undefined) return [];
  if (rules["type"] === "array") {
    return indexesOf(rules).flatMap((index) => {
      const before = Array.from(
        { length: index },
        (_, one) => attempt(itemOf(rules, one), options) ?? null,
      );
      return placesAt(itemOf(rules, index), options, {
        at: `${at}/${index}`,
        depth,
        put: (value) =>
          put([...before, value, ...arrayOf(leastValue(place, options)).slice(index + 1)]),
      });
    });
  }
  if (rules["type"] !== "object") return [];
  const { additionalProperties: other, patternProperties } = rules;
  const isMap = isObject(other) || patternProperties !== undefined;
  const names = [
    ...Object.keys(objectOf(rules["properties"])),
    ...(isMap ? extraNames(rules, options, 1) : []),
  ];
  return names.flatMap((name) => {
    const schema = schemaOf(rules, name);
    return attempt(schema, options) === undefined ? [] : placesAt(schema, options, {
      at: `${at}/${escaped(name)}`,
      depth,
      put: (value) => put(withMember(withNames(place, [name], options), name, value)),
    });
  });
}

/** The first of the listed items, and the first of the others. */
function indexesOf(rules: Rules): number[] {
  const prefix = arrayOf(rules["prefixItems"]).length;
  const most = Number(rules["maxItems"] ?? Infinity);
  const hasItems = rules["items"] !== undefined && rules["items"] !== false;
  return [...Array(prefix + (hasItems ? 1 : 0)).keys()].filter((index) => index < most);
}

function leastValue({ rules }: Place, options: ValueOptions): Json {
  return smallestOfRules(rules, options);
}

/** The smallest object at a place with some more members. */
export function withNames(
  place: Place,
  names: readonly string[],
  options: ValueOptions,
): JsonObject {
  let value = objectOf(leastValue(place, options));
  for (const name of neededWith(place.rules, names)) {
    const member = Object.hasOwn(value, name)
      ? undefined
      : attempt(schemaOf(place.rules, name), options);
    if (member !== undefined) value = withMember(value, name, member);
  }
  return value;
}

/** A name as a part of a JSON Pointer (RFC 6901 §3). */
export function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
