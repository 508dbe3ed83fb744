// Made by `deno task client`; do not edit.
/**
 * @module The API of the site as typed functions, one an operation, over `fetch` alone: for Deno,
 * Node.js from 20.3, Bun and browsers. The types are the OpenAPI document's.
 *
 * Every operation may be repeated safely (the same lead within 24 hours is the same lead), so a
 * client sends again what got no answer, a 429 or a 5xx. It does not check a lead before sending
 * it: the service does, and says what is wrong.
 */
import type { components, operations, paths } from "./api.d.ts";
export type { components, operations, paths };

/** The answer of `getHealth`. */
export type Health = components["schemas"]["Health"];

/** The answer of `getSiteIndex`. */
export type SiteIndex = components["schemas"]["SiteIndex"];

/** What `createLead` takes. */
export type LeadRequest = components["schemas"]["LeadRequest"];

/** The answer of `createLead`. */
export type LeadResponse = components["schemas"]["LeadResponse"];

/** How a client works. */
export interface ClientOptions {
  /** Where the site is, such as `https://www.example.com`. */
  readonly baseUrl: string | URL;
  /** How often a request is sent again at most; 2 unless given, 0 for never. */
  readonly retries?: number;
  /** How long one try may take, in milliseconds; 45,000 unless given: longer than any answer takes. */
  readonly timeout?: number;
  /** What sends the requests; the global `fetch` unless given. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** What goes with one call. */
export interface CallOptions {
  /** Ends the call, waits and further tries included; the call then rejects with its reason. */
  readonly signal?: AbortSignal;
}

/**
 * The operations of the API. Each resolves to the body of the answer. It rejects with an
 * {@link ApiError} where the answer is an error; with the error of `fetch`, such as a `TypeError`,
 * where there is no answer; and with a `TimeoutError` where there is none in time.
 */
export interface Client {
  /** Is the service up? */
  getHealth(options?: CallOptions): Promise<Health>;
  /** Brand, public pages and discovery documents. */
  getSiteIndex(options?: CallOptions): Promise<SiteIndex>;
  /** Sends an enquiry. Addresses that end in `.invalid` are for tests: they reach nobody. */
  createLead(lead: LeadRequest, options?: CallOptions): Promise<LeadResponse>;
  /** The API description. */
  getOpenApiJson(options?: CallOptions): Promise<Record<string, unknown>>;
  /** The API description as YAML. */
  getOpenApiYaml(options?: CallOptions): Promise<string>;
}

/** An answer that is an error. */
export declare class ApiError extends Error {
  /** Tells it from other errors in a log. */
  readonly name = "ApiError";
  /** The status code of HTTP. */
  readonly status: number;
  /** Stable, for programs; `unexpected_answer` where the answer is not one of this API. */
  readonly code: string;
  /** What to do next. */
  readonly hint: string;
  /** Where to read more. */
  readonly docs: string;
  /** What more there is to say, such as the issues of a lead. */
  readonly details: unknown;
  /** Seconds to wait before the next try, where the answer says so, as a 429 does. */
  readonly retryAfter: number | undefined;
  /** What to quote when reporting a fault. */
  readonly requestId: string | undefined;
  /** From an answer and the `error` of its body. */
  constructor(response: Response, error: components["schemas"]["ApiError"]["error"]);
}

/**
 * Creates a client of the site at `baseUrl`.
 *
 * @example
 * ```ts
 * async function ask(company: string): Promise<string> {
 *   const client = createClient({ baseUrl: "https://www.example.com" });
 *   try {
 *     await client.createLead({ email: "ada@example.invalid", company, locale: "en" });
 *     return "We will be in touch.";
 *   } catch (error) {
 *     if (error instanceof ApiError) return `${error.message} ${error.hint}`;
 *     throw error; // no answer at all
 *   }
 * }
 * ```
 *
 * @throws {TypeError} where `baseUrl` is no URL
 */
export declare function createClient(options: ClientOptions): Client;
