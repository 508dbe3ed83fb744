/**
 * @module What makes one request unlike the next: in a path, header or body `NNNNNNNNN` stands for a
 * number that no other request has; in a header `CLIENT` for an address of its own, and `CLIENT100`
 * for one of a hundred that take turns. `lua.ts` does the same for wrk.
 */

import type { RawRequest } from "./raw_http.ts";

/** A slice of load, for the program that makes it. */
export interface LoadOrder {
  readonly port: number;
  /** By turns. */
  readonly requests: readonly RawRequest[];
  readonly connections: number;
  /** The first of the numbers that no other request has. */
  readonly firstNumber: number;
}

const PLACES = /N{9}|CLIENT(\d*)/g;

/** Whether anything has to be filled in. */
export function isVaried(request: RawRequest): boolean {
  return JSON.stringify(request).search(PLACES) >= 0;
}

/** The n-th request, from 0 to 999,999,999. */
export function filled(request: RawRequest, n: number): RawRequest {
  function fill(text: string): string {
    return text.replaceAll(
      PLACES,
      (place, turns) =>
        place.startsWith("N") ? String(n).padStart(9, "0") : address(turns === "" ? n : n % turns),
    );
  }
  return {
    method: request.method,
    path: fill(request.path),
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, fill(value)]),
    ),
    body: request.body === undefined ? undefined : fill(request.body),
  };
}

/** IPv4, unlike any other for 3.3 billion numbers. */
function address(n: number): string {
  return [11 + Math.floor(n / 2 ** 24) % 200, n >> 16 & 255, n >> 8 & 255, n & 255].join(".");
}
