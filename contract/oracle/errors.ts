/**
 * @module What no document can say of errors: one shape everywhere below a prefix, codes that fit
 * their status, words in every one, and nothing of the request in any.
 */

import { at } from "../profile.ts";
import {
  type Case,
  type Check,
  isBodiless,
  isUnderErrors,
  type Law,
  mediaTypeOf,
} from "./check.ts";

const SHORTEST_MARKER = 6;

function errorOf(exchange: Case, law: Law): { readonly body: unknown } | undefined {
  if (exchange.answer.status < 400 || !isUnderErrors(exchange, law) || isBodiless(exchange)) {
    return undefined;
  }
  try {
    return { body: JSON.parse(exchange.answer.text) };
  } catch {
    return { body: undefined };
  }
}

export const errorShape: Check = {
  name: "error_shape",
  holds: "every error has the one documented shape, as JSON, whatever was accepted",
  judge(exchange, law) {
    const error = errorOf(exchange, law);
    const rules = law.profile.errors;
    if (error === undefined || rules === undefined) return [];
    const { status, headers } = exchange.answer;
    if (mediaTypeOf(headers) !== "application/json") {
      return [`the error ${status} is ${mediaTypeOf(headers) || "of no media type"}, not JSON`];
    }
    const faults = law.schemas.component(rules.schema)(error.body)
      .map((fault) => `the error ${status}: ${fault}`);
    const empty = rules.not_empty.filter((pointer) => {
      const value = at(error.body, pointer);
      return typeof value !== "string" || value.trim() === "";
    });
    return [...faults, ...empty.map((pointer) => `the error ${status} has nothing at ${pointer}`)];
  },
};

export const errorCode: Check = {
  name: "error_code",
  holds: "an error's code is one of those that belong to its status",
  judge(exchange, law) {
    const error = errorOf(exchange, law);
    const rules = law.profile.errors;
    if (error === undefined || rules === undefined) return [];
    const { status } = exchange.answer;
    const code = at(error.body, rules.code);
    if (rules.codes[String(status)]?.includes(String(code))) return [];
    return [`the error ${status} has the code ${JSON.stringify(code)}`];
  },
};

export const noEcho: Check = {
  name: "no_echo",
  holds: "nothing of a request comes back in an error, neither in its body nor in a header",
  judge({ call, answer, markers = [] }) {
    if (answer.status < 400 || call.method === "TRACE") return [];
    const heard = `${answer.text}\n${[...answer.headers].flat().join("\n")}`;
    return markers
      .filter((marker) => marker.length >= SHORTEST_MARKER && heard.includes(marker))
      .map(() => `the error ${answer.status} repeats what was sent`);
  },
};

export const noServerError: Check = {
  name: "no_server_error",
  holds: "nothing that a client sends makes the service fail",
  judge({ answer, operation }) {
    const isDocumented = operation?.responses.some(({ status }) =>
      status === String(answer.status)
    );
    return answer.status >= 500 && !isDocumented ? [`status ${answer.status}`] : [];
  },
};
