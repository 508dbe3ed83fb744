/**
 * @module Values that the service has shown: ids and other members of what was created or listed, by
 * the path of their collection. `POST /flows` teaches `{flow_id}` of `/flows/{flow_id}`.
 */

import {
  type ApiDocument,
  isObject,
  type Json,
  type JsonObject,
  type Operation,
} from "../document.ts";
import { type Exchange, jsonOf, pathOf } from "../exchange.ts";

interface Item {
  /** Its collection, such as `/flows/{}/runs`. */
  readonly collection: string;
  /** The values in the path of its collection. */
  readonly parents: readonly Json[];
  readonly members: JsonObject;
  /** Whether this run has created it, and may delete it. */
  readonly isOwn: boolean;
}

export interface Known {
  learn(exchange: Exchange): void;
  /** Values of path parameters that belong together, as far as known. */
  inPath(operation: Pick<Operation, "path">, which?: { readonly own: boolean }): JsonObject;
  /** The value of a member that names another resource, such as `flow_id`. */
  named(name: string): Json | undefined;
  /** The number of items. */
  count(): number;
  /** Causes of findings, so that the tiers report each once. */
  readonly causes: Set<string>;
}

/** The end of the names of members and parameters that tell which item it is. */
const NAMING = /(?:^|[_-]|[a-z])(id|uuid|name|slug|key|identifier)$/i;

/** Items of an answer that are kept. */
const MOST = 5;

/** Paths that list their parent collection. */
const LISTS = /\/(?:filter|search|list|query|find|all|paginate)$/;

export function createKnown(document: Pick<ApiDocument, "operationOf">): Known {
  /** The newest first. */
  let items: Item[] = [];

  function learn({ base, call, answer }: Exchange): void {
    const operation = document.operationOf(call.method, pathOf(call));
    if (operation === undefined) return;
    const { collection, parameter } = placeOf(operation.path);
    const values = valuesIn(operation.path, pathOf(call));
    const parents = parameter === undefined ? values : values.slice(0, -1);
    const last = values.at(-1);
    const isGone = answer.status === 404 || answer.status === 410 ||
      (call.method === "DELETE" && answer.status < 300);
    if (isGone && parameter !== undefined) {
      items = items.filter((item) =>
        item.collection !== collection || String(memberOf(item.members, parameter)) !== last
      );
    }
    if (isGone || answer.status >= 300) return;
    const isCreate = call.method === "POST" && parameter === undefined &&
      !LISTS.test(operation.path);
    const value = unwrapped(jsonOf(answer));
    const made = objectsIn(value).map((members, index) => ({
      collection,
      parents,
      members,
      isOwn: isCreate && isObject(value) && index === 0,
    }));
    const located = isCreate ? locatedBy(answer.headers.get("location"), base) : [];
    const shown = parameter === undefined ? [] : [{
      collection,
      parents,
      members: { [parameter]: last! },
      isOwn: items.some((item) =>
        item.isOwn && item.collection === collection &&
        String(memberOf(item.members, parameter)) === last
      ),
    }];
    const more = [...made, ...located, ...shown];
    const isNew = (item: Item) => !more.some((one) => JSON.stringify(one) === JSON.stringify(item));
    items = [...more, ...items.filter(isNew)].slice(0, 2_000);
  }

  function locatedBy(location: string | null, base: string): Item[] {
    const whole = location === null ? "" : URL.parse(location, base)?.pathname ?? "";
    const path = whole.replace(URL.parse(base)?.pathname.replace(/\/$/, "") ?? "", "");
    const operation = document.operationOf("GET", path);
    if (operation === undefined) return [];
    const { collection, parameter } = placeOf(operation.path);
    const values = valuesIn(operation.path, path);
    if (parameter === undefined) return [];
    const members = { [parameter]: values.at(-1)! };
    return [{ collection, parents: values.slice(0, -1), members, isOwn: true }];
  }

  return {
    learn,
    count: () => items.length,
    causes: new Set(),
    inPath({ path }, which) {
      const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name!);
      const candidates = items.filter(({ isOwn }) => isOwn || which?.own !== true)
        .toSorted((a, b) => Number(b.isOwn) - Number(a.isOwn));
      // The deepest item decides, because it tells the parents that it belongs to.
      for (let depth = names.length; depth > 0; depth--) {
        const name = names[depth - 1]!;
        const collection = bare(path.slice(0, path.indexOf(`{${name}}`) - 1));
        for (const item of candidates) {
          const value = memberOf(item.members, name);
          if (item.collection !== collection || value === undefined) continue;
          if (item.parents.length !== depth - 1) continue;
          return Object.fromEntries(
            [...item.parents, value].map((one, index) => [names[index]!, one]),
          );
        }
      }
      return {};
    },
    named(name) {
      const [, noun = "", member = ""] = /^(.+?)_?-?(id|uuid|name|slug|key)$/i.exec(name) ?? [];
      const isOf = ({ collection }: Item) =>
        noun !== "" && plain(collection.split("/").at(-1)!).startsWith(plain(noun));
      return items.filter(isOf).map(({ members }) => memberOf(members, member))
        .find((value) => value !== undefined);
    },
  };
}

/** The collection that a path lists or has an item of, and the parameter of that item. */
function placeOf(path: string): { collection: string; parameter: string | undefined } {
  const whole = path.replace(/\/$/, "");
  const [, before = whole, parameter] = /^(.*)\/\{([^}/]+)\}$/.exec(whole) ?? [];
  return { collection: bare(before.replace(LISTS, "")), parameter };
}

function bare(path: string): string {
  return path.replace(/\{[^}]+\}/g, "{}");
}

function valuesIn(template: string, path: string): string[] {
  const pattern = template.split(/\{[^}]+\}/).map(RegExp.escape).join("([^/]+)");
  return (new RegExp(`^${pattern}$`).exec(path) ?? []).slice(1).map(decodeURIComponent);
}

/** The object in an envelope, such as `{"data": {…}}`; any other value as it is. */
function unwrapped(value: unknown): unknown {
  if (!isObject(value) || Object.keys(value).some((name) => NAMING.test(name))) return value;
  return [value["data"], value["result"], value["item"]].find(isObject) ?? value;
}

/** An object of an answer, or the objects of its lists. */
function objectsIn(value: unknown): JsonObject[] {
  if (Array.isArray(value)) return value.filter(isObject).slice(0, MOST);
  if (!isObject(value)) return [];
  return [
    value,
    ...Object.values(value).flatMap((one) => Array.isArray(one) ? objectsIn(one) : []),
  ];
}

/** The member that a parameter names: itself, or `id` for `flow_id` and `flowId`. */
function memberOf(members: JsonObject, parameter: string): Json | undefined {
  const short = NAMING.exec(parameter)?.[1]?.toLowerCase() ?? "";
  const others = short === "identifier" ? ["id", "uuid", "slug"] : [short];
  const wanted = [plain(parameter), ...others];
  for (const name of wanted) {
    const found = Object.entries(members).find(([key]) => plain(key) === name)?.[1];
    if (typeof found === "string" || typeof found === "number") return found;
  }
  return undefined;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, "");
}
