/** @module The servers of a document. */

import { type ApiDocument, arrayOf, objectOf } from "../document.ts";

/** The paths of the servers, without trailing slash, their variables replaced by the defaults. */
export function serverPaths({ value }: Pick<ApiDocument, "value">): string[] {
  const paths = arrayOf(value["servers"]).map(objectOf).flatMap(({ url, variables }) => {
    const filled = String(url ?? "/").replace(
      /\{([^{}]*)\}/g,
      (_, name: string) => String(objectOf(objectOf(variables)[name])["default"] ?? ""),
    );
    const { pathname } = URL.parse(filled, "http://document.invalid/") ?? {};
    return pathname === undefined ? [] : [pathname.replace(/\/+$/, "")];
  });
  return [...new Set(paths)];
}
