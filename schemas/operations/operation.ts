/** @module What an operation of the API says of itself; `../openapi.ts` makes the document of it. */

import type { z } from "zod";
import type { ErrorCode } from "../error_codes.ts";
import type { HeaderName, Json } from "../openapi_headers.ts";

/** The names and URLs of a deployment. */
export interface DocumentFacts {
  readonly siteName: string;
  readonly serviceId: string;
  readonly siteUrl: string;
  readonly localUrl: string;
}

export interface Body {
  readonly description: string;
  /** By default JSON. */
  readonly type?: string;
  /** A zod schema has an `id` in its metadata, the name of its component. */
  readonly schema: z.ZodType | Json;
  /** By name. One named `abridged` may lack members, or the rest of its text. */
  readonly examples: { readonly [name: string]: Json };
}

/** An ApiError; the examples are the service's own answers. */
interface Failure {
  readonly description: string;
  readonly codes: readonly ErrorCode[];
  readonly details?: { readonly [code in ErrorCode]?: unknown };
}

/** With the headers beside those that every response has. */
export type ResponseBody = (Body | Failure) & { readonly headers?: readonly HeaderName[] };

export interface Operation {
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  readonly path: `/${string}`;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** The members of the query, each with a description. */
  readonly query?: z.ZodObject;
  readonly requestBody?: Body;
  /** By status. */
  readonly responses: { readonly [status: number]: ResponseBody };
}

/** The operations under one tag of the document, in the order of the reference. */
export interface OperationGroup {
  readonly tag: string;
  readonly description: string;
  operations(facts: DocumentFacts): readonly Operation[];
}

export const METHOD_NOT_ALLOWED: ResponseBody = {
  description: "The path does not support this method.",
  codes: ["method_not_allowed"],
  headers: ["Allow"],
};
