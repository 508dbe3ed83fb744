/** @module The oracle: rules for single exchanges. Those that compare several are in the tiers. */

import { type Exchange, pathOf } from "../lib/exchange.ts";
import { ruleNamed } from "../lib/rules.ts";
import type { Finding } from "./finding.ts";
import { type Case, type Contract, ownProblems } from "./check.ts";
import { documentProblems, profileProblems } from "./documented.ts";
import { protocolProblems, statusProblems } from "./http.ts";

/** The findings in one exchange. A service that fails has one problem, whatever its answer looks like. */
export function judge(exchange: Exchange, contract: Contract): Finding[] {
  const path = pathOf(exchange.call);
  const seen: Case = {
    ...exchange,
    operation: contract.document.operationOf(exchange.call.method, path),
    neighbours: contract.document.operationsAt(path),
  };
  const where = placeOf(exchange, contract);
  const problems = {
    ...statusProblems(seen),
    ...documentProblems(seen, contract),
    ...profileProblems(seen, contract),
    ...protocolProblems(seen),
    ...ownProblems(exchange, contract.checks ?? new Map()),
  };
  const place = { tier: exchange.tier, where, exchange };
  const found = Object.entries(problems).flatMap(([check, messages]) =>
    [messages || []].flat().map((message) => ({ ...place, check: ruleNamed(check), message }))
  );
  const failure = found.find(isOfFailure);
  return failure === undefined ? found : [failure];
}

export function isFailure(exchange: Exchange, contract: Contract): boolean {
  return exchange.answer.status >= 500 && judge(exchange, contract).some(isOfFailure);
}

function isOfFailure({ check }: Finding): boolean {
  return check === "no_server_error" || check === "undecodable_survived";
}

/** The operation id, or method and path if there is none. */
export function placeOf({ call }: Pick<Exchange, "call">, { document }: Contract): string {
  const path = pathOf(call);
  const operation = document.operationOf(call.method, path);
  return operation !== undefined && call.method === operation.method
    ? operation.id
    : `${call.method} ${path}`;
}
