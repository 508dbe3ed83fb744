// Made by `deno task client`; do not edit.
// @ts-self-types="./client.d.ts"
// @ts-nocheck: checked as TypeScript

/**
 * @module The API of the site as typed functions, one an operation, over `fetch` alone: for Deno,
 * Node.js from 20.3, Bun and browsers. The types are the OpenAPI document's.
 *
 * Every operation may be repeated safely (the same lead within 24 hours is the same lead), so a
 * client sends again what got no answer, a 429 or a 5xx. It does not check a lead before sending
 * it: the service does, and says what is wrong.
 */

/** An answer that is an error. */
export class ApiError extends Error {
  /** Tells it from other errors in a log. */
  name = "ApiError";
  /** The status code of HTTP. */
  status;
  /** Stable, for programs; `unexpected_answer` where the answer is not one of this API. */
  code;
  /** What to do next. */
  hint;
  /** Where to read more. */
  docs;
  /** What more there is to say, such as the issues of a lead. */
  details;
  /** Seconds to wait before the next try, where the answer says so, as a 429 does. */
  retryAfter;
  /** What to quote when reporting a fault. */
  requestId;
  /** From an answer and the `error` of its body. */
  constructor(response, error) {
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
export function createClient(options) {
  const { retries = 2, timeout = 45_000 } = options;
  const base = new URL(options.baseUrl);
  const send = options.fetch ?? ((url, init) => fetch(url, init));
  async function call(method, path, { signal, body, type = JSON_TYPE } = {}) {
    const { href } = new URL(path, base);
    const init = {
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
        if (wait === undefined) {
          throw failure;
        }
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
  };
}

/** The body of a success of that media type. @throws {ApiError} whatever else the answer is */
async function bodyOf(response, type) {
  const sent = response.headers.get("content-type")?.split(";", 1)[0]?.trim();
  const text = await response.text();
  const body = sent === JSON_TYPE ? jsonOf(text) : text;
  if (response.ok && sent === type && body !== undefined) {
    return body;
  }
  const { error } = Object(body);
  if (typeof error?.code === "string") {
    throw new ApiError(response, error);
  }
  throw new ApiError(response, {
    code: "unexpected_answer",
    message: `Cannot use the answer of ${response.url}: ${response.status}, ${sent ?? "no type"}`,
    hint: "Check baseUrl, and what stands between you and the site.",
    docs: "",
  });
}

/** The value, or undefined where the text is no JSON. */
function jsonOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Milliseconds until the next try, or undefined where another would be no use. */
function waitAfter(failure, tried) {
  if (failure instanceof ApiError) {
    const { status, retryAfter } = failure;
    if (status !== 429 && status < 500) {
      return undefined;
    }
    if (retryAfter !== undefined) {
      return retryAfter <= LONGEST_WAIT_S ? retryAfter * 1_000 : undefined;
    }
  }
  // Up to half as much again, so that many clients do not come back at the same moment.
  return FIRST_WAIT_MS * 2 ** (tried - 1) * (1 + Math.random() / 2);
}

/** RFC 9110 §10.2.3: seconds or a date. */
function secondsOf(field) {
  if (field === null) {
    return undefined;
  }
  const seconds = /^\d+$/.test(field) ? Number(field) : (Date.parse(field) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}
function pause(ms, signal) {
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
