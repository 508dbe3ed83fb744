/**
 * @module For each place of a schema and each of its keywords the last valid and the first invalid
 * value. Everything else is smallest, so that a finding shows what matters.
 */

import fc from "fast-check";
import { arrayOf, type Json, type JsonObject, objectOf } from "../document.ts";
import { FORMATS } from "./formats.ts";
import { boundsOf } from "./numbers.ts";
import type { ValueOptions } from "./options.ts";
import { missesOf } from "./patterns.ts";
import { below, extraNames, type Place, placesOf } from "./places.ts";
import { isOfType, itemOf, neededWith, type Rules, schemaOf } from "./rules.ts";
import { says, sizeOf } from "./says.ts";
import { textOf } from "./text.ts";
import { isPossible, isSure, smallestOf, valuesOf, withMember, withNames } from "./values.ts";

/** A value on one side of a rule. */
export interface Edge {
  readonly value: Json;
  readonly isValid: boolean;
  /** The JSON Pointer of what is on the edge. */
  readonly at: string;
  readonly keyword: string;
  /** What the place has and what the keyword wants: "name has 6 characters, maxLength is 5". */
  readonly says: string;
  /** Invalid, but accepted by services that convert types: `"1"` for 1. */
  readonly isLax: boolean;
}

/** A value for a place; the validator confirms whether it is valid. */
interface Draft extends Pick<Edge, "keyword" | "isValid" | "value"> {
  /** The keyword's value. */
  readonly limit?: Json;
  /** The member of the place that it is about. */
  readonly member?: string;
}

const MOST = 150;
const RANKS = ["required", "m", "exclusive", "enum", "type", "format", ""];
const SCALAR = /^(?:string|number|integer|boolean)$/;
/** Words of an enumeration that are tried. */
const FEW = 10;
/** Characters, items or members that are counted out. */
const MANY = 70_000;

/** The most telling first, shallow places before deep ones. @throws {CannotGenerate} */
export function edgesOf(schema: Json, options: ValueOptions, most: number = MOST): readonly Edge[] {
  const least: Draft = { keyword: "required", isValid: true, value: smallestOf(schema, options) };
  const drafts = placesOf(schema, options).flatMap((place, index) =>
    [...(index === 0 ? [least] : []), ...draftsOf(place, options)].map((draft) => {
      const { keyword, value, limit = true, member } = draft;
      const at = member === undefined ? place.at : below(place.at, member);
      const subject = member === undefined ? value : objectOf(value)[member] ?? null;
      const lax = keyword === "type" && isLax(value, place.types);
      const rank = RANKS.findIndex((one) => one === "" || keyword.startsWith(one));
      const words = says({ at, keyword, value: subject, limit });
      const edge = { ...draft, value: place.put(value), at, says: words, isLax: lax };
      return { edge, rank: rank + 3 * place.depth + (lax ? 3 : 0) };
    })
  );
  const edges = new Map<string, Edge>();
  for (const { edge } of drafts.sort((a, b) => a.rank - b.rank)) {
    const text = JSON.stringify(edge.value);
    const isNew = !edges.has(text) && text.length <= options.most && isSure(edge.value);
    if (isNew && options.isValid(schema, edge.value) === edge.isValid) edges.set(text, edge);
    if (edges.size >= most) break;
  }
  return [...edges.values()];
}

function draftsOf({ rules, types }: Place, options: ValueOptions): Draft[] {
  if (Array.isArray(rules["enum"])) return [...words(rules["enum"]), ...otherTypes(types)];
  const own = rules["type"] === "object" ? members(rules, options) : [];
  return [
    ...own,
    ...sizes(rules, options),
    ...numbers(rules),
    ...breaches(rules, options),
    ...otherTypes(types),
  ];
}

/** Values of the other types. */
function otherTypes(types: readonly string[]): Draft[] {
  const scalars = types.some((type) => SCALAR.test(type)) ? ["a", "1", 1, 1.5, true] : ["a", 1];
  return [null, ...scalars, [], {}]
    .filter((value) => types.length > 0 && !types.some((type) => isOfType(value, type)))
    .map((value) => ({ keyword: "type", isValid: false, value, limit: [...types] }));
}

/** Whether services that convert types accept a value of another type. */
export function isLax(value: Json, types: readonly string[]): boolean {
  if (typeof value === "object" || !types.some((type) => SCALAR.test(type))) return false;
  if (typeof value === "number") return Number.isInteger(value) || !types.includes("integer");
  return value === true || value === false || !Number.isNaN(Number(value)) ||
    /^(?:true|false|yes|no|on|off|[tfyn])$/i.test(value);
}

function words(listed: readonly Json[]): Draft[] {
  const first = listed.find((word) => typeof word === "string" && word !== "");
  const misses = typeof first === "string"
    ? [first.toUpperCase(), first.toLowerCase(), `${first}x`, `${first} `]
    : [Math.max(0, ...listed.map(Number).filter(Number.isFinite)) + 1];
  const draft = (value: Json, isValid: boolean) => ({
    keyword: "enum",
    isValid,
    value,
    limit: [...listed],
  });
  return [
    ...listed.slice(0, FEW).map((value) => draft(value, true)),
    ...misses.map((value) => draft(value, false)),
  ];
}

function numbers(rules: Rules): Draft[] {
  const { multipleOf } = rules;
  const bounds = boundsOf(rules).filter((bound) => bound !== undefined);
  const drafts = bounds.flatMap(({ keyword, limit, last, beyond }) => [
    { keyword, limit, isValid: true, value: last },
    { keyword, limit, isValid: false, value: beyond },
  ]);
  if (typeof multipleOf !== "number") return drafts;
  const base = bounds[0]?.last ?? 0;
  const others = [multipleOf / 2, 1, -1].map((less) => base + less)
    .filter((value) => rules["type"] !== "integer" || Number.isInteger(value))
    .map((value) => ({ keyword: "multipleOf", limit: multipleOf, isValid: false, value }));
  return [...drafts, ...others];
}

/** Lengths of texts and lists, and numbers of members, up to the last and one beyond. */
function sizes(rules: Rules, options: ValueOptions): Draft[] {
  return Object.entries(rules).flatMap(([keyword, limit]) => {
    const [, side] = /^(min|max)(?:Length|Items|Properties)$/.exec(keyword) ?? [];
    if (side === undefined || typeof limit !== "number" || limit > MANY) return [];
    return [limit, side === "min" ? limit - 1 : limit + 1].flatMap((count) =>
      ofSize(rules, Math.max(0, count), options).filter((value) => sizeOf(value) === count)
        .map((value) => ({ keyword, limit, isValid: count === limit, value }))
    );
  });
}

function ofSize(rules: Rules, count: number, options: ValueOptions): Json[] {
  switch (rules["type"]) {
    case "string":
      return ["a", "😀"].flatMap((unit) => textOf(rules, count, unit) ?? []);
    case "array": {
      const schemas = Array.from({ length: count }, (_, index) => itemOf(rules, index));
      if (!schemas.every((schema) => isPossible(schema, options))) return [];
      if (rules["uniqueItems"] !== true) {
        return [schemas.map((schema) => smallestOf(schema, options))];
      }
      const rest = itemOf(rules, count);
      const found = fc.sample(valuesOf(rest, options), { numRuns: 10 + 2 * count, seed: 1 })
        .sort((a, b) => sizeOf(a) - sizeOf(b));
      return [
        [...new Map(found.map((item) => [JSON.stringify(item), item])).values()].slice(0, count),
      ];
    }
    default: {
      const names = [
        ...Object.keys(objectOf(rules["properties"])),
        ...extraNames(rules, options, count),
      ];
      const possible = names.filter((name) => isPossible(schemaOf(rules, name), options));
      const value = withNames(rules, possible.slice(0, count), options);
      return [Object.fromEntries(Object.entries(value).slice(0, count))];
    }
  }
}

/** Values that break a pattern, a format or the difference of items. */
function breaches(rules: Rules, options: ValueOptions): Draft[] {
  const { pattern, format, uniqueItems, type } = rules;
  const isText = type === "string";
  const misses = isText && pattern !== undefined
    ? missesOf(`${pattern}`, Number(rules["minLength"] ?? 0))
    : [];
  const broken = isText ? FORMATS[`${format}`]?.broken ?? [] : [];
  const isValid = false;
  const equal = uniqueItems === true && isPossible(itemOf(rules, 0), options)
    ? [
      Array(Math.max(2, Number(rules["minItems"] ?? 0))).fill(
        smallestOf(itemOf(rules, 0), options),
      ),
    ]
    : [];
  return [
    ...misses.map((value) => ({ keyword: "pattern", limit: pattern!, isValid, value })).slice(0, 3),
    ...broken.slice(0, 4).map((value) => ({ keyword: "format", limit: format!, isValid, value })),
    ...equal.map((value) => ({ keyword: "uniqueItems", isValid, value })),
  ];
}

function members(rules: Rules, options: ValueOptions): Draft[] {
  const required = arrayOf(rules["required"]).map(String);
  const least = withNames(rules, [], options);
  const optional = Object.keys(objectOf(rules["properties"])).filter((name) =>
    !Object.hasOwn(least, name) && isPossible(schemaOf(rules, name), options)
  );
  const alone = optional.flatMap((member): Draft[] => {
    const value = withNames(rules, [member], options);
    const others = neededWith(rules, [member]).filter((name) => !Object.hasOwn(least, name));
    return [
      { keyword: "properties", isValid: true, value, member },
      ...others.filter((name) => name !== member).map((name) => ({
        keyword: "dependentRequired",
        isValid: false,
        value: without(value, name),
        member: name,
      })),
    ];
  });
  const all = withNames(rules, optional, options);
  return [
    ...required.map((member) => ({
      keyword: "required",
      isValid: false,
      value: without(least, member),
      member,
    })),
    ...alone,
    ...(optional.length > 1 ? [{ keyword: "properties", isValid: true, value: all }] : []),
    ...(rules["additionalProperties"] === false ? ["unknown"] : []).map((member) => {
      const value = withMember(least, member, "a");
      return { keyword: "additionalProperties", limit: false, isValid: false, value, member };
    }),
  ];
}

/** The object without a member. */
function without(value: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
}
