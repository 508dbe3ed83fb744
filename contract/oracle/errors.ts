/**
 * @module What no document can say of errors: one shape everywhere below a prefix, codes that fit
 * their status, words in every one, and nothing of the request in any.
 */

import { jsonOf } from "../exchange.ts";
import { at, type Profile } from "../profile.ts";
import {
  type Case,
  type Check,
  type Contract,
  isBodiless,
  isUnderErrors,
  mediaTypeOf,
} from "./check.ts";

/** A shorter word may be in a response by chance. */
const SHORTEST_MARKER = 6;

/**
 * An error that the profile has rules for, and those rules; its body is undefined where it is no
 * JSON.
 */
function errorOf(exchange: Case, contract: Contract) {
  const rules = contract.profile.errors;
  const { answer } = exchange;
  const isRuled = answer.status >= 400 && isUnderErrors(exchange, contract) &&
    !isBodiless(exchange);
  return isRuled && rules !== undefined ? { body: jsonOf(answer), rules } : undefined;
}

/**
 * What is wrong with the body of an error, a line each: its shape, and members that say nothing.
 */
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
    ...schemas.component(rules.schema)(body),
    ...empty.map((pointer) => `there is nothing at ${pointer}`),
  ];
}

export const errorShape: Check = {
  name: "error_shape",
  rule: "every error has the one documented shape, as JSON, whatever was accepted",
  judge(exchange, contract) {
    const error = errorOf(exchange, contract);
    if (error === undefined) return [];
    const { status, headers } = exchange.answer;
    if (mediaTypeOf(headers) !== "application/json") {
      return [`the error ${status} is ${mediaTypeOf(headers) || "of no media type"}, not JSON`];
    }
    return shapeFaults(error.body, { rules: error.rules, schemas: contract.schemas })
      .map((fault) => `the error ${status}: ${fault}`);
  },
};

export const errorCode: Check = {
  name: "error_code",
  rule: "an error's code is one of those that belong to its status",
  judge(exchange, contract) {
    const error = errorOf(exchange, contract);
    if (error === undefined) return [];
    const { status } = exchange.answer;
    const code = at(error.body, error.rules.code);
    if (error.rules.codes[String(status)]?.includes(String(code))) return [];
    return [`the error ${status} has the code ${JSON.stringify(code)}`];
  },
};

/** A TRACE is there to come back (RFC 9110 §9.3.8). */
export const noEcho: Check = {
  name: "no_echo",
  rule: "nothing of a request comes back in an error, neither in its body nor in a header",
  judge({ call, answer, markers = [] }) {
    if (answer.status < 400 || call.method === "TRACE") return [];
    const received = `${answer.text}\n${[...answer.headers].flat().join("\n")}`;
    return markers
      .filter((marker) => marker.length >= SHORTEST_MARKER && received.includes(marker))
      .map(() => `the error ${answer.status} repeats what was sent`);
  },
};

/** A status from 500 on is a fault unless the document lists it. */
export const noServerError: Check = {
  name: "no_server_error",
  rule: "nothing that a client sends makes the service fail",
  judge({ answer, operation }) {
    const isDocumented = operation?.responses.some(({ status }) =>
      status === String(answer.status)
    );
    return answer.status >= 500 && !isDocumented ? [`status ${answer.status}`] : [];
  },
};
