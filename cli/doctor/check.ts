/** @module A check of the doctor: what it is given, its findings, and its time limit. */

import type { Config } from "../../config/config.ts";
import type { Clock } from "../../leads/clock.ts";
import type { KvAccess } from "../../leads/kv/guard.ts";
import type { PageSource } from "../../site/site.ts";

/** `warn`: the service will run, but the operator should look. `fail`: it will not work. */
export type State = "ok" | "warn" | "fail";

/** The result of a check. Holds no secret: of a URL its host, of an error its kind. */
export interface Finding {
  /** What was looked at, in a word or as a target's id. */
  readonly check: string;
  readonly state: State;
  /** What was found, as a sentence without its full stop. */
  readonly message: string;
  /** What to do about it, in one sentence; only where something is to be done. */
  readonly fix?: string;
}

/** What is examined. */
export interface Environment {
  readonly config: Config;
  /** The variables as they were set; those that may not be read are missing. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Variables that the permissions keep from being read. */
  readonly hidden: readonly string[];
  /** Opens a database: a path, a KV Connect URL, or undefined for the platform's own. */
  readonly openKv: (path: string | undefined) => Promise<KvAccess>;
  /** The sources of the pages. */
  readonly pages: PageSource;
  /** Whether targets are sent a test event; if not, they are only connected to. */
  readonly send: boolean;
  readonly denoVersion: string;
  /** This machine's. */
  readonly clock: Clock;
}

/** One thing that is looked at. */
export interface Check {
  /** Names the finding if the check itself fails. */
  readonly name: string;
  /** The variables that the check reads: it is skipped if one of them is invalid. */
  readonly requires: readonly string[];
  /** One finding, or one for each of several things. May throw: that is a finding too. */
  run(environment: Environment): Finding[] | Promise<Finding[]>;
}

/** A finding that is as it should be. */
export function ok(check: string, message: string): Finding {
  return { check, state: "ok", message };
}

/** A finding that the operator should look at. */
export function warn(check: string, message: string, fix: string): Finding {
  return { check, state: "warn", message, fix };
}

/** A finding that keeps the service from working. */
export function fail(check: string, message: string, fix: string): Finding {
  return { check, state: "fail", message, fix };
}

/** A signal that aborts when the time is up; `clear` it when it has not come to that. */
export function timeLimit(
  ms: number,
  clock: Clock,
): { readonly signal: AbortSignal; clear(): void } {
  const controller = new AbortController();
  return { signal: controller.signal, clear: clock.after(ms, () => controller.abort()) };
}
