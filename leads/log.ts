/**
 * @module Structured log lines. What goes in is ids, counts and words of our own: never an address,
 * a message, an IP address or the text of an error from outside.
 */

import { LineWriter } from "./line_writer.ts";

/** What a line holds beside its event. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Writes one event. */
export interface Log {
  info(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  /** For what happens too often to have a line each: counted where metrics are on. */
  count(event: string, fields?: LogFields): void;
}

/** Where the process prints. */
export interface Output {
  info(text: string): void;
  error(text: string): void;
  /** Resolves when all is written; never while the pipe is full. */
  flush(): Promise<unknown>;
}

const stdout = new LineWriter(Deno.stdout, (lines) => line("info", "log.dropped", { lines }));
const stderr = new LineWriter(Deno.stderr, (lines) => line("error", "log.dropped", { lines }));

/** Standard output and error; a reader that stalls delays nothing but the lines. */
export const standardOutput: Output = {
  info: (text) => stdout.write(text),
  error: (text) => stderr.write(text),
  flush: () => Promise.all([stdout.flush(), stderr.flush()]),
};

/** For Deno Deploy, which collects its logs from `console` alone, and always reads. */
export const consoleOutput: Output = {
  // deno-lint-ignore no-console -- the platform's log
  info: (text) => console.log(text),
  // deno-lint-ignore no-console -- the platform's log
  error: (text) => console.error(text),
  flush: () => Promise.resolve(),
};

/** Logs one JSON object a line. */
export function createLog({ info, error }: Pick<Output, "info" | "error">): Log {
  return {
    info: (event, fields) => info(line("info", event, fields)),
    error: (event, fields) => error(line("error", event, fields)),
    count: () => {},
  };
}

function line(level: string, event: string, fields: LogFields = {}): string {
  return JSON.stringify({ time: new Date().toISOString(), level, event, ...fields });
}

/** An error whose message is in words of our own, so that it may be logged. */
export class ExplainedError extends Error {}

/**
 * Why something failed: the words of an {@link ExplainedError} or of one that is its cause. Of any
 * other error the class, and nothing of its text, which may quote a request; nor its `name`,
 * which anyone can set.
 */
export function errorName(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  if (error instanceof ExplainedError) return error.message;
  if (error.cause instanceof ExplainedError) return error.cause.message;
  const { name } = error.constructor;
  return error.cause instanceof Error ? `${name} (${error.cause.constructor.name})` : name;
}
