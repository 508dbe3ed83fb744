/** @module Handlers by path that are known only with the first request, such as what lies in files. */

import { type PathTable, pathTable } from "./path_table.ts";
import { once } from "./prebuilt.ts";
import type { Handler } from "./resource.ts";

/**
 * One handler for all paths of a table that is loaded with the first request; from then on no promise
 * stands between a request and its handler.
 *
 * @param options.otherwise answers for a path that is not in the table
 */
export function lazyTable(
  build: () => Promise<ReadonlyMap<string, Handler>>,
  { otherwise }: { readonly otherwise: Handler },
): Handler {
  const load = once(async () => pathTable(await build()));
  let table: PathTable<Handler> | undefined;
  function find(loaded: PathTable<Handler>, path: string): Handler {
    return loaded(path) ?? otherwise;
  }
  return (request, context) =>
    table === undefined
      ? load().then((loaded) => find(table = loaded, context.path)(request, context))
      : find(table, context.path)(request, context);
}
