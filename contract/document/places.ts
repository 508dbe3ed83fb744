/** @module Where the objects of a document are, and what the references of its schemas refer to. */

import { type ApiDocument, isObject, type JsonObject } from "../document.ts";
import { follow, pointer } from "../pointer.ts";

export interface Places {
  /** The JSON Pointer of an object of the document; empty for any other. */
  of(node: object): string;
  /** Every object and array of the document, once. */
  readonly nodes: Iterable<object>;
  /** What a reference in a schema refers to; a text says why there is nothing. */
  target(node: JsonObject, reference: string): JsonObject | boolean | string;
  /** Whether a schema has `unevaluatedItems` or `unevaluatedProperties`. */
  readonly unevaluated: boolean;
}

const BASE = "https://document.invalid/";

export function placesOf({ value: root }: Pick<ApiDocument, "value">): Places {
  const parents = new Map<object, readonly [parent: object, name: string]>();
  const resources = new Map<string, JsonObject>([[BASE, root]]);
  const anchors: (readonly [name: string, node: JsonObject])[] = [];
  let unevaluated = false;
  const seen = new Set<object>([root]); // YAML aliases: one object in several places
  for (const node of seen) {
    for (const [name, child] of Object.entries(node)) {
      unevaluated ||= name.startsWith("unevaluated");
      if (typeof child !== "object" || child === null || seen.has(child)) continue;
      parents.set(child, [node, name]);
      seen.add(child);
    }
    if (!isObject(node)) continue;
    const { $id, $anchor, $dynamicAnchor } = node;
    if (typeof $id === "string") resources.set(uriOf(node), node);
    for (const name of [$anchor, $dynamicAnchor]) {
      if (typeof name === "string") anchors.push([name, node]);
    }
  }

  /** The schema with an `$id` that a schema belongs to, else the document (Core §8.2.1). */
  function resourceOf(node: object): JsonObject {
    for (let at: object | undefined = node; at !== undefined; at = parents.get(at)?.[0]) {
      if (isObject(at) && typeof at["$id"] === "string") return at;
    }
    return root;
  }
  function uriOf(resource: JsonObject): string {
    const parent = parents.get(resource)?.[0];
    const base = parent === undefined ? BASE : uriOf(resourceOf(parent));
    return resource === root ? BASE : (URL.parse(String(resource["$id"]), base)?.href ?? base);
  }
  return {
    unevaluated,
    nodes: seen,
    of(node) {
      const names: string[] = [];
      for (let at = parents.get(node); at !== undefined; at = parents.get(at[0])) names.push(at[1]);
      return pointer(...names.reverse());
    },
    target(node, reference) {
      const [file, fragment = ""] = reference.split("#", 2);
      const own = resourceOf(node);
      const uri = file === "" ? undefined : URL.parse(file!, uriOf(own))?.href;
      const resource = file === "" ? own : resources.get(uri ?? "");
      if (resource === undefined) return `${reference} is outside the document`;
      const found = fragment === "" || fragment.startsWith("/")
        // A pointer is often meant from the document, also below an `$id`.
        ? follow(resource, fragment) ?? follow(root, fragment)
        : anchors.find(([name, at]) => name === fragment && resourceOf(at) === resource)?.[1];
      if (typeof found === "boolean" || isObject(found)) return found;
      return `${reference} ${found === undefined ? "does not exist" : "is not a schema"}`;
    },
  };
}
