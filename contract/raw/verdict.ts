/** @module Compares the answers on a socket with the row that was sent. */

import type { WireAnswer } from "./answers.ts";
import { type CodePointer, isWanted, turnText, wantText } from "./outcome.ts";
import type { RawRow } from "./rows.ts";
import type { Received } from "./send_row.ts";

/** A word in rows that no answer may repeat. */
const CANARY = "zz81";

export interface RowFault {
  readonly check: "raw" | "raw_advice";
  readonly message: string;
}

/** Every deviation of a server from a row. */
export function rowFaults(row: RawRow, received: Received, code: CodePointer): RowFault[] {
  const { want, should = want, rfc, so, lacks = "" } = row;
  const meaning = rfc === undefined ? "" : ` (${rfc}): ${so}`;
  const fault = (message: string, check: RowFault["check"] = "raw") => ({
    check,
    message: message + meaning,
  });
  const got = turnText(received, code);
  if (received.fault !== undefined) return [fault(`${received.fault} (${got})`)];
  const instead = `got ${got} instead of ${wantText(should)}`;
  if (!isWanted(want, received, code)) return [fault(instead)];
  const faults: RowFault[] = [];
  const { next } = received;
  if (next?.fault !== undefined) faults.push(fault(`after it, ${next.fault}`));
  else if (next !== undefined && !isWanted(row.next, next, code)) {
    const seen = `${turnText(next, code)} instead of ${wantText(row.next)}`;
    faults.push(fault(`a request after it got ${seen}`));
  }
  const finals = finalAnswers(received);
  const last = finals.at(-1);
  const headers = last?.headers ?? new Headers();
  for (const [name, value] of Object.entries(row.gives)) {
    const given = headers.get(name);
    if (given !== value) faults.push(fault(`${name} is ${given ?? "missing"} instead of ${value}`));
  }
  if (lacks !== "" && headers.has(lacks)) faults.push(fault(`got ${got} with ${lacks}`));
  if (finals.some(isEcho)) {
    faults.push(fault("an answer repeats the request", rfc === undefined ? "raw" : "raw_advice"));
  }
  if (rfc !== undefined) {
    if (!isWanted(should, received, code)) faults.push(fault(instead, "raw_advice"));
    return faults;
  }
  const by = last === undefined || isOfPlatform(last) ? "platform" : "service";
  if (by !== row.by) faults.push(fault(`the ${by} answered, not the ${row.by}`));
  // A server with a clock must send Date (RFC 9110 §6.6.1).
  if (finals.some((answer) => !answer.headers.has("date"))) {
    faults.push(fault("an answer has no Date"));
  }
  const [from] = row.seconds ?? [0];
  if (received.ms < from * 1_000) faults.push(fault(`answered before ${from} s`));
  return faults;
}

function isEcho({ text, fields }: WireAnswer): boolean {
  return `${text}\n${fields.flat().join("\n")}`.includes(CANARY);
}

export function finalAnswers({ answers }: Pick<Received, "answers">): WireAnswer[] {
  return answers.filter(({ status }) => status >= 200);
}

/** Whether the server below the service refused the request. */
export function isOfPlatform({ status, headers, body }: WireAnswer): boolean {
  return status === 400 && body.length === 0 && !headers.has("content-type");
}
