/** @module Checks that the API's routes are the operations of its document, and the other way round. */

import type { Config } from "../config/config.ts";
import { openApiDocument } from "../schemas/openapi.ts";
import { createAppWithoutLeads } from "./app_without_leads.ts";

const ROUTES = "routes/app.ts";

/** Each problem as `FILE:LINE: message`. */
export async function operationProblems(config: Config): Promise<string[]> {
  const { routes } = await createAppWithoutLeads(config);
  const { paths } = openApiDocument(config) as { readonly paths: Record<string, object> };
  const source = await Deno.readTextFile(new URL(`../${ROUTES}`, import.meta.url));
  return problemsOfRoutes(routes, { paths, source });
}

/** @param options.source the text of the file with the routes, for their lines */
export function problemsOfRoutes(
  routes: readonly { readonly method: string; readonly path: string }[],
  { paths, source }: { readonly paths: Readonly<Record<string, object>>; readonly source: string },
): string[] {
  const documented = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`)
  );
  const routed = routes.filter(({ path }) => path.startsWith("/api/") || path in paths)
    .map(({ method, path }) => `${method} ${path}`);
  const lines = source.split("\n");
  const at = (text: string) => `${ROUTES}:${lines.findIndex((line) => line.includes(text)) + 1}`;
  return [
    ...new Set(documented).difference(new Set(routed)).values().map((one) =>
      `${at("// API")}: the operation ${one} of schemas/operations/ has no route here`
    ),
    ...new Set(routed).difference(new Set(documented)).values().map((one) =>
      `${at(`"${one.split(" ")[1]}"`)}: ${one} is no operation of schemas/operations/`
    ),
  ];
}
