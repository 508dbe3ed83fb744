/**
 * @module Reads header fields and the query within bounds. With HPACK (RFC 7541) a client repeats four
 * kilobytes in one byte, so what a long field costs must not depend on what was sent for it.
 */

/** Characters of a field or a query; browsers send some 200. */
export const MAX_LENGTH = 1024;

/** Members of a list, or fields of a form. */
export const MAX_MEMBERS = 32;

/** A comma within quotes counts, too. */
const TOO_MANY_MEMBERS = new RegExp(`^(?:[^,]*,){${MAX_MEMBERS}}`);

/** The field, its lines joined by commas; undefined if it is absent or exceeds the bounds. */
export function fieldOf({ headers }: Pick<Request, "headers">, name: string): string | undefined {
  const field = headers.get(name) ?? undefined;
  if (field === undefined || field.length < 2 * MAX_MEMBERS) return field;
  return field.length > MAX_LENGTH || TOO_MANY_MEMBERS.test(field) ? undefined : field;
}

/** The query with its question mark; empty if it is absent or exceeds the bound. */
export function queryOf({ url }: Pick<Request, "url">): string {
  const start = url.indexOf("?");
  return start === -1 || url.length - start > MAX_LENGTH ? "" : url.slice(start);
}

/** The first value of a query parameter; undefined if it is absent. */
export function parameterOf(request: Pick<Request, "url">, name: string): string | undefined {
  const query = queryOf(request);
  return query === "" ? undefined : new URLSearchParams(query).get(name) ?? undefined;
}
