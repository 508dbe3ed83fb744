/**
 * @module Sends the requests of a tier to its service, which may refuse connections for a moment, or
 * never answer one kind of request.
 */

import {
  EndedError,
  GoneError,
  REFUSED,
  send,
  type SendOptions,
  UnreachableError,
} from "./client.ts";
import type { Answer, Call } from "../lib/exchange.ts";

/** How often a request is sent to a service that refuses connections. */
const MAX_TRIES = 3;

const PAUSE_MS = 200;

/** So many requests may get no answer in time: of a kind, to an operation, and in a row. */
const MOST = { kind: 2, operation: 4, row: 8 };

/** Not sent, because others of its kind got no answer in time. */
export class SilentError extends UnreachableError {
  override readonly name = "SilentError";
}

export interface Sending extends Pick<SendOptions, "headers"> {
  readonly kind: readonly [operation: string, title: string];
}

/** @throws {GoneError} if the service accepts no more connections */
type Sender = (call: Call, sending: Sending) => Promise<Answer>;

export function createSender(base: string, options: SendOptions): Sender {
  const silent = new Map<string, number>();
  let inRow = 0;

  return async (call, { kind, headers = [] }) => {
    const [operation, exact] = [kind[0], kind.join("\n")];
    const isSilent = (key: string, most: number) => (silent.get(key) ?? 0) >= most;
    if (inRow >= MOST.row) {
      throw new EndedError("not finished: too many requests in a row got no answer in time");
    }
    if (isSilent(operation, MOST.operation) || isSilent(exact, MOST.kind)) {
      throw new SilentError("others of its kind got no answer in time", call);
    }
    for (let tries = 1;; tries++) {
      try {
        const answer = await send(base, call, { ...options, headers });
        inRow = 0;
        return answer;
      } catch (error) {
        if (!(error instanceof UnreachableError)) throw error;
        if (error.isTimeout) {
          inRow++;
          for (const key of [operation, exact]) silent.set(key, (silent.get(key) ?? 0) + 1);
        }
        if (error.reason !== REFUSED) throw error;
        if (tries === MAX_TRIES) throw new GoneError(error.message, call, error.reason);
        await new Promise((done) => setTimeout(done, PAUSE_MS));
      }
    }
  };
}
