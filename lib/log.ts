/** @module Logs ids, counts and our own words, no address, message or text of a foreign error. */

import { LineWriter } from "./line_writer.ts";

export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Log {
  info(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  /** Counts an event as a metric, without a line: for frequent events. */
  count(event: string, fields?: LogFields): void;
}

export interface Output {
  info(text: string): void;
  error(text: string): void;
  /** Resolves when everything is written; never while the pipe is full. */
  flush(): Promise<unknown>;
}

const stdout = new LineWriter(Deno.stdout, (lines) => line("info", "log.dropped", { lines }));
const stderr = new LineWriter(Deno.stderr, (lines) => line("error", "log.dropped", { lines }));

export const standardOutput: Output = {
  info: (text) => stdout.write(text),
  error: (text) => stderr.write(text),
  flush: () => Promise.all([stdout.flush(), stderr.flush()]),
};

/** For Deno Deploy, which collects logs only from `console`. */
export const consoleOutput: Output = {
  // deno-lint-ignore no-console -- the platform's log
  info: (text) => console.log(text),
  // deno-lint-ignore no-console -- the platform's log
  error: (text) => console.error(text),
  flush: () => Promise.resolve(),
};

export function createLog({ info, error }: Pick<Output, "info" | "error">): Log {
  return {
    info: (event, fields) => info(line("info", event, fields)),
    error: (event, fields) => error(line("error", event, fields)),
    count: () => {},
  };
}

/** A log whose events are also noted. */
export function observed(log: Log, note: (event: string, fields: LogFields) => void): Log {
  const both = (write: Log["info"]): Log["info"] => (event, fields = {}) => {
    note(event, fields);
    write(event, fields);
  };
  return { info: both(log.info), error: both(log.error), count: both(log.count) };
}

function line(level: string, event: string, fields: LogFields = {}): string {
  return JSON.stringify({ time: new Date().toISOString(), level, event, ...fields });
}

/** The words of strerror(3), before the path that Deno appends. Nothing else begins like this. */
const SYSTEM_ERROR = /^([A-Z][a-zA-Z/ -]{3,50}) \(os error \d+\)/;

/** An error whose message is in our own words, so that it may be logged. */
export class ExplainedError extends Error {}

/**
 * The reason of a failure: the message of an {@link ExplainedError}, also as a cause; the words of the
 * operating system; of any other error the class. Its message may quote a request, and its `name` can be
 * set to anything.
 */
export function safeReason(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  if (error instanceof ExplainedError) return error.message;
  if (error.cause instanceof ExplainedError) return error.cause.message;
  const [, words] = SYSTEM_ERROR.exec(error.message) ?? [];
  if (words !== undefined) return words.toLowerCase();
  const { name } = error.constructor;
  return error.cause instanceof Error ? `${name} (${error.cause.constructor.name})` : name;
}
