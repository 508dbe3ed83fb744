/**
 * @module Counts how often each tier has seen each documented status of each operation. A status that
 * was never seen is a finding.
 */

import { type ApiDocument, responseFor } from "../document/document.ts";
import { type Exchange, pathOf } from "../lib/exchange.ts";

export interface Cell {
  readonly operation: string;
  readonly status: string;
  /** How often, by tier. */
  readonly seen: ReadonlyMap<string, number>;
  /** Why this run need not see it. */
  readonly exempt: string | undefined;
}

export interface Coverage {
  count(exchange: Exchange): void;
  cells(): readonly Cell[];
  /** How many operations have accepted a request. */
  accepted(): number;
}

/** @param exempt why a status of an operation need not be seen; undefined if it must be */
export function createCoverage(
  document: ApiDocument,
  exempt: (operation: string, status: string) => string | undefined,
): Coverage {
  const cells = document.operations.flatMap(({ id, responses }) =>
    responses.map(({ status }) => {
      const seen = new Map<string, number>();
      return { operation: id, status, seen, exempt: exempt(id, status) };
    })
  );
  const accepted = new Set<string>();
  return {
    accepted: () => accepted.size,
    count({ call, answer, tier }) {
      const path = pathOf(call);
      // A 405 counts for every documented operation of its path.
      const operations = answer.status === 405
        ? document.operationsAt(path)
        : [document.operationOf(call.method, path)].filter((one) => one !== undefined);
      for (const operation of operations) {
        if (answer.status < 300 && call.method === operation.method) accepted.add(operation.id);
        // A 201 is the documented 201, or else 2XX, or else default.
        const status = responseFor(operation, answer.status)?.status;
        const cell = cells.find((one) => one.operation === operation.id && one.status === status);
        cell?.seen.set(tier, (cell.seen.get(tier) ?? 0) + 1);
      }
    },
    cells: () => cells,
  };
}
