/** @module What a check of the doctor gets and returns. */

import type { Config } from "../../config/config.ts";
import type { KvAccess } from "../../leads/kv/guard.ts";

/** The result of a check. Holds no secret: of a URL its host, of an error its kind. */
export interface Finding {
  /** What was examined: a word, or a target's id. */
  readonly check: string;
  /** `warn`: the service works, but the operator should look. `fail`: it does not. */
  readonly state: "ok" | "warn" | "fail";
  /** A sentence without its full stop. */
  readonly message: string;
  /** What to do about it, in one sentence. */
  readonly fix?: string;
}

/** What is examined. */
export interface Environment {
  readonly config: Config;
  /** The variables as they are set; those that may not be read are missing. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Opens a database: a path, a KV Connect URL, or undefined for the platform's own. */
  readonly openKv: (path: string | undefined) => Promise<KvAccess>;
  /** Whether targets get a test event; if not, they are only connected to. */
  readonly send: boolean;
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
