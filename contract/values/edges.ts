/** @module For each keyword of each place the last valid value and the first invalid one. */

import fc from "fast-check";
import { arrayOf, type Json, type JsonObject, objectOf, pointer } from "../lib/json.ts";
import { FORMATS } from "../document/formats.ts";
import { boundsOf } from "./numbers.ts";
import { CannotGenerate, type ValueOptions } from "./options.ts";
import { type Place, placesOf } from "./places.ts";
import { isOfType, itemOf, MANY, neededWith, type Rules } from "./schema_rules.ts";
import { says, sizeOf } from "../document/error_lines.ts";
import { missesOf } from "./text.ts";
import {
  ANY_JSON,
  attempt,
  isPossible,
  isSure,
  LARGEST,
  optionalNames,
  smallestOf,
  smallestOfRules,
  withMember,
  withNames,
} from "./values.ts";

export interface Edge {
  readonly value: Json;
  readonly isValid: boolean;
  /** The JSON Pointer of what is on the edge. */
  readonly at: string;
  readonly keyword: string;
  /** What the place has and what the keyword wants: "name has 6 characters, maxLength is 5". */
  readonly says: string;
  readonly limit: Json;
  /** Invalid, but accepted by services that convert types: `"1"` for 1. */
  readonly isLax: boolean;
}

/** A value for a place; the validator confirms whether it is valid. */
interface Draft extends Pick<Edge, "keyword" | "isValid" | "value" | "limit"> {
  readonly member?: string;
}
type Keyword = readonly [keyword: string, limit?: Json];

function kept([keyword, limit = true]: Keyword, value: Json): Draft {
  return { keyword, limit, isValid: true, value };
}

function broken([keyword, limit = true]: Keyword, value: Json): Draft {
  return { keyword, limit, isValid: false, value };
}

const MOST = 150;
const RANKS = ["required", "m", "exclusive", "enum", "type", "format", ""];
const SCALAR = /^(?:string|number|integer|boolean)$/;
const FEW = 10;

/** The most telling first, shallow places before deep ones. @throws {CannotGenerate} */
export function edgesOf(schema: Json, options: ValueOptions): readonly Edge[] {
  const least = kept(["required"], smallestOf(schema, options));
  const drafts = placesOf(schema, options).flatMap((place, index) => {
    const made = attempt(() => draftsOf(place, options));
    if (made instanceof CannotGenerate) options.left.add(`${place.at}: ${made.message}`);
    const own = made instanceof CannotGenerate ? [] : made;
    return [...(index === 0 ? [least] : []), ...own].map((draft) => {
      const edge = edgeOf(place, draft);
      const rank = RANKS.findIndex((one) => draft.keyword.startsWith(one));
      return { edge, rank: rank + 3 * place.depth + (edge.isLax ? 3 : 0) };
    });
  });
  const edges = new Map<string, Edge>();
  for (const { edge } of drafts.sort((a, b) => a.rank - b.rank)) {
    const text = JSON.stringify(edge.value);
    const isNew = !edges.has(text) && text.length <= LARGEST && isSure(edge.value);
    if (isNew && options.isValid(schema, edge.value) === edge.isValid) edges.set(text, edge);
    if (edges.size >= MOST) break;
  }
  return [...edges.values()];
}

function edgeOf(place: Place, { member, ...draft }: Draft): Edge {
  const { keyword, value, limit } = draft;
  const at = member === undefined ? place.at : place.at + pointer(member);
  const subject = member === undefined ? value : objectOf(value)[member] ?? null;
  return {
    ...draft,
    at,
    value: place.put(value),
    says: says({ at, keyword, value: subject, limit }),
    isLax: keyword === "type" && isLax(value, place.types),
  };
}

function draftsOf({ rules, types }: Place, options: ValueOptions): Draft[] {
  if (Array.isArray(rules["enum"])) return [...words(rules["enum"]), ...otherTypes(types)];
  const own = rules["type"] === "object" ? members(rules, options) : [];
  const values = [...sizes(rules, options), ...numbers(rules), ...breaches(rules, options)];
  return [...own, ...values, ...otherTypes(types)];
}

function otherTypes(types: readonly string[]): Draft[] {
  const scalars = types.some((type) => SCALAR.test(type)) ? ["a", "1", 1, 1.5, true] : ["a", 1];
  return [null, ...scalars, [], {}]
    .filter((value) => types.length > 0 && !types.some((type) => isOfType(value, type)))
    .map((value) => broken(["type", [...types]], value));
}

/** Whether services that convert types accept a value of another type. */
function isLax(value: Json, types: readonly string[]): boolean {
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
  const keyword: Keyword = ["enum", [...listed]];
  const valid = listed.slice(0, FEW).map((value) => kept(keyword, value));
  return [...valid, ...misses.map((value) => broken(keyword, value))];
}

function numbers(rules: Rules): Draft[] {
  const { multipleOf } = rules;
  const bounds = boundsOf(rules);
  const drafts = bounds.flatMap(({ keyword, limit, last, beyond }) => {
    return [kept([keyword, limit], last), broken([keyword, limit], beyond)];
  });
  if (typeof multipleOf !== "number") return drafts;
  const others = [multipleOf / 2, 1, -1].map((less) => (bounds[0]?.last ?? 0) + less)
    .filter((value) => rules["type"] !== "integer" || Number.isInteger(value));
  return [...drafts, ...others.map((value) => broken(["multipleOf", multipleOf], value))];
}

function sizes(rules: Rules, options: ValueOptions): Draft[] {
  const { type, pattern, format } = rules;
  const isText = type === "string" && pattern === undefined && !FORMATS[`${format}`];
  return Object.entries(rules).flatMap(([keyword, limit]) => {
    const [, side, unit] = /^(min|max)(Length|Items|Properties)$/.exec(keyword) ?? [];
    if (side === undefined || typeof limit !== "number" || limit > MANY) return [];
    return [limit, side === "min" ? limit - 1 : limit + 1].flatMap((count) => {
      if (count < 0) return [];
      const exact = { ...rules, [`min${unit}`]: count, [`max${unit}`]: count };
      const made = attempt(() => smallestOfRules(exact, options));
      return [made, ...(isText ? ["😀".repeat(count)] : [])]
        .filter((value) => !(value instanceof CannotGenerate) && sizeOf(value) === count)
        .map((value) => (count === limit ? kept : broken)([keyword, limit], value as Json));
    });
  });
}

function breaches(rules: Rules, options: ValueOptions): Draft[] {
  const { pattern, format, uniqueItems, type, minLength, minItems } = rules;
  if (uniqueItems === true && isPossible(itemOf(rules, 0), options)) {
    const item = smallestOf(itemOf(rules, 0), options);
    return [broken(["uniqueItems"], Array(Math.max(2, Number(minItems ?? 0))).fill(item))];
  }
  if (type !== "string") return [];
  const misses = pattern === undefined ? [] : missesOf(`${pattern}`, Number(minLength ?? 0));
  const words = FORMATS[`${format}`]?.broken ?? [];
  return [
    ...misses.slice(0, 3).map((value) => broken(["pattern", pattern!], value)),
    ...words.map((value) => broken(["format", format!], value)),
  ];
}

function members(rules: Rules, options: ValueOptions): Draft[] {
  const least = withNames(rules, [], options);
  const optional = optionalNames(rules, options, 0)
    .filter((name) => !Object.hasOwn(least, name));
  function left(keyword: string, [value, member]: readonly [JsonObject, string]): Draft {
    const rest = Object.entries(value).filter(([name]) => name !== member);
    return { ...broken([keyword], Object.fromEntries(rest)), member };
  }
  const drafts = arrayOf(rules["required"]).map((name) => left("required", [least, `${name}`]));
  for (const member of optional) {
    const value = withNames(rules, [member], options);
    drafts.push({ ...kept(["properties"], value), member });
    const others = neededWith(rules, [member])
      .filter((name) => name !== member && !Object.hasOwn(least, name));
    drafts.push(...others.map((name) => left("dependentRequired", [value, name])));
  }
  if (optional.length > 1) drafts.push(kept(["properties"], withNames(rules, optional, options)));
  if (rules["additionalProperties"] === false) {
    const value = withMember(least, "unknown", "a");
    drafts.push({ ...broken(["additionalProperties", false], value), member: "unknown" });
  }
  return drafts;
}

/** Random invalid values. @throws {CannotGenerate} also if every value is valid */
export function brokenOf(schema: Json, options: ValueOptions): fc.Arbitrary<Edge> {
  const edges = edgesOf(schema, options).filter(({ isValid }) => !isValid);
  const changed = fc.oneof(
    ...placesOf(schema, options).map((place) =>
      fc.oneof(...changes(place, options)).map((draft) => edgeOf(place, draft))
    ),
  );
  const isBroken = ({ value }: Edge) => !options.isValid(schema, value);
  const found = fc.sample(changed, { numRuns: 20, seed: 1 }).filter(isBroken);
  if (edges.length + found.length === 0) throw new CannotGenerate("every value is valid");
  const listed = fc.constantFrom(...edges, ...found);
  return found.length < 5 ? listed : fc.oneof(listed, changed.filter(isBroken));
}

const NESTED: Json = JSON.parse('{"value":['.repeat(250) + "]}".repeat(250));
/** Names that no schema lists and that implementations mishandle. */
const ODD_NAMES = ["__proto__", "constructor", "prototype", "toString", "then", "length", ""];
/** Letters that look like letters of enumerations. */
const HOMOGLYPHS: Readonly<Record<string, string>> = { e: "е", p: "р", o: "о", s: "ſ", i: "ı" };

/** Changes of a place, most of them invalid. */
function changes({ rules, types }: Place, options: ValueOptions): fc.Arbitrary<Draft>[] {
  const { enum: listed, maxLength, properties, additionalProperties } = rules;
  const breaks = (keyword: Keyword, values: fc.Arbitrary<Json>) =>
    values.map((value) => broken(keyword, value));
  const isOther = (value: Json) => !types.some((type) => isOfType(value, type));
  const kinds = [breaks(["type", [...types]], fc.constant(NESTED))];
  // If every type is permitted, the filter would never end.
  if (otherTypes(types).length > 0) {
    kinds.push(breaks(["type", [...types]], ANY_JSON.filter(isOther)));
  }
  if (typeof maxLength === "number" && maxLength < 10_000) {
    const isLong = (text: string) => sizeOf(text) > maxLength;
    const texts = oddTexts(["x".repeat(maxLength)]).filter(isLong);
    kinds.push(breaks(["maxLength", maxLength], texts));
  }
  if (Array.isArray(listed)) kinds.push(breaks(["enum", listed], oddTexts(listed.map(String))));
  for (const { keyword, limit, last, beyond } of boundsOf(rules)) {
    const times = fc.integer({ min: 1, max: 1e9 });
    kinds.push(breaks([keyword, limit], times.map((count) => last + (beyond - last) * count)));
  }
  if (additionalProperties === false) {
    const listed = Object.keys(objectOf(properties));
    const names = oddTexts([...ODD_NAMES, ...listed]).filter((name) => !listed.includes(name));
    const least = withNames(rules, [], options);
    kinds.push(
      fc.tuple(names, ANY_JSON).map(([member, value]) => ({
        ...broken(["additionalProperties", false], withMember(least, member, value)),
        member,
      })),
    );
  }
  return kinds;
}

/** Texts like others, which implementations take for them or mishandle. */
function oddTexts(texts: readonly string[]): fc.Arbitrary<string> {
  const near = texts.flatMap((text) => [
    ...[text, text.toUpperCase(), text.charAt(0).toUpperCase() + text.slice(1)],
    ...[text.slice(0, -1), ` ${text}`, `\u200b${text}`, text + text],
    text.replace(/[epois]/, (letter) => HOMOGLYPHS[letter]!),
  ]);
  // The last is a lone surrogate, which JSON can only escape.
  const unit = fc.constantFrom("x", "😀", "\u0301", " ", "\n", "\0", "\u202e", "\ud800");
  const surplus = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 500 }));
  const longer = fc.tuple(fc.constantFrom(...texts), unit, surplus)
    .map(([text, one, count]) => text + one.repeat(count));
  return fc.oneof(fc.constantFrom(...near), longer, fc.string());
}
