/**
 * @module The API of the site as typed functions, one an operation, over `fetch` alone: for Deno,
 * Node.js from 20.3, Bun and browsers. The types are the OpenAPI document's.
 *
 * Every operation may be repeated safely (the same lead within 24 hours is the same lead), so a
 * client sends again what got no answer, a 429 or a 5xx. It does not check a lead before sending
 * it: the service does, and says what is wrong.
 */

import type { components, operations, paths } from "../../static/assets/api.d.ts";

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
export class ApiError extends Error {
  /** Tells it from other errors in a log. */
  override readonly name = "ApiError";
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
  constructor(response: Response, error: components["schemas"]["ApiError"]["error"]) {
    super(error.message);
    this.status = response.status;
    this.code = error.code;
    this.hint = error.hint;
    this.docs = error.docs;
    this.details = error.details;
    this.retryAfter = secondsOf(response.headers.get("retry-after"));
    this.requestId = response.headers.get("x-request-id") ?? undefined;
  }
}

const JSON_TYPE = "application/json";
/** Whoever is asked to wait longer than this is told, rather than made to wait. */
const LONGEST_WAIT_S = 60;
const FIRST_WAIT_MS = 500;

/** The methods that a path has. */
type MethodOf<Path extends keyof paths> = {
  [M in keyof paths[Path]]: paths[Path][M] extends operations[keyof operations] ? M : never;
}[keyof paths[Path]];

/** The body of an operation's success. */
type BodyOf<Operation> = Operation extends { responses: { 200: { content: infer Content } } }
  ? Content[keyof Content]
  : never;

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
export function createClient(options: ClientOptions): Client {
  const { retries = 2, timeout = 45_000 } = options;
  const base = new URL(options.baseUrl);
  const send = options.fetch ?? ((url, init) => fetch(url, init));

  async function call<Path extends keyof paths, Method extends MethodOf<Path>>(
    method: Method,
    path: Path,
    { signal, body, type = JSON_TYPE }: CallOptions & { body?: unknown; type?: string } = {},
  ): Promise<BodyOf<paths[Path][Method]>> {
    const { href } = new URL(path, base);
    const init: RequestInit = {
      method: String(method).toUpperCase(),
      headers: { accept: type, ...(body === undefined ? {} : { "content-type": JSON_TYPE }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    for (let tried = 1;; tried++) {
      const limit = AbortSignal.timeout(timeout);
      try {
        const either = signal === undefined ? limit : AbortSignal.any([signal, limit]);
        return await bodyOf(await send(href, { ...init, signal: either }), type);
      } catch (failure) {
        const wait = tried > retries || signal?.aborted ? undefined : waitAfter(failure, tried);
        if (wait === undefined) throw failure;
        await pause(wait, signal);
      }
    }
  }

  return {
    getHealth: (options) => call("get", "/api/health", options),
    getSiteIndex: (options) => call("get", "/api/site", options),
    createLead: (lead, options) => call("post", "/api/lead", { ...options, body: lead }),
    getOpenApiJson: (options) => call("get", "/openapi.json", options),
    getOpenApiYaml: (options) =>
      call("get", "/api/openapi.yaml", { ...options, type: "application/yaml" }),
  } satisfies Client & Record<keyof operations, unknown>;
}

/** The body of a success of that media type. @throws {ApiError} whatever else the answer is */
async function bodyOf<Body>(response: Response, type: string): Promise<Body> {
  const sent = response.headers.get("content-type")?.split(";", 1)[0]?.trim();
  const text = await response.text();
  const body = sent === JSON_TYPE ? jsonOf(text) : text;
  if (response.ok && sent === type && body !== undefined) return body as Body;
  const { error } = Object(body);
  if (typeof error?.code === "string") throw new ApiError(response, error);
  throw new ApiError(response, {
    code: "unexpected_answer",
    message: `Cannot use the answer of ${response.url}: ${response.status}, ${sent ?? "no type"}`,
    hint: "Check baseUrl, and what stands between you and the site.",
    docs: "",
  });
}

/** The value, or undefined where the text is no JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Milliseconds until the next try, or undefined where another would be no use. */
function waitAfter(failure: unknown, tried: number): number | undefined {
  if (failure instanceof ApiError) {
    const { status, retryAfter } = failure;
    if (status !== 429 && status < 500) return undefined;
    if (retryAfter !== undefined) {
      return retryAfter <= LONGEST_WAIT_S ? retryAfter * 1_000 : undefined;
    }
  }
  // Up to half as much again, so that many clients do not come back at the same moment.
  return FIRST_WAIT_MS * 2 ** (tried - 1) * (1 + Math.random() / 2);
}

/** RFC 9110 §10.2.3: seconds or a date. */
function secondsOf(field: string | null): number | undefined {
  if (field === null) return undefined;
  const seconds = /^\d+$/.test(field) ? Number(field) : (Date.parse(field) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, ms);
    signal?.addEventListener("abort", end, { once: true });
  });
}
