/**
 * @module Makes a case ready to be measured: a client is brought over its limit where the case is
 * about that, the service's answer is taken down, and the floor is given the same answer to give.
 */

import type { Case } from "./cases.ts";
import type { FloorAnswer } from "./floor.ts";
import { filled } from "./placeholders.ts";
import { ask, type RawAnswer, type RawRequest } from "./raw_http.ts";

/** Set by Deno itself, or by the connection. */
const NOT_OURS = new Set(["date", "connection", "content-length"]);

/** Numbers for requests sent here, below those of any slice of load. */
let number = 0;

/** What is sent, and what is answered. */
export interface Prepared {
  readonly request: RawRequest;
  readonly answer: RawAnswer;
}

/** @throws {Error} if the service at `port` does not answer as the case says */
export async function prepare(one: Case, port: number): Promise<Prepared> {
  let request: RawRequest = {
    method: one.method ?? "GET",
    path: one.path,
    headers: one.headers ?? {},
    body: one.body,
  };
  for (let n = 0; n < (one.exhausting ?? 0); n++) await ask(port, filled(request, number++));
  if (one.conditional) {
    const { headers } = await ask(port, request);
    const [, etag] = headers.find(([name]) => name === "etag") ?? [];
    if (etag === undefined) throw new Error(`Cannot measure ${one.name}: there is no entity tag`);
    request = { ...request, headers: { ...request.headers, "if-none-match": etag } };
  }
  const answer = await ask(port, filled(request, number++));
  if (answer.status !== one.status) {
    throw new Error(`Cannot measure ${one.name}: answered ${answer.status}, not ${one.status}`);
  }
  if (one.says !== undefined && !new TextDecoder().decode(answer.body).includes(one.says)) {
    throw new Error(`Cannot measure ${one.name}: the answer does not say ${one.says}`);
  }
  return { request, answer };
}

/** The same answer, for the floor to give. */
export function floorAnswer({ status, headers, body }: RawAnswer): FloorAnswer {
  return {
    status,
    headers: Object.fromEntries(headers.filter(([name]) => !NOT_OURS.has(name))),
    body: body.byteLength === 0 ? null : body.toBase64(),
  };
}

/** Whether two answers are the same but for the date: status, header lines in any order, bytes. */
export function isSame(one: RawAnswer, other: RawAnswer): boolean {
  return comparable(one) === comparable(other);
}

function comparable({ status, headers, body }: RawAnswer): string {
  const lines = headers.filter(([name]) => name !== "date").map((line) => line.join(": ")).sort();
  return [status, ...lines, body.toBase64()].join("\n");
}
