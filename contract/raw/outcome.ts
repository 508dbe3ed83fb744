/** @module What a row wants, and whether the answers on a connection are it. */

import { jsonOf } from "../exchange.ts";
import { mediaTypeOf } from "../oracle/check.ts";
import { at } from "../pointer.ts";
import type { WireAnswer } from "./answers.ts";

/**
 * The state of the connection at the end. `good`: it accepts another request (default). `any`: that
 * is left to the server (default of rows for any service).
 */
export type Ending = keyof typeof ENDS;

const ENDS = {
  good: [],
  any: [],
  closed: ["a closed connection"],
  open: ["an open connection"],
  http2: ["HTTP/2"],
} as const;

/** One possible outcome of a row. */
export interface Want {
  readonly answers: readonly {
    /** A number, a class or a name. */
    readonly status: string;
    /** An error code, or a media type. */
    readonly word: string | undefined;
  }[];
  readonly ending: Ending;
}

/** The answers to one part of a row. */
export interface Turn {
  readonly answers: readonly WireAnswer[];
  readonly ending: Ending;
  /** The first syntax error in the answers. */
  readonly fault: string | undefined;
}

/** The JSON Pointer to an error's code; undefined without codes. */
export type CodePointer = string | undefined;

const STATUS = /^([1-5]\d\d|[1-5x]xx|usual|unknown)(?: (\S+))?$/;

/** Parses `want` into its alternatives. */
export function readWant(text: string, wrong: (message: string) => void): Want[] {
  return text.split("|").map((outcome) => {
    const items = outcome.split(",").map((item) => item.trim());
    const last = items.at(-1) ?? "";
    const isEnding = last === "closed" || last === "open" || last === "http2";
    const answers = (isEnding ? items.slice(0, -1) : items).map((item) => {
      const [, status, word] = STATUS.exec(item) ?? [];
      if (status === undefined) wrong(`${JSON.stringify(item)} is not a valid outcome`);
      return { status: status ?? "", word };
    });
    return { answers, ending: isEnding ? last : "good" };
  });
}

/** Whether these are the first answers of an outcome, and how many it has. */
function begins({ answers: wanted }: Want, answers: Turn["answers"], code: CodePointer): boolean {
  return answers.length <= wanted.length && answers.every((answer, index) => {
    const { status, word } = wanted[index]!;
    return new RegExp(`^${status.replaceAll("x", "\\d")}$`).test(String(answer.status)) &&
      (word === undefined || wordsOf(answer, code).includes(word));
  });
}

/** The outcomes that these answers are, or may become with more answers. */
export function outcomesOf(
  wants: readonly Want[],
  answers: Turn["answers"],
  code: CodePointer,
): { readonly whole: readonly Want[]; readonly possible: readonly Want[] } {
  const possible = wants.filter((want) => begins(want, answers, code));
  return { possible, whole: possible.filter((want) => want.answers.length === answers.length) };
}

export function isWanted(
  wants: readonly Want[],
  { answers, ending }: Pick<Turn, "answers" | "ending">,
  code: CodePointer,
): boolean {
  return outcomesOf(wants, answers, code).whole
    .some((want) => want.ending === "any" || want.ending === ending);
}

/** The words by which rows name an answer: its error code and its media type. */
function wordsOf(answer: WireAnswer, code: CodePointer): string[] {
  const type = mediaTypeOf(answer.headers);
  const isCoded = type === "application/json" && code !== undefined;
  const word = isCoded ? at(jsonOf(answer), code) : undefined;
  return typeof word === "string" ? [word, type] : [type];
}

/** What was received, in words. */
export function turnText({ answers, ending }: Turn, code: CodePointer): string {
  const items = answers.map((answer) => `${answer.status} ${wordsOf(answer, code)[0]}`.trim());
  return inTurn(items, ending);
}

/** Outcomes in words, without those without an answer if there are others. */
export function wantText(wants: readonly Want[]): string {
  const answered = wants.filter(({ answers }) => answers.length > 0);
  return (answered.length > 0 ? answered : wants).map(({ answers, ending }) => {
    const items = answers.map(({ status, word = "" }) =>
      `${status === "xxx" ? "one answer" : status} ${word}`.trim()
    );
    return inTurn(items, ending);
  }).join(" or ");
}

function inTurn(items: readonly string[], ending: Ending): string {
  return [...items, ...ENDS[ending]].join(", then ") || "no answer";
}
