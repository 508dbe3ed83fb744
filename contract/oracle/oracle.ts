/**
 * @module The oracle: every exchange of a run, whatever tier it is from, is held against every
 * rule. Rules judge one exchange; what compares several is in the tiers.
 */

import { type Exchange, pathOf } from "../exchange.ts";
import type { Finding } from "../finding.ts";
import type { Case, Check, Contract } from "./check.ts";
import {
  bodySchema,
  headersDocumented,
  mediaType,
  statusDocumented,
  successSays,
} from "./documented.ts";
import { errorCode, errorShape, noEcho, noServerError } from "./errors.ts";
import { allowOn405, notModified, retryAfter } from "./protocol.ts";

/** Every rule, in the order in which its findings are told. */
export const CHECKS: readonly Check[] = [
  noServerError,
  statusDocumented,
  mediaType,
  headersDocumented,
  bodySchema,
  successSays,
  errorShape,
  errorCode,
  noEcho,
  allowOn405,
  retryAfter,
  notModified,
];

export function judge(exchange: Exchange, contract: Contract): Finding[] {
  const path = pathOf(exchange.call);
  const { document } = contract;
  const seen: Case = {
    ...exchange,
    operation: document.operationOf(exchange.call.method, path),
    neighbours: document.operationsAt(path),
  };
  return CHECKS.flatMap((check) =>
    check.judge(seen, contract).map((message) => ({
      check: check.name,
      tier: exchange.tier,
      where: placeOf(exchange, contract),
      message,
      exchange,
    }))
  );
}

/** An operation id where there is one, else method and path. */
export function placeOf({ call }: Pick<Exchange, "call">, { document }: Contract): string {
  const path = pathOf(call);
  const operation = document.operationOf(call.method, path);
  return operation !== undefined && call.method === operation.method
    ? operation.id
    : `${call.method} ${path}`;
}
