/** @module What the rules for single exchanges are given, and what they have in common. */

import type { ApiDocument, Operation } from "../document/document.ts";
import type { Exchange } from "../lib/exchange.ts";
import type { OwnChecks } from "./own_checks.ts";
import type { Profile } from "./profile.ts";
import type { Schemas } from "../document/schemas.ts";

export interface Contract {
  readonly document: ApiDocument;
  readonly schemas: Schemas;
  readonly profile: Profile;
  readonly checks?: OwnChecks | undefined;
}

export interface Case extends Exchange {
  /** The operation of the request, for HEAD that of GET; undefined if it is not documented. */
  readonly operation: Operation | undefined;
  readonly neighbours: readonly Operation[];
}

/** What is wrong in one exchange, by rule: one line for each problem. */
export type Problems<Rules> = {
  readonly [rule in keyof Rules]?: readonly string[] | string | false | undefined;
};

/** The media type without parameters, in lower case; empty if there is none. */
export function mediaTypeOf(headers: Headers): string {
  return headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** The members of a list field, such as Allow or Vary. */
export function listOf(field: string | null): string[] {
  return (field ?? "").split(",").map((member) => member.trim()).filter((member) => member !== "");
}

export function isSuccess({ answer: { status } }: Pick<Exchange, "answer">): boolean {
  return status >= 200 && status < 300;
}

/** Whether a status is one that HTTP defines for what is asked, so that documents need not list it. */
export function isGeneric({ call, answer: { status } }: Exchange): boolean {
  const asks = (name: RegExp) => call.headers?.some(([header]) => name.test(header)) ?? false;
  return (asks(/^if-/i) && (status === 304 || status === 412)) ||
    (asks(/^range$/i) && (status === 206 || status === 416)) ||
    (asks(/^accept$/i) && status === 406);
}
