/** @module Compares the answers on a socket with the row that was sent. */

import type { Answer } from "../exchange.ts";
import { mediaTypeOf } from "../oracle/check.ts";
import { at } from "../profile.ts";
import type { WireAnswer } from "./answers.ts";
import { type Ending, outcomeText, type RawRow, type Want, wantText } from "./rows.ts";
import type { Received } from "./send_row.ts";

/** The JSON Pointer to an error's code; undefined without codes. */
type CodePointer = string | undefined;

/** A word in rows that no answer may repeat. */
const CANARY = "zz81";

export function matches(
  { answers: wanted }: Want,
  answers: readonly WireAnswer[],
  code: CodePointer,
): boolean {
  return wanted.length === answers.length && wanted.every(({ status, word }, index) => {
    const answer = answers[index]!;
    return statusPattern(status).test(String(answer.status)) &&
      (word === undefined || wordsOf(answer, code).includes(word));
  });
}

/** The row with names of statuses replaced. */
export function withNames(row: RawRow, names: Readonly<Record<string, string>>): RawRow {
  const named = (wants: readonly Want[]) =>
    wants.map((want) => ({
      ...want,
      answers: want.answers.map((one) => ({ ...one, status: names[one.status] ?? one.status })),
    }));
  const should = row.should === undefined ? {} : { should: named(row.should) };
  return { ...row, want: named(row.want), ...should };
}

function statusPattern(status: string): RegExp {
  return new RegExp(`^${status.replaceAll("x", "\\d")}$`);
}

export interface RowFault {
  readonly check: "raw" | "raw_advice";
  readonly message: string;
}

/** Every deviation of a server from a row. */
export function rowFaults(row: RawRow, received: Received, code: CodePointer): RowFault[] {
  const { want, should = want, rfc, so, next: wantNext, lacks = "" } = row;
  const isForAny = rfc !== undefined;
  const fault = (message: string, check: RowFault["check"] = "raw") => ({
    check,
    message: isForAny ? `${message} (${rfc}): ${so}` : message,
  });
  // Unless it has to close a connection, any server may do so or not.
  const isOneOf = (wants: readonly Want[], one: Pick<Received, "answers" | "ending">) =>
    wants.some((outcome) =>
      (outcome.ending === one.ending || (isForAny && outcome.ending === "good")) &&
      matches(outcome, one.answers, code)
    );
  const isKept = isForAny && received.ending === "open";
  const got = formatReceived(isKept ? { ...received, ending: "good" } : received, code);
  if (received.fault !== undefined) return [fault(`${received.fault} (${got})`)];
  if (!isOneOf(want, received)) return [fault(`got ${got} instead of ${wantText(should)}`)];
  const faults: RowFault[] = [];
  const { next } = received;
  if (next?.fault !== undefined) faults.push(fault(`after it, ${next.fault}`));
  else if (next !== undefined && !isOneOf(wantNext, next)) {
    const seen = `${formatReceived(next, code)} instead of ${wantText(wantNext)}`;
    faults.push(fault(`a request after it got ${seen}`));
  }
  const finals = finalAnswers(received);
  const last = finals.at(-1);
  const headers = last === undefined ? new Headers() : headersOf(last);
  for (const [name, value] of Object.entries(row.gives)) {
    const given = headers.get(name);
    if (given !== value) faults.push(fault(`${name} is ${given ?? "missing"} instead of ${value}`));
  }
  if (lacks !== "" && headers.has(lacks)) faults.push(fault(`got ${got} with ${lacks}`));
  if (finals.some(isEcho)) {
    faults.push(fault("an answer repeats the request", isForAny ? "raw_advice" : "raw"));
  }
  if (isForAny) {
    const advice = fault(`got ${got} instead of ${wantText(should)}`, "raw_advice");
    return isOneOf(should, received) ? faults : [...faults, advice];
  }
  const by = last === undefined || isOfPlatform(last) ? "platform" : "service";
  if (by !== row.by) faults.push(fault(`the ${by} answered, not the ${row.by}`));
  // A server with a clock must send Date (RFC 9110 §6.6.1).
  if (finals.some((answer) => headersOf(answer).get("date") === null)) {
    faults.push(fault("an answer has no Date"));
  }
  const [from] = row.seconds ?? [0];
  if (received.ms < from * 1_000) faults.push(fault(`answered before ${from} s`));
  return faults;
}

function isEcho(answer: WireAnswer): boolean {
  return `${asAnswer(answer, 0).text}\n${answer.fields.flat().join("\n")}`.includes(CANARY);
}

export function finalAnswers({ answers }: Pick<Received, "answers">): WireAnswer[] {
  return answers.filter(({ status }) => status >= 200);
}

/** Whether the server below the service refused the request. */
export function isOfPlatform({ status, fields, body }: WireAnswer): boolean {
  return status === 400 && body.length === 0 &&
    !fields.some(([name]) => name.toLowerCase() === "content-type");
}

/** Converts an answer for the oracle. */
export function asAnswer(answer: WireAnswer, ms: number): Answer {
  const { status, body } = answer;
  return { status, headers: headersOf(answer), body, text: new TextDecoder().decode(body), ms };
}

/** The words by which rows name an answer: its error code and its media type. */
function wordsOf(answer: WireAnswer, code: CodePointer): string[] {
  const type = mediaTypeOf(headersOf(answer));
  if (type !== "application/json" || code === undefined) return [type];
  try {
    const word = at(JSON.parse(new TextDecoder().decode(answer.body)), code);
    return typeof word === "string" ? [word, type] : [type];
  } catch {
    return [type];
  }
}

function formatReceived(
  { answers, ending }: { readonly answers: readonly WireAnswer[]; readonly ending: Ending },
  code: CodePointer,
): string {
  const items = answers.map((answer) => `${answer.status} ${wordsOf(answer, code)[0]}`.trim());
  return outcomeText(items, ending);
}

function headersOf({ fields }: WireAnswer): Headers {
  return new Headers(fields.map(([name, value]) => [name, value]));
}
