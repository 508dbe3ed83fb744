/**
 * @module The oracle: checks every exchange of every tier against every rule. Rules that compare
 * several exchanges are in the tiers.
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

/** All rules, in the order of their findings. */
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

/** The operation id, or method and path if there is none. */
export function placeOf({ call }: Pick<Exchange, "call">, { document }: Contract): string {
  const path = pathOf(call);
  const operation = document.operationOf(call.method, path);
  return operation !== undefined && call.method === operation.method
    ? operation.id
    : `${call.method} ${path}`;
}
