/**
 * @module Structured log lines. What goes in is ids, counts and words of our own: never an address,
 * a message, an IP address or the text of an error from outside.
 */

/** What a line may hold beside its event. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Writes one event. */
export interface Log {
  info(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  /** For what happens too often to have a line each: counted where metrics are on. */
  count(event: string, fields?: LogFields): void;
}

/** One JSON object a line: information on standard output, errors on standard error. */
export const consoleLog: Log = {
  // deno-lint-ignore no-console -- the one place that logs
  info: (event, fields) => console.log(line("info", event, fields)),
  // deno-lint-ignore no-console -- the one place that logs
  error: (event, fields) => console.error(line("error", event, fields)),
  count: () => {},
};

function line(level: string, event: string, fields: LogFields = {}): string {
  return JSON.stringify({ time: new Date().toISOString(), level, event, ...fields });
}

/** An error whose message is in words of our own, so that it may be logged. */
export class ExplainedError extends Error {}

/**
 * Why something failed: the words of an {@link ExplainedError} or of one that is its cause. Of any
 * other error the class, and nothing of its text, which may quote what somebody sent; nor its `name`,
 * which anyone can set.
 */
export function errorName(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  if (error instanceof ExplainedError) return error.message;
  if (error.cause instanceof ExplainedError) return error.cause.message;
  const { name } = error.constructor;
  return error.cause instanceof Error ? `${name} (${error.cause.constructor.name})` : name;
}
