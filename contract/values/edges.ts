/**
 * @module For each place of a schema and each of its keywords the last valid and the first invalid
 * value. Everything else is smallest, so that a finding shows what matters.
 */

import { arrayOf, type Json, type JsonObject, objectOf } from "../document.ts";
import { FORMATS } from "./formats.ts";
import { boundsOf } from "./numbers.ts";
import { isSure, type ValueOptions, withMember } from "./options.ts";
import { escaped, type Place, placesOf, withNames } from "./places.ts";
import { isOfType } from "./rules.ts";
import { says } from "./says.ts";
import {
  attempt,
  different,
  extraNames,
  itemOf,
  neededWith,
  schemaOf,
  smallestOf,
} from "./smallest.ts";
import { missOf, textOf } from "./text.ts";

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
interface Draft {
  readonly keyword: string;
  readonly isValid: boolean;
  readonly value: Json;
  /** The keyword's value. */
  readonly limit?: Json;
  /** The member of the place that it is about. */
  readonly member?: string;
  readonly says?: string;
  readonly isLax?: boolean;
}

const MOST = 150;
const RANKS = ["required", "min", "max", "exclusive", "multipleOf", "enum", "type", "format"];
const SCALAR = /^(?:string|number|integer|boolean)$/;
/** Words of an enumeration, and items of a list, that are tried. */
const FEW = 10;
const MANY_ITEMS = 1_001;

/** The most telling first, shallow places before deep ones. @throws {CannotGenerate} */
export function edgesOf(schema: Json, options: ValueOptions, most: number = MOST): readonly Edge[] {
  const smallest: Draft = {
    keyword: "required",
    isValid: true,
    value: smallestOf(schema, options),
    says: "the value has only what is required",
  };
  const places = placesOf(schema, options);
  const drafts = places.flatMap((place) =>
    [...(place.at === "" ? [smallest] : []), ...draftsOf(place, options)]
      .map((draft) => ({ place, draft, rank: rankOf(draft) + 3 * place.depth }))
  ).sort((a, b) => a.rank - b.rank);
  const edges = new Map<string, Edge>();
  for (const { place, draft } of drafts) {
    if (edges.size >= most) break;
    const value = place.put(draft.value);
    const text = JSON.stringify(value);
    if (edges.has(text) || text.length > options.most || !isSure(value)) continue;
    if (options.isValid(schema, value) !== draft.isValid) continue;
    const { keyword, isValid, isLax = false, member, limit = true } = draft;
    const at = member === undefined ? place.at : `${place.at}/${escaped(member)}`;
    const subject = member === undefined ? draft.value : objectOf(draft.value)[member] ?? null;
    const words = draft.says ?? says({ at, keyword, value: subject, limit });
    edges.set(text, { value, isValid, at, keyword, says: words, isLax });
  }
  return [...edges.values()];
}

function rankOf({ keyword, isLax }: Draft): number {
  const rank = RANKS.findIndex((one) => keyword.startsWith(one));
  return (rank === -1 ? RANKS.length : rank) + (isLax ? 3 : 0);
}

function draftsOf(place: Place, options: ValueOptions): Draft[] {
  const { rules } = place;
  const own = Array.isArray(rules["enum"]) ? words(rules["enum"]) : byType(place, options);
  return [...own, ...otherTypes(place)];
}

function byType(place: Place, options: ValueOptions): Draft[] {
  switch (place.rules["type"]) {
    case "object":
      return members(place, options);
    case "array":
      return items(place, options);
    case "string":
      return texts(place);
    case "integer":
    case "number":
      return numbers(place);
    default:
      return [];
  }
}

/** Values of the other types. */
function otherTypes({ types }: Place): Draft[] {
  if (types.length === 0) return [];
  const limit = [...types];
  const isScalar = types.some((type) => SCALAR.test(type));
  const scalars = isScalar ? ["a", "1", 1, 1.5, true] : ["a", 1];
  return [null, ...scalars, [], {}].filter((value) => !types.some((type) => isOfType(value, type)))
    .map((value) => ({
      keyword: "type",
      isValid: false,
      value,
      limit,
      isLax: isLax(value, types),
    }));
}

/** Whether services that convert types accept a value of another type. */
export function isLax(value: Json, types: readonly string[]): boolean {
  if (typeof value === "object" || !types.some((type) => SCALAR.test(type))) return false;
  if (typeof value === "number") return Number.isInteger(value) || !types.includes("integer");
  return value === true || value === false ||
    (/^(?:true|false|yes|no|on|off|[tfyn])$/i.test(value) ||
      !Number.isNaN(Number(value)));
}

function words(listed: readonly Json[]): Draft[] {
  const limit = [...listed];
  const first = listed.find((word) => typeof word === "string" && word !== "");
  const misses = typeof first === "string"
    ? [first.toUpperCase(), first.toLowerCase(), `${first}x`, `${first} `]
    : typeof listed[0] === "number"
    ? [Math.max(...listed.map(Number)) + 1]
    : [];
  return [
    ...listed.slice(0, FEW).map((value) => ({ keyword: "enum", isValid: true, value, limit })),
    ...misses.map((value) => ({ keyword: "enum", isValid: false, value, limit })),
  ];
}

function numbers({ rules }: Place): Draft[] {
  const { multipleOf } = rules;
  const drafts: Draft[] = boundsOf(rules).flatMap((bound) => {
    if (bound === undefined) return [];
    const { keyword, limit, last, beyond } = bound;
    const about = keyword === "format" ? { keyword, limit: "int32" } : { keyword, limit };
    return [{ ...about, isValid: true, value: last }, { ...about, isValid: false, value: beyond }];
  });
  if (typeof multipleOf !== "number") return drafts;
  const [low, high] = boundsOf(rules);
  const base = low?.last ?? high?.last ?? 0;
  const between = [base + multipleOf / 2, base + 1, base - 1]
    .filter((value) => rules["type"] !== "integer" || Number.isInteger(value));
  return [
    ...drafts,
    ...between.map((value) => ({
      keyword: "multipleOf",
      isValid: false,
      value,
      limit: multipleOf,
    })),
  ];
}

function texts({ rules }: Place): Draft[] {
  const { minLength, maxLength, pattern, format } = rules;
  const drafts: Draft[] = [];
  for (
    const [keyword, limit, step] of [["minLength", minLength, -1], [
      "maxLength",
      maxLength,
      1,
    ]] as const
  ) {
    if (typeof limit !== "number") continue;
    for (const unit of ["a", "😀"]) {
      const beyond = textOf(rules, limit + step, { exact: true, unit });
      const last = textOf(rules, limit, { exact: true, unit });
      if (last !== undefined) drafts.push({ keyword, limit, isValid: true, value: last });
      if (beyond !== undefined) drafts.push({ keyword, limit, isValid: false, value: beyond });
    }
  }
  const miss = pattern === undefined ? undefined : missOf(rules);
  if (miss !== undefined) {
    drafts.push({ keyword: "pattern", limit: pattern!, isValid: false, value: miss });
  }
  const { broken = [] } = FORMATS[String(format)] ?? {};
  return [
    ...drafts,
    ...broken.map((value) => ({ keyword: "format", limit: format!, isValid: false, value })),
  ];
}

function items({ rules }: Place, options: ValueOptions): Draft[] {
  const { minItems, maxItems, uniqueItems } = rules;
  const drafts: Draft[] = [];
  function list(count: number): Json[] | undefined {
    if (count < 0 || count > MANY_ITEMS) return undefined;
    const made = Array.from(
      { length: count },
      (_, index) => attempt(itemOf(rules, index), options) ?? null,
    );
    if (uniqueItems !== true || count < 2) return made;
    const mixed = different(itemOf(rules, 0), options, count);
    return mixed.length === count ? mixed : undefined;
  }
  for (
    const [keyword, limit, step] of [["minItems", minItems, -1], ["maxItems", maxItems, 1]] as const
  ) {
    if (typeof limit !== "number") continue;
    for (const [count, isValid] of [[limit, true], [limit + step, false]] as const) {
      const value = list(count);
      if (value !== undefined) drafts.push({ keyword, limit, isValid, value });
    }
  }
  const count = Math.max(2, Number(minItems ?? 0));
  const equal = list(1)?.[0];
  if (uniqueItems === true && equal !== undefined && count < FEW) {
    drafts.push({ keyword: "uniqueItems", isValid: false, value: Array(count).fill(equal) });
  }
  return drafts;
}

function members(place: Place, options: ValueOptions): Draft[] {
  const { rules } = place;
  const { additionalProperties, minProperties, maxProperties } = rules;
  const required = arrayOf(rules["required"]).map(String);
  const least = withNames(place, [], options);
  const properties = Object.keys(objectOf(rules["properties"]))
    .filter((name) => attempt(schemaOf(rules, name), options) !== undefined);
  const optional = properties.filter((name) => !Object.hasOwn(least, name));
  const drafts: Draft[] = required
    .map((member) => ({
      keyword: "required",
      isValid: false,
      value: without(least, member),
      member,
    }));
  for (const member of optional) {
    const value = withNames(place, [member], options);
    const words = says({ at: `${place.at}/${escaped(member)}`, keyword: "properties" });
    drafts.push({ keyword: "properties", isValid: true, value, member, says: words });
    for (const other of neededWith(rules, [member])) {
      if (other === member || required.includes(other)) continue;
      drafts.push({
        keyword: "dependentRequired",
        isValid: false,
        value: without(value, other),
        member: other,
      });
    }
  }
  if (optional.length > 1) {
    const words = says({ at: place.at, keyword: "properties", limit: "all" });
    drafts.push({
      keyword: "properties",
      isValid: true,
      value: withNames(place, optional, options),
      says: words,
    });
  }
  if (additionalProperties === false) {
    const value = withMember(least, "unknown", "a");
    drafts.push({ keyword: "additionalProperties", isValid: false, value, member: "unknown" });
  }
  for (
    const [keyword, limit, step] of [["minProperties", minProperties, -1], [
      "maxProperties",
      maxProperties,
      1,
    ]] as const
  ) {
    if (typeof limit !== "number" || limit > MANY_ITEMS) continue;
    for (const [count, isValid] of [[limit, true], [limit + step, false]] as const) {
      const names = [...Object.keys(least), ...optional, ...extraNames(rules, options, count)];
      const all = withNames(place, names.slice(0, Math.max(0, count)), options);
      const value = Object.fromEntries(Object.entries(all).slice(0, Math.max(0, count)));
      if (count >= 0 && Object.keys(value).length === count) {
        drafts.push({ keyword, limit, isValid, value });
      }
    }
  }
  return drafts;
}

/** The object without a member. */
export function without(value: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
}
