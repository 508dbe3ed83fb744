/** @module Whether the answers to a row are what it wants, and every deviation of a server from it. */

import { jsonOf } from "../../lib/exchange.ts";
import { headerMismatches, mediaTypeOf } from "../../oracle/check.ts";
import { at } from "../../lib/json.ts";
import type { WireAnswer } from "./answers.ts";
import type { RawRow, Want } from "./rows.ts";
import type { Problem } from "../../document/document.ts";
import { declareRules, type RuleName } from "../../lib/rules.ts";

const RULES = declareRules({
  raw: "breach: unusual messages get an answer that HTTP permits (RFC 9110, RFC 9112)",
  raw_advice: "advice: unusual messages get the answer that HTTP advises (RFC 9110, RFC 9112)",
});

const ENDS: Readonly<Record<Want["ending"], readonly string[]>> = {
  good: [],
  any: [],
  closed: ["a closed connection"],
  open: ["an open connection"],
};

/** An answer with the words by which rows name it: its error code and its media type. */
export interface NamedAnswer extends WireAnswer {
  readonly words: readonly string[];
}

export interface Turn {
  readonly answers: readonly NamedAnswer[];
  readonly ending: Want["ending"];
  readonly problem: string | undefined;
}

export interface Received extends Turn {
  /** From the first byte sent to the last answer, in milliseconds. */
  readonly ms: number;
  /** The outcome of another request; undefined if none was sent. */
  readonly next: Turn | undefined;
}

/** @param code the JSON Pointer to an error's code, if errors have codes */
export function namedAnswer(answer: WireAnswer, code: string | undefined): NamedAnswer {
  const type = mediaTypeOf(answer.headers);
  const word = code && type === "application/json" ? at(jsonOf(answer), code) : undefined;
  return { ...answer, words: typeof word === "string" ? [word, type] : [type] };
}

/** The outcomes that these answers are, or may become with more answers. */
export function possibleWants(wants: readonly Want[], answers: Turn["answers"]): Want[] {
  return wants.filter(({ answers: wanted }) =>
    answers.length <= wanted.length && answers.every(({ status, words }, index) => {
      const [code = "", word = words[0]!] = wanted[index]!.split(" ");
      return new RegExp(code.replaceAll("x", "\\d")).test(String(status)) && words.includes(word);
    })
  );
}

export function isWanted(wants: readonly Want[], { answers, ending }: Turn): boolean {
  return possibleWants(wants, answers).some((want) =>
    want.answers.length === answers.length && (want.ending === "any" || want.ending === ending)
  );
}

function turnText({ answers, ending }: Turn): string {
  const items = answers.map(({ status, words }) => `${status} ${words[0]}`.trim());
  return [...items, ...ENDS[ending]].join(", then ") || "no answer";
}

/** Outcomes in words, without those without an answer if there are others. */
function wantText(wants: readonly Want[]): string {
  const answered = wants.filter(({ answers }) => answers.length > 0);
  return (answered.length > 0 ? answered : wants).map(({ answers, ending }) => {
    const items = answers.map((item) => item.replace("xxx", "one answer"));
    return [...items, ...ENDS[ending]].join(", then ");
  }).join(" or ");
}

/** A problem in statuses alone: to other services, media types and words tell nothing. */
function brief(problem: string): string {
  return problem.replaceAll(/\b(\d{3}) [\w-]+\/[\w.+-]+/g, "$1").replaceAll(", then ", ", ")
    .replaceAll("a closed connection", "closed").replaceAll("an open connection", "open");
}

/** A word in rows that no answer may repeat. */
const CANARY = "zz81";

type RowProblem = Pick<Problem, "check" | "message">;

export function rowProblems(row: RawRow, received: Received): RowProblem[] {
  const { want, should, rfc, so, lacks = "", seconds: [from] = [0] } = row;
  const isForAny = rfc !== undefined;
  const problems: RowProblem[] = [];
  function add(problem: string, check: RuleName = RULES.raw): void {
    problems.push({ check, message: isForAny ? `${so}: ${brief(problem)} (${rfc})` : problem });
  }
  const got = turnText(received);
  const instead = `got ${got} instead of ${wantText(should)}`;
  if (received.problem !== undefined) add(`${received.problem} (${got})`);
  else if (!isWanted(want, received)) add(instead);
  if (problems.length > 0) return problems;

  const { next, ms } = received;
  if (next?.problem !== undefined) add(`after it, ${next.problem}`);
  else if (next !== undefined && !isWanted(row.next, next)) {
    add(`a request after it got ${turnText(next)} instead of ${wantText(row.next)}`);
  }
  const finals = finalAnswers(received);
  const last = finals.at(-1);
  const headers = last?.headers ?? new Headers();
  headerMismatches(headers, row.gives).forEach((problem) => add(problem));
  if (lacks !== "" && headers.has(lacks)) add(`got ${got} with ${lacks}`);
  const isEcho = ({ text, fields }: WireAnswer) =>
    `${text}\n${fields.flat().join("\n")}`.includes(CANARY);
  if (finals.some(isEcho)) {
    add("an answer repeats the request", isForAny ? RULES.raw_advice : RULES.raw);
  }
  if (!isWanted(should, received)) add(instead, RULES.raw_advice);
  if (isForAny) return problems;

  const by = last === undefined || isOfPlatform(last) ? "platform" : "service";
  if (by !== row.by) add(`the ${by} answered, not the ${row.by}`);
  // A server with a clock must send Date (RFC 9110 §6.6.1).
  if (finals.some((answer) => !answer.headers.has("date"))) add("an answer has no Date");
  if (ms < from * 1_000) add(`answered before ${from} s`);
  return problems;
}

export function finalAnswers({ answers }: Pick<Turn, "answers">): NamedAnswer[] {
  return answers.filter(({ status }) => status >= 200);
}

/** Whether the server below the service refused the request. */
export function isOfPlatform({ status, headers, body }: WireAnswer): boolean {
  return status === 400 && body.length === 0 && !headers.has("content-type");
}
