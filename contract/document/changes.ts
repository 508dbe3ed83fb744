/**
 * @module Changes between two OpenAPI documents. One breaks clients if a valid request may now be
 * refused, or an answer be one that was excluded; new statuses break none (RFC 9110 §15).
 */

import { METHODS } from "./document.ts";
import { arrayOf, follow, isObject, type Json, type JsonObject, objectOf } from "../lib/json.ts";

interface Judgement {
  /** `maxLength 120 → 200`, `added` */
  readonly what: string;
  readonly isBreaking: boolean;
}

export interface Change extends Judgement {
  /** `POST /api/lead`, `GET /api/site, answer 200 and 1 more operation` */
  readonly where: string;
  /** `company`, `header Allow`; empty: the operation or its answer itself. */
  readonly name: string;
  /** `POST /api/lead: company maxLength 200 → 120 (breaking)` */
  readonly text: string;
}

type Maybe = Json | undefined;
type Pair = readonly [old: Maybe, now: Maybe];

interface Place {
  readonly operation: string;
  /** `, answer 200`; empty in requests. */
  readonly answer: string;
  /** `query parameter limit`, or the member of a body: `plans[].price`. */
  readonly name: string;
  /** The component around it, and the place there: a change of a component is one change. */
  readonly cause: string;
  /** The name of this value, and the collection that it is in, if that has no fixed names. */
  readonly key: string;
  readonly group?: string | undefined;
}

/** Collections that are empty if they are absent; their members are parts of the document. */
const PARTS = ["properties", "parameters", "headers", "responses", "content"];

const THE_BODY = "the body";

const VALUES = ["required", "security", "enum", "allOf", "anyOf", "oneOf"];

/** What no answer is validated by. */
const ANNOTATIONS = new RegExp(
  "^(?:title|summary|description|tags|examples?|default|deprecated|xml|links|readOnly|" +
    "writeOnly|discriminator|externalDocs|servers|definitions|\\$.*|x-.*)$",
);

export function changesBetween(before: JsonObject, after: JsonObject): Change[] {
  const found = new Map<string, Judgement & { place: Place; operations: Set<string> }>();

  function compare(place: Place, raw: Pair, seen: Map<unknown, Set<unknown>>): void {
    const [old, now] = [readable(before, place, raw[0]), readable(after, place, raw[1])];
    if (!isObject(old) || !isObject(now)) return report(place, [old, now]);
    // Schemas may contain themselves.
    const partners = seen.get(raw[0]) ?? new Set();
    if (partners.has(raw[1]) && isObject(raw[1])) return;
    seen.set(raw[0], partners.add(raw[1]));
    const component = objectOf(raw[1])["$ref"] ?? objectOf(raw[0])["$ref"];
    const here = component === undefined ? place : { ...place, cause: String(component) };
    const isCollection = place.group === undefined && [...PARTS, ...VALUES].includes(place.key);
    for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
      if (!isCollection && ANNOTATIONS.test(key)) continue;
      const inside = placeIn(here, key, isCollection);
      compare(inside, [old[key], now[key]], inside.group === "responses" ? new Map() : seen);
    }
  }

  function report(place: Place, pair: Pair): void {
    if (JSON.stringify(pair[0]) === JSON.stringify(pair[1])) return;
    const { what, isBreaking } = judged(place, pair);
    const id = `${place.cause} ${what}`;
    const known = found.get(id) ?? { what, isBreaking, place, operations: new Set() };
    known.operations.add(place.operation);
    found.set(id, isBreaking && !known.isBreaking ? { ...known, isBreaking, place } : known);
  }

  const root = { answer: "", name: "", key: "", group: "paths" };
  const [olds, news] = [operationsIn(before), operationsIn(after)];
  for (const operation of new Set([...Object.keys(olds), ...Object.keys(news)])) {
    const pair = [olds[operation], news[operation]] as const;
    compare({ ...root, operation, cause: operation }, pair, new Map());
  }
  return [...found.values()].map(({ what, isBreaking, place, operations }) => {
    const others = operations.size - 1;
    const more = others === 0 ? "" : ` and ${others} more operation${others === 1 ? "" : "s"}`;
    const where = place.operation + place.answer + more;
    // The keyword itself has changed, not what it says of the items.
    const name = isItem(place) ? place.name.slice(0, -2) : place.name;
    const words = [name, what, isBreaking ? "(breaking)" : ""].filter(Boolean).join(" ");
    return { isBreaking, where, name, what, text: `${where}: ${words}` };
  }).toSorted((one, other) => Number(other.isBreaking) - Number(one.isBreaking));
}

/** Operations by method and path, with what their path and the document say for all of them. */
function operationsIn(root: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(objectOf(root["paths"])).flatMap(([path, entry]) => {
      const item = followed(root, objectOf(entry));
      return METHODS.filter((method) => isObject(item[method])).map((method) => {
        const own = objectOf(item[method]);
        const parameters = [...arrayOf(item["parameters"]), ...arrayOf(own["parameters"])];
        const security = [own["security"] ?? root["security"] ?? []].flat();
        const ways = security.length === 0 ? [{}] : security;
        return [`${method.toUpperCase()} ${path}`, { ...own, parameters, security: ways }];
      });
    }),
  );
}

/** A value without references, lists as objects; parts that are absent are empty. */
function readable(root: JsonObject, { key, group }: Place, value: Maybe): Maybe {
  if (isObject(value)) return followed(root, value);
  if (group === undefined) {
    if (value === undefined && [...PARTS, "required", "schema"].includes(key)) return {};
    if (Array.isArray(value) && [...PARTS, ...VALUES].includes(key)) {
      return Object.fromEntries(value.map((one, index) => [nameOf(root, one, index), one]));
    }
  }
  return value;
}

function nameOf(root: JsonObject, one: Json, index: number): string {
  if (!isObject(one)) return shown(one);
  const { in: where, name } = followed(root, one);
  if (typeof where === "string") return `${where} parameter ${name}`;
  const isSecurity = Object.values(one).every(Array.isArray);
  return String(one["$ref"] ?? (isSecurity ? Object.keys(one).join(" and ") || "none" : index));
}

function placeIn(place: Place, key: string, isCollection: boolean): Place {
  const group = isCollection ? place.key : undefined;
  const inside = { ...place, key, group, cause: `${place.cause}/${key}` };
  if (group === "responses") return { ...inside, answer: `, answer ${key}`, name: "" };
  if (group === "properties" || group === "required") {
    return { ...inside, name: [place.name, key].filter((name) => name !== "").join(".") };
  }
  if (group === "parameters") return { ...inside, name: key };
  if (group === "headers") return { ...inside, name: `header ${key}` };
  if (group === "content" && place.name === THE_BODY) return { ...inside, name: "" };
  if (group === undefined && key === "requestBody") return { ...inside, name: THE_BODY };
  return isItem(inside) ? { ...inside, name: `${place.name}[]` } : inside;
}

function isItem({ group, key }: Place): boolean {
  return group === undefined && /^(?:items|additionalProperties|contains)$/.test(key);
}

function judged({ key, group, answer }: Place, [old, now]: Pair): Judgement {
  const kind = group ?? key;
  const isRequest = answer === "";
  const isAdded = old === undefined;
  const verb = isAdded ? "added" : "removed";
  if (["paths", "requestBody", ...PARTS].includes(kind)) {
    const isRequired = objectOf(now)["required"] === true;
    const what = `${kind === "content" ? `content ${key} ` : ""}${verb}`;
    const isBreaking = !isAdded || (isRequest && isRequired);
    return { what: isRequired ? `${what}, required` : what, isBreaking };
  }
  if (kind === "required") {
    const isRequired = group === undefined ? now === true : isAdded;
    const what = isRequired ? "now required" : "now optional";
    return { what, isBreaking: isRequired === isRequest };
  }
  if (group !== undefined) {
    const member = ["enum", "security"].includes(group) ? key : shown(old ?? now);
    const what = `${group === "enum" ? "value" : group} ${member} ${verb}`;
    return { what, isBreaking: (group === "allOf") === (isAdded === isRequest) };
  }
  const isHarmless = key === "operationId" || (key === "additionalProperties" && !isRequest);
  const isBreaking = !isHarmless && isNarrower(key, [old, now]) !== !isRequest;
  const isOnOneSide = isAdded || now === undefined;
  const values = isOnOneSide ? `${shown(old ?? now)} ${verb}` : `${shown(old)} → ${shown(now)}`;
  return { what: `${key} ${values}`, isBreaking };
}

/** Whether fewer values are valid than before; undefined if that cannot be said. */
function isNarrower(keyword: string, [old, now]: Pair): boolean | undefined {
  if (old === undefined || old === true) return true;
  if (now === undefined || now === true) return false;
  if (keyword === "type") {
    const [olds = [], news = []] = [old, now].map((one) => {
      const types = [one].flat();
      return types.includes("number") ? [...types, "integer"] : types;
    });
    if (news.every((type) => olds.includes(type))) return true;
    return olds.every((type) => news.includes(type)) ? false : undefined;
  }
  if (/^(?:exclusiveM|m)ax/.test(keyword)) return Number(now) < Number(old);
  return /^(?:exclusiveM|m)in/.test(keyword) ? Number(now) > Number(old) : undefined;
}

/** Follows references; what cannot be followed stays as it is. */
function followed(root: JsonObject, value: JsonObject): JsonObject {
  let current = value;
  for (let hops = 0; hops < 20 && typeof current["$ref"] === "string"; hops++) {
    const { $ref, ...siblings } = current;
    const found = $ref.startsWith("#/") ? follow(root, $ref.slice(1)) : undefined;
    if (!isObject(found)) break;
    current = { ...found, ...siblings };
  }
  return current;
}

function shown(value: Maybe): string {
  const text = typeof value === "string" ? value : JSON.stringify(value) ?? "";
  return text.length <= 60 ? text : `${text.slice(0, 60)}…`;
}
