/** @module Values that the service has shown, by collection: `POST /flows` teaches `{flow_id}`. */

import { type ApiDocument, type Operation, responseFor } from "../document/document.ts";
import { at, isObject, type Json, type JsonObject } from "../lib/json.ts";
import { type Exchange, jsonOf, pathOf } from "../lib/exchange.ts";

interface Item {
  /** Its collection, such as `/flows/{}/runs`. */
  readonly collection: string;
  /** The values in the path of its collection. */
  readonly parents: readonly Json[];
  readonly members: JsonObject;
  /** Whether this run has created it, and may delete it. */
  readonly isOwn: boolean;
  isLost?: boolean;
}

export interface Which {
  /** Of what this run has created. */
  readonly own?: boolean;
  /** By their other names, as some paths take the name of what has an id, and by values seen. */
  readonly other?: boolean;
}

export interface ResourcePool {
  learn(exchange: Exchange): void;
  /** Values of path parameters that belong together, as far as known. */
  inPath(
    operation: Pick<Operation, "path"> & Partial<Pick<Operation, "id">>,
    which?: Which,
  ): JsonObject;
  /** The value of a member that names another resource, such as `flow_id`. */
  named(name: string): Json | undefined;
  /** The value that answers had last under this name, unless it is what the name of an item is. */
  shown(name: string): Json | undefined;
  count(): number;
  /** Causes of findings, so that the tiers report each once. */
  readonly causes: Set<string>;
}

/** The end of the names of members and parameters that tell which item it is. */
const NAMING = /(?:^|[_-]|[a-z])(id|uuid|name|slug|key|identifier)$/i;

/** Items that are kept: of a list, and in all. */
const MOST = 5;
const MOST_KEPT = 2_000;

/** Paths that list their parent collection. */
const LISTS = /\/(?:filter|search|list|query|find|all|paginate)$/;

export function createResourcePool(document: Pick<ApiDocument, "operationOf">): ResourcePool {
  /** By their texts, the newest first. */
  let items = new Map<string, Item>();
  /** Values by the names of their members, or of the lists that they are in. */
  const seen = new Map<string, Json>();
  /** Values of path parameters by operation, as links say. */
  const linked = new Map<string, { readonly values: JsonObject; readonly isOwn: boolean }>();

  function learn({ base, call, answer }: Exchange): void {
    const operation = document.operationOf(call.method, pathOf(call));
    if (operation === undefined) return;
    const here = itemAt(operation.path, pathOf(call));
    const [[parameter, last] = []] = Object.entries(here.members);
    const isNamed = (item: Item) =>
      parameter !== undefined && item.collection === here.collection &&
      String(memberOf(item.members, parameter)) === last;
    const isGone = answer.status === 410 || (call.method === "DELETE" && answer.status < 300);
    if (isGone) items = new Map([...items].filter(([, item]) => !isNamed(item)));
    // One path may take its id, and another its name.
    if (answer.status === 404) items.values().filter(isNamed).forEach((item) => item.isLost = true);
    if (isGone || answer.status >= 300) return;
    const isCreate = call.method === "POST" && parameter === undefined &&
      !LISTS.test(operation.path);
    const value = jsonOf(answer);
    for (const [name, one] of objectsIn(value).flatMap(Object.entries<Json>)) {
      const [first] = Array.isArray(one) ? one : [];
      if (isName(one)) seen.set(plain(name), one);
      else if (isName(first)) seen.set(plain(name).replace(/s$/, ""), first);
    }
    for (const { to, parameters } of responseFor(operation, answer.status)?.links ?? []) {
      const values = Object.entries(parameters).flatMap(([name, text]) => {
        const [, place] = /^\$response\.body#(\/.*)$/.exec(String(text)) ?? [];
        const one = place === undefined ? text : at(value, place) as Json | undefined;
        return isName(one) && !String(one).startsWith("$")
          ? [[name.replace(/^path\./, ""), one] as const]
          : [];
      });
      linked.set(to, { values: Object.fromEntries(values), isOwn: isCreate });
    }
    const made = objectsIn(value).map((members, index) => {
      return { ...here, members, isOwn: isCreate && isObject(value) && index === 0 };
    });
    // Some creates answer without what they have created: it has the name that was sent.
    const sent = jsonOf({ text: String(call.body) });
    const isTold = made.some(({ members }) =>
      Object.keys(members).some((name) => NAMING.test(name))
    );
    if (isCreate && !isTold && isObject(sent)) made.push({ ...here, members: sent, isOwn: true });
    const located = isCreate ? locatedBy(answer.headers.get("location"), base) : [];
    const isOwn = items.values().some((item) => item.isOwn && isNamed(item));
    const fresh = [...made, ...located, { ...here, isOwn }]
      .filter(({ members }) => Object.keys(members).length > 0)
      .map((item) => [JSON.stringify(item), item] as const);
    items = new Map([...fresh, ...items].slice(0, MOST_KEPT));
  }

  function locatedBy(location: string | null, base: string): Item[] {
    const whole = location === null ? "" : URL.parse(location, base)?.pathname ?? "";
    const path = whole.replace(URL.parse(base)?.pathname.replace(/\/$/, "") ?? "", "");
    const operation = document.operationOf("GET", path);
    return operation === undefined ? [] : [{ ...itemAt(operation.path, path), isOwn: true }];
  }

  return {
    learn,
    count: () => items.size,
    shown: (name) => /^(?:id|uuid|name|slug|key)$/i.test(name) ? undefined : seen.get(plain(name)),
    causes: new Set(),
    inPath({ id, path }, which) {
      const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name!);
      const link = linked.get(id ?? "");
      const isLinked = link && (link.isOwn || which?.own !== true) && which?.other !== true;
      if (isLinked && names.every((name) => Object.hasOwn(link.values, name))) {
        return Object.fromEntries(names.map((name) => [name, link.values[name]!]));
      }
      const candidates = [...items.values()].filter(({ isOwn }) => isOwn || which?.own !== true)
        // A whole item tells its id and its name.
        .toSorted((a, b) => weightOf(b) - weightOf(a));
      // The deepest item decides, because it tells the parents that it belongs to.
      for (let depth = names.length; depth > 0; depth--) {
        const name = names[depth - 1]!;
        const collection = bare(path.slice(0, path.indexOf(`{${name}}`) - 1));
        const item = candidates.find((one) =>
          one.collection === collection && one.parents.length === depth - 1 &&
          memberOf(one.members, name, which?.other) !== undefined
        );
        if (item === undefined) continue;
        const values = [...item.parents, memberOf(item.members, name, which?.other)!];
        return Object.fromEntries(values.map((value, index) => [names[index]!, value]));
      }
      if (which?.own === true) return {};
      const known = names.map((name) => [name, seen.get(plain(name))] as const);
      return Object.fromEntries(
        known.flatMap(([name, one]) => one === undefined ? [] : [[name, one]]),
      );
    },
    named(name) {
      const [, noun = "", member = ""] = /^(.+?)_?-?(id|uuid|name|slug|key)$/i.exec(name) ?? [];
      const isOf = ({ collection }: Item) =>
        noun !== "" && plain(collection.split("/").at(-1)!).startsWith(plain(noun));
      return items.values().filter(isOf).map(({ members }) => memberOf(members, member))
        .find((value) => value !== undefined);
    },
  };
}

/** What a path names: one item by its last parameter, or a collection, without members. */
function itemAt(template: string, path: string): Omit<Item, "isOwn"> {
  const whole = template.replace(/\/$/, "");
  const [, before = whole, parameter] = /^(.*)\/\{([^}/]+)\}$/.exec(whole) ?? [];
  const pattern = template.split(/\{[^}]+\}/).map(RegExp.escape).join("([^/]+)");
  const values = (new RegExp(`^${pattern}$`).exec(path) ?? []).slice(1).map(decodeURIComponent);
  const collection = bare(before.replace(LISTS, ""));
  if (parameter === undefined) return { collection, parents: values, members: {} };
  return { collection, parents: values.slice(0, -1), members: { [parameter]: values.at(-1)! } };
}

function bare(path: string): string {
  return path.replace(/\{[^}]+\}/g, "{}");
}

/** An object of an answer, which may be in an envelope such as `{"data": {…}}`, or those of its lists. */
function objectsIn(value: unknown): JsonObject[] {
  if (Array.isArray(value)) return value.filter(isObject).slice(0, MOST);
  if (!isObject(value)) return [];
  const isNamed = Object.keys(value).some((name) => NAMING.test(name));
  const inner = isNamed
    ? undefined
    : [value["data"], value["result"], value["item"]].find(isObject);
  const lists = Object.values(inner ?? value).filter((one) => Array.isArray(one));
  return [inner ?? value, ...lists.flatMap(objectsIn)];
}

function weightOf({ isOwn, isLost, members }: Item): number {
  return (isLost ? -4 : 0) + (isOwn ? 2 : 0) + (Object.keys(members).length > 1 ? 1 : 0);
}

/** The member that a parameter names: itself, or `id` for `flow_id` and `flowId`. */
function memberOf(members: JsonObject, parameter: string, isOther = false): Json | undefined {
  const short = NAMING.exec(parameter)?.[1]?.toLowerCase() ?? "";
  const others = short === "identifier"
    ? ["id", "uuid", "slug"]
    : short === ""
    ? ["id", "name"]
    : [short];
  const wanted = isOther ? [short === "id" ? "name" : "id"] : [plain(parameter), ...others];
  for (const name of wanted) {
    const found = Object.entries(members).find(([key]) => plain(key) === name)?.[1];
    if (isName(found)) return found;
  }
  return undefined;
}

function isName(value: Json | undefined): value is string | number {
  return typeof value === "number" || (typeof value === "string" && value !== "");
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, "");
}
