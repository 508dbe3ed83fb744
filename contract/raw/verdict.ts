/** @module Compares the answers on a socket with the row that was sent. */

import type { Answer } from "../exchange.ts";
import { mediaTypeOf } from "../oracle/check.ts";
import { at } from "../profile.ts";
import type { WireAnswer } from "./answers.ts";
import { type Ending, type RawRow, type Want, wantText } from "./rows.ts";
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

/** How a server broke the rule of a row for any service. */
export interface Deviation {
  readonly check: "raw" | "raw_advice";
  readonly message: string;
}

/** The deviation of any server from a row with `rfc`; undefined if there is none. */
export function deviationOf(row: RawRow, received: Received): Deviation | undefined {
  const { want, should = want, rfc, so, lacks = "" } = row;
  const last = finalAnswers(received).at(-1);
  const got = outcomeText(received.answers.map(({ status }) => String(status)), received.ending);
  const deviation = (check: Deviation["check"], what: string) => ({
    check,
    message: `${what} (${rfc}): ${so}`,
  });
  // Without a wanted ending, a server may keep the connection or close it.
  const isOneOf = (wants: readonly Want[]) =>
    wants.some((outcome) =>
      (outcome.ending === "good" || outcome.ending === received.ending) &&
      matches(outcome, received.answers, undefined)
    );
  if (received.fault !== undefined) return deviation("raw", `${received.fault}, after ${got}`);
  if (!isOneOf(want)) return deviation("raw", `got ${got} instead of ${outcomesText(should)}`);
  if (last !== undefined && headersOf(last).has(lacks || "-")) {
    return deviation("raw", `got ${got} with ${lacks}`);
  }
  if (finalAnswers(received).some(isEcho)) return deviation("raw_advice", "got them back");
  return isOneOf(should)
    ? undefined
    : deviation("raw_advice", `got ${got} instead of ${outcomesText(should)}`);
}

/** Outcomes in words, without those that are no answer at all if there are others. */
function outcomesText(wants: readonly Want[]): string {
  const answered = wants.filter(({ answers }) => answers.length > 0);
  return (answered.length > 0 ? answered : wants)
    .map(({ answers, ending }) => outcomeText(answers.map(({ status }) => status), ending))
    .join(" or ");
}

function outcomeText(statuses: readonly string[], ending: Ending): string {
  const answers = statuses.map((status) => status === "xxx" ? "any answer" : status);
  const end = ending === "closed" ? ["a closed connection"] : [];
  return [...answers, ...end].join(" and then ") || "no answer";
}

export function rowFaults(row: RawRow, received: Received, code: CodePointer): string[] {
  const isWanted = (wants: readonly Want[], one: Pick<Received, "answers" | "ending">) =>
    wants.some((outcome) => outcome.ending === one.ending && matches(outcome, one.answers, code));
  if (received.fault !== undefined) {
    return [`${received.fault} (${formatReceived(received, code)})`];
  }
  if (!isWanted(row.want, received)) {
    return [`got ${formatReceived(received, code)} instead of ${wantText(row.want)}`];
  }
  const faults: string[] = [];
  const { next } = received;
  if (next?.fault !== undefined) faults.push(`after it, ${next.fault}`);
  else if (next !== undefined && !isWanted(row.next, next)) {
    faults.push(
      `a request after it got ${formatReceived(next, code)} instead of ${wantText(row.next)}`,
    );
  }
  const finals = finalAnswers(received);
  const last = finals.at(-1);
  const by = last === undefined || isOfPlatform(last) ? "platform" : "service";
  if (by !== row.by) faults.push(`the ${by} answered, not the ${row.by}`);
  for (const [name, value] of Object.entries(row.gives)) {
    const given = last === undefined ? null : headersOf(last).get(name);
    if (given !== value) faults.push(`${name} is ${given ?? "missing"} instead of ${value}`);
  }
  for (const answer of finals) {
    if (isEcho(answer)) faults.push("an answer repeats the request");
    // A server with a clock must send Date (RFC 9110 §6.6.1).
    if (headersOf(answer).get("date") === null) faults.push("an answer has no Date");
  }
  const [from] = row.seconds ?? [0];
  if (received.ms < from * 1_000) faults.push(`answered before ${from} s`);
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
  return [...items, ...(ending === "good" ? [] : [ending])].join(", ") || "nothing";
}

function headersOf({ fields }: WireAnswer): Headers {
  return new Headers(fields.map(([name, value]) => [name, value]));
}
