/** @module Counts how often each tier has seen each documented status of each operation. */

import { type ApiDocument, type Operation, responseFor } from "../document/document.ts";
import { type Exchange, pathOf } from "../lib/exchange.ts";

export interface Cell {
  readonly operation: string;
  readonly status: string;
  /** How often, by tier. */
  readonly seen: Map<string, number>;
  /** Why this run need not see it. */
  readonly exempt: string | undefined;
}

export class Coverage {
  readonly cells: readonly Cell[];
  /** Operations that have accepted a request. */
  readonly accepted = new Set<string>();

  /** @param exempt why a status of an operation need not be seen; undefined if it must be */
  constructor(
    readonly document: ApiDocument,
    exempt: (operation: Operation, status: string) => string | undefined,
  ) {
    this.cells = document.operations.flatMap((one) =>
      one.responses.map(({ status }) => {
        return { operation: one.id, status, seen: new Map(), exempt: exempt(one, status) };
      })
    );
  }

  count({ call, answer, tier }: Exchange): void {
    const path = pathOf(call);
    // A 405 counts for every documented operation of its path.
    const operations = answer.status === 405
      ? this.document.operationsAt(path)
      : [this.document.operationOf(call.method, path)].filter((one) => one !== undefined);
    for (const operation of operations) {
      const { id } = operation;
      if (answer.status < 300 && call.method === operation.method) this.accepted.add(id);
      // A 201 is the documented 201, or else 2XX, or else default.
      const status = responseFor(operation, answer.status)?.status;
      const cell = this.cells.find((one) => one.operation === id && one.status === status);
      cell?.seen.set(tier, (cell.seen.get(tier) ?? 0) + 1);
    }
  }
}
