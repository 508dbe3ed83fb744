/** @module The input and the result of a doctor check. */

import type { Config } from "../../config/config.ts";
import type { KvAccess } from "../../leads/kv/guard.ts";

/** The result of a check. Contains no secret: only the host of a URL, only the kind of an error. */
export interface Finding {
  readonly check: string;
  /** `warn`: the service works, but the operator should look. `fail`: it does not. */
  readonly state: "ok" | "warn" | "fail";
  /** A sentence without its full stop. */
  readonly message: string;
  readonly fix?: string;
}

export interface Environment {
  readonly config: Config;
  /** The variables that are set; of those that the service does not read, only the names matter. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The name of the file of which variables have been read. @throws {ConfigError} */
  readonly envFile?: () => string | undefined;
  readonly isForDeploy: boolean;
  /** Opens a database: a path or a KV Connect URL. */
  readonly openKv: (path: string) => Promise<KvAccess>;
  /** Whether to send each target a test event, or only to connect to it. */
  readonly send: boolean;
}

export function ok(check: string, message: string): Finding {
  return { check, state: "ok", message };
}

export function warn(check: string, message: string, fix: string): Finding {
  return { check, state: "warn", message, fix };
}

export function fail(check: string, message: string, fix: string): Finding {
  return { check, state: "fail", message, fix };
}
