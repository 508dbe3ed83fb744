/** @module What a rule of the oracle is, and what it judges by. */

import type { ApiDocument, Operation } from "../document.ts";
import { type Exchange, pathOf } from "../exchange.ts";
import type { Profile } from "../profile.ts";
import type { Schemas } from "../schema.ts";

/** What rules judge by. */
export interface Contract {
  readonly document: ApiDocument;
  readonly schemas: Schemas;
  readonly profile: Profile;
}

/** An exchange with what the document says of it. */
export interface Case extends Exchange {
  /** The operation of the request; a HEAD has that of GET. Undefined: not documented. */
  readonly operation: Operation | undefined;
  /** The operations of the path, whatever their method. */
  readonly neighbours: readonly Operation[];
}

/** A rule of the oracle; `judge` returns a line for each violation. */
export interface Check {
  readonly name: string;
  /** One sentence: what always holds. */
  readonly rule: string;
  judge(exchange: Case, contract: Contract): string[];
}

/** The media type of an answer without parameters, in lower case, or empty. */
export function mediaTypeOf(headers: Headers): string {
  return headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** The members of a field that is a list, such as Allow or Vary. */
export function listOf(field: string | null): string[] {
  return (field ?? "").split(",").map((member) => member.trim()).filter((member) => member !== "");
}

/** Whether the answer to a request has no body whatever its headers say (RFC 9110 §6.4.1). */
export function isBodiless({ call, answer }: Exchange): boolean {
  return call.method === "HEAD" || answer.status === 204 || answer.status === 304;
}

/**
 * Whether the path is one of those whose errors have the profile's shape; `/api` is under `/api/`.
 */
export function isUnderErrors({ call }: Exchange, { profile }: Contract): boolean {
  const under = profile.errors?.under;
  return under !== undefined && `${pathOf(call)}/`.startsWith(under);
}
