/**
 * @module Counts how often each tier has seen each documented status of each operation. A status that
 * was never seen is a finding.
 */

import { type ApiDocument, responseFor } from "./document.ts";
import { type Exchange, pathOf } from "./exchange.ts";

export interface Cell {
  readonly operation: string;
  readonly status: string;
  readonly seen: ReadonlyMap<string, number>;
  /** Why this run need not see it. */
  readonly exempt: string | undefined;
}

export interface Matrix {
  count(exchange: Exchange): void;
  cells(): Cell[];
}

/**
 * Creates an empty matrix.
 * @param exempt why a status of an operation need not be seen; undefined if it must be
 */
export function createMatrix(
  document: ApiDocument,
  exempt: (operation: string, status: string) => string | undefined,
): Matrix {
  const counts = new Map<string, Map<string, number>>();
  const key = (operation: string, status: string) => `${operation} ${status}`;
  /** A 405 counts for every documented operation of its path. */
  function operationsOf({ call, answer }: Exchange) {
    const path = pathOf(call);
    if (answer.status === 405) return document.operationsAt(path);
    const operation = document.operationOf(call.method, path);
    return operation === undefined ? [] : [operation];
  }
  return {
    count(exchange) {
      for (const operation of operationsOf(exchange)) {
        // A 201 is the documented 201, or else 2XX, or else default.
        const documented = responseFor(operation, exchange.answer.status);
        if (documented === undefined) continue;
        const cell = key(operation.id, documented.status);
        const tiers = counts.get(cell) ?? new Map<string, number>();
        tiers.set(exchange.tier, (tiers.get(exchange.tier) ?? 0) + 1);
        counts.set(cell, tiers);
      }
    },
    cells: () =>
      document.operations.flatMap(({ id, responses }) =>
        responses.map(({ status }) => ({
          operation: id,
          status,
          seen: counts.get(key(id, status)) ?? new Map(),
          exempt: exempt(id, status),
        }))
      ),
  };
}
