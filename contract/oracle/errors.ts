/**
 * @module Rules for errors that no document can express: one shape below a prefix, codes that belong
 * to the status, no empty texts, and no repetition of the request.
 */

import { responseFor } from "../document.ts";
import { jsonOf, pathOf } from "../exchange.ts";
import { at } from "../pointer.ts";
import type { Profile } from "../profile.ts";
import { type Case, type Checks, type Contract, isBodiless, mediaTypeOf } from "./check.ts";

/** A shorter word may occur in an answer by chance. */
const SHORTEST_MARKER = 6;

/** The parsed body of an error that the profile has rules for, with those rules. */
function errorOf(exchange: Case, { profile: { errors: rules } }: Contract) {
  const { call, answer } = exchange;
  if (rules === undefined || answer.status < 400 || isBodiless(exchange)) return undefined;
  if (answer.isCut === true) return undefined;
  // `/api` counts as under `/api/`.
  const isUnder = `${pathOf(call)}/`.startsWith(rules.under);
  return isUnder ? { body: jsonOf(answer), rules } : undefined;
}

/** The faults in an error's body, one line each: its shape, and empty members. */
export function shapeFaults(
  body: unknown,
  { rules, schemas }: {
    readonly rules: NonNullable<Profile["errors"]>;
    readonly schemas: Contract["schemas"];
  },
): string[] {
  const empty = rules.not_empty.filter((pointer) => {
    const value = at(body, pointer);
    return typeof value !== "string" || value.trim() === "";
  });
  return [
    ...schemas.of({ $ref: `#/components/schemas/${rules.schema}` })(body),
    ...empty.map((pointer) => `${pointer} is empty`),
  ];
}

export const ERROR_CHECKS: Checks = {
  error_shape(exchange, contract) {
    const error = errorOf(exchange, contract);
    if (error === undefined) return undefined;
    const { status, headers } = exchange.answer;
    const type = mediaTypeOf(headers);
    if (type !== "application/json") {
      return `the error ${status} is ${type || "of no media type"}, not JSON`;
    }
    return shapeFaults(error.body, { rules: error.rules, schemas: contract.schemas })
      .map((fault) => `the error ${status}: ${fault}`);
  },
  error_code(exchange, contract) {
    const error = errorOf(exchange, contract);
    if (error === undefined) return undefined;
    const { status } = exchange.answer;
    const code = at(error.body, error.rules.code);
    const rule = exchange.operation && responseFor(exchange.operation, status);
    const documented = rule?.content.flatMap(({ examples }) => examples)
      .map((example) => at(example, error.rules.code)) ?? [];
    const isKnown = [...documented, ...error.rules.codes[String(status)] ?? []].includes(code);
    return isKnown ? undefined : `the error ${status} has the code ${JSON.stringify(code)}`;
  },
  /** Except TRACE, whose answer repeats the request by definition (RFC 9110 §9.3.8). */
  no_echo({ call, answer, markers = [] }) {
    if (answer.status < 400 || call.method === "TRACE") return undefined;
    const received = `${answer.text}\n${[...answer.headers].flat().join("\n")}`;
    return markers
      .filter((marker) => marker.length >= SHORTEST_MARKER && received.includes(marker))
      .map(() => `the error ${answer.status} repeats what was sent`);
  },
};
