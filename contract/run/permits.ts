/** @module Which requests may be sent: those that change nothing, and what the operator permits. */

import type { ApiDocument, Operation } from "../document/document.ts";
import { type Call, pathOf } from "../lib/exchange.ts";
import { CannotRun } from "../lib/cannot_run.ts";

/** What the operator says. Names are ids, tags, methods with a path, or paths with `*`. */
export interface Permission {
  readonly live: boolean;
  /** Every method, to every path. */
  readonly allowUnsafe: boolean;
  /** Names of the only operations to send; they may change data. Empty: all. */
  readonly only: readonly string[];
  /** Names of operations that are not sent, or a method alone. */
  readonly exclude: readonly string[];
}

/** Why a call is not sent; undefined if it is permitted. @param named by a row of the case files */
export type Permits = (call: Pick<Call, "method" | "path">, named?: boolean) => string | undefined;

/** Methods that change nothing (RFC 9110 §9.2.1). TRACE repeats credentials and is left out. */
const SAFE = ["GET", "HEAD", "OPTIONS"];

/** Words of operations that destroy what others need, whatever their method. */
const DESTROY = new RegExp(
  "^(?:(?:delet|remov|purg|revok|wip|truncat|eras|terminat|prun|deactivat|disabl|invalidat)(?:e|es|ing)" +
    "|(?:reset|drop|clear|detach|shutdown|restart|reboot|cancel|destroy|kill|drain|stop|abort|flush|evict" +
    "|empty|discard|uninstall|unregister|unsubscribe|unlink|disconnect|rollback|cleanup)" +
    "(?:s|es|l?ing|all|db)?)$",
  "i",
);

/** Whether path, id or summary say that an operation destroys; of reads, only how they begin. */
function isDestructive({ method, path, id, summary }: Operation): boolean {
  const wordsOf = (text: string) =>
    text.replace(/([a-z])(?=[A-Z])/g, "$1 ").replace(/shut down/i, "shutdown").split(/[^a-z]+/i);
  const last = path.split("/").findLast((part) => /^[^{]/.test(part)) ?? "";
  const words = SAFE.includes(method)
    ? [last, id].flatMap((text) => wordsOf(text)[0]!)
    : [path.replace(/\{[^}]*\}/g, ""), id, summary].flatMap(wordsOf);
  return words.some((word) => DESTROY.test(word));
}

/** @throws {CannotRun} for a name that no operation has */
export function createPermits(
  document: ApiDocument,
  { live, allowUnsafe, only, exclude }: Permission,
): Permits {
  const named = operationsOf(document, { option: "--only-operation", names: only });
  const excluded = operationsOf(document, { option: "--exclude", names: exclude });
  const methods = exclude.map((name) => name.toUpperCase());

  return ({ method, path: target }, isRow = false) => {
    const path = pathOf({ method, path: target });
    const operation = document.operationOf(method, path);
    const isSafe = SAFE.includes(method);
    const near = operation === undefined ? document.operationsAt(path) : [operation];
    if (methods.includes(method) || (near.length > 0 && near.every((one) => excluded.has(one)))) {
      return "left out by --exclude";
    }
    if (isRow) return undefined;
    if (only.length > 0) {
      if (operation !== undefined) return named.has(operation) ? undefined : NOT_NAMED;
      return isSafe && near.some((one) => named.has(one)) || allowUnsafe ? undefined : NOT_NAMED;
    }
    if (allowUnsafe) return undefined;
    if (operation && operation.method !== "DELETE" && isDestructive(operation)) {
      return "it says that it destroys data: it needs --allow-unsafe";
    }
    if (isSafe) return undefined;
    if (live) return `${method} changes data in production: it needs --allow-unsafe`;
    if (operation === undefined) {
      return `${method} is not documented there: it needs --allow-unsafe`;
    }
    return method === "DELETE" ? "DELETE needs --allow-unsafe" : undefined;
  };
}

const METHOD = /^(?:GET|HEAD|OPTIONS|POST|PUT|PATCH|DELETE|TRACE)$/i;

const NOT_NAMED = "not named by --only-operation";

function operationsOf(
  { operations }: ApiDocument,
  { option, names }: { readonly option: string; readonly names: readonly string[] },
): ReadonlySet<Operation> {
  return new Set(names.flatMap((name) => {
    const found = operations.filter((operation) => isNamed(operation, name));
    const isMethod = option === "--exclude" && METHOD.test(name);
    if (found.length > 0 || isMethod) return found;
    const what = "the id, tag, method and path, or path";
    throw new CannotRun(`${option}: no operation has ${what} ${name}`);
  }));
}

function isNamed({ id, tags, method, path }: Operation, name: string): boolean {
  if (id === name || tags.includes(name)) return true;
  const [target = "", verb] = name.split(" ").reverse();
  return target.startsWith("/") && globOf(target).test(path) &&
    (verb === undefined || verb.toUpperCase() === method);
}

/** An expression for the texts that a pattern with `*` describes. */
export function globOf(pattern: string): RegExp {
  return new RegExp(`^${pattern.split(/\*+/).map(RegExp.escape).join("[^]*?")}$`, "u");
}
