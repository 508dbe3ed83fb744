/** @module The places of a schema: the value itself, its members and its items, shallow ones first. */

import { arrayOf, type Json, objectOf, pointer } from "../lib/json.ts";
import { CannotGenerate, type ValueOptions } from "./options.ts";
import { alternativesOf, itemOf, type Rules, schemaOf, typesIn } from "./schema_rules.ts";
import {
  attempt,
  extraNames,
  isPossible,
  smallestOf,
  smallestOfRules,
  withMember,
  withNames,
} from "./values.ts";

export interface Place {
  readonly at: string;
  readonly depth: number;
  readonly rules: Rules;
  readonly types: readonly string[];
  /** The smallest whole value with another value at the place. */
  put(value: Json): Json;
}

const MOST = 120;
const DEEPEST = 4;

/** The places of a schema that a value can be made for. @throws {CannotGenerate} */
export function placesOf(schema: Json, options: ValueOptions): Place[] {
  smallestOf(schema, options);
  const places = placesAt(schema, options, { at: "", depth: 0, put: (value) => value });
  for (const place of places) {
    if (places.length >= MOST || place.depth === DEEPEST) break;
    places.push(...innerPlaces(place, options));
  }
  return places.slice(0, MOST);
}

type Where = Pick<Place, "at" | "depth" | "put">;

function placesAt(schema: Json, options: ValueOptions, where: Where): Place[] {
  if (!isPossible(schema, options)) return [];
  const alternatives = alternativesOf(schema, options);
  const types = typesIn(alternatives);
  return alternatives.slice(0, 8)
    .filter((rules) => !(attempt(() => smallestOfRules(rules, options)) instanceof CannotGenerate))
    .map((rules) => ({ ...where, rules, types }));
}

function innerPlaces({ rules, put, at, depth }: Place, options: ValueOptions): Place[] {
  const { type, enum: listed, items = false } = rules;
  const whereOf = (key: string | number, change: (value: Json) => Json): Where => ({
    at: at + pointer(`${key}`),
    depth: depth + 1,
    put: (value) => put(change(value)),
  });
  if (listed !== undefined || !/^(?:array|object)$/.test(`${type}`)) return [];
  if (type === "array") {
    const list = arrayOf(smallestOfRules(rules, options));
    const count = arrayOf(rules["prefixItems"]).length + (items === false ? 0 : 1);
    return [...Array(count).keys()].flatMap((index) => {
      const where = whereOf(index, (value) => [...list].toSpliced(index, 1, value));
      return placesAt(itemOf(rules, index), options, where);
    });
  }
  const names = [...Object.keys(objectOf(rules["properties"])), ...extraNames(rules, options, 1)];
  return names.flatMap((name) => {
    const change = (value: Json) => withMember(withNames(rules, [name], options), name, value);
    return placesAt(schemaOf(rules, name), options, whereOf(name, change));
  });
}
