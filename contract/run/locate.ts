/** @module Finds the document of a service; whether the base URL and the credentials are right. */

import { send, type SendOptions } from "./client.ts";
import { type ApiDocument, DocumentError, type Problem } from "../document/document.ts";
import { objectOf } from "../lib/json.ts";
import { readDocument, serverPaths } from "../document/read.ts";
import type { Session } from "./session.ts";
import { exampleCall } from "../request/operation_input.ts";
import { declareRules } from "../lib/rules.ts";

const RULES = declareRules({
  base_right: "breach: the paths of the document exist below the base URL",
  credentials_given: "breach: the service lets the run in",
});

export interface Located {
  readonly document: ApiDocument;
  /** Its path below the base URL; empty if it is elsewhere. */
  readonly path: string;
}

/** Below the base URL and its origin, the usual ones first. */
const PLACES = [
  "/openapi.json /openapi.yaml /v3/api-docs /schema/openapi.json /api/openapi.json",
  "/docs/openapi.json /api-json /api/schema/ /doc /v1/openapi.json /openapi",
  "/api/v1/openapi.json /api-docs /swagger.json /swagger/v1/swagger.json",
].join(" ").split(" ");

/** What a page names in quotes that may be its document. */
const NAMED = /["']([^"'\s<>]*(?:openapi|swagger|api-docs|json|ya?ml)[^"'\s<>]*)["']/g;

const PAGES = ["/docs", "/redoc", "/swagger-ui", "/swagger-ui/index.html", "/api/docs", "/api", ""];

/** @param place a URL, a file or a path; undefined: the usual paths @throws {CannotRun} without a document */
export async function locate(
  base: string,
  { place, ...options }: SendOptions & { readonly place: string | undefined },
): Promise<Located> {
  if (place === undefined) return await search(base, options);
  const url = URL.parse(place);
  if (url !== null && /^https?:$/.test(url.protocol)) {
    const isOwn = url.origin === new URL(base).origin;
    const path = url.pathname + url.search;
    const document = await fetchDocument(url.origin, { path, ...(isOwn ? options : {}) });
    return { document, path: url.href.startsWith(`${base}/`) ? url.href.slice(base.length) : "" };
  }
  const text = await Deno.readTextFile(place).catch((error: Error) => error);
  if (typeof text === "string") return { document: documentOf(text), path: "" };
  if (place.startsWith("/")) {
    return { document: await fetchDocument(base, { path: place, ...options }), path: place };
  }
  const isAbsent = text instanceof Deno.errors.NotFound;
  throw new DocumentError(isAbsent ? "there is no such file" : text.message);
}

async function search(base: string, options: SendOptions): Promise<Located> {
  const { origin } = new URL(base);
  let unusable: Error | undefined;
  async function textAt(url: string): Promise<string> {
    const path = url.slice(origin.length) || "/";
    const { status, text } = await send(origin, { method: "GET", path }, options);
    return status === 200 ? text : "";
  }
  async function at(url: string): Promise<Located | undefined> {
    const text = await textAt(url);
    if (!/openapi|swagger/.test(text) || isPage(text)) return undefined;
    try {
      const isBelow = url.startsWith(`${base}/`);
      return { document: documentOf(text), path: isBelow ? url.slice(base.length) : "" };
    } catch (error) {
      unusable ??= new DocumentError(`${(error as Error).message}, at ${url}`);
    }
  }
  const roots = [...new Set([base, origin])];
  for (const url of roots.flatMap((root) => PLACES.map((path) => root + path))) {
    const found = await at(url);
    if (found !== undefined) return found;
  }
  for (const url of roots.flatMap((root) => PAGES.map((path) => root + path))) {
    const text = await textAt(url);
    if (!isPage(text)) continue;
    for (const [, named] of text.matchAll(NAMED)) {
      const place = URL.parse(named!, url);
      const isTried = place === null || place.origin !== origin ||
        /\.(?:js|css|png|ico)$/.test(place.pathname);
      const found = isTried ? undefined : await at(place.href);
      if (found !== undefined) return found;
    }
  }
  throw unusable ?? new DocumentError(
    `There is no document at ${base}${PLACES[0]} or the other usual paths: give --document`,
  );
}

/** Fetches a document. @throws {UnreachableError | DocumentError} if it cannot be read */
export async function fetchDocument(
  base: string,
  { path, ...options }: SendOptions & { readonly path: string },
): Promise<ApiDocument> {
  const answer = await send(base, { method: "GET", path }, options);
  if (answer.status !== 200) {
    throw new DocumentError(`Cannot read the document: ${base}${path} answers ${answer.status}`);
  }
  return documentOf(answer.text);
}

function documentOf(text: string): ApiDocument {
  if (isPage(text)) throw new DocumentError("Cannot read the document: it is an HTML page");
  try {
    return readDocument(text);
  } catch (error) {
    throw new DocumentError((error as Error).message.split("\n", 1)[0]);
  }
}

function isPage(text: string): boolean {
  return /^\s*<(?:!doctype|html)/i.test(text);
}

/** So many operations tell whether the service knows its own paths. */
const MOST_ASKED = 10;

/** What is wrong with the base URL or the credentials; undefined if an operation answers. */
export async function firstAnswers(
  session: Session,
  options: SendOptions,
): Promise<Problem | undefined> {
  const { base, contract: { document } } = session;
  const statusOf = (root: string, path: string) =>
    send(root, { method: "GET", path }, options).then(({ status }) => status, () => 0);
  const calls = document.operations
    .filter((one) => one.method === "GET" && !one.path.includes("{"))
    .filter((one) => session.permits(one) === undefined)
    .flatMap((operation) => exampleCall(session, operation) ?? []);
  const paths = calls.map(({ path }) => path).slice(0, MOST_ASKED);
  const statuses = new Set<number>();
  for (const path of paths) {
    // A path that never answers tells nothing about the others; the tiers report it.
    const status = await statusOf(base, path);
    statuses.add(status);
    if (![401, 403, 404].includes(status)) return undefined;
  }
  const isLost = statuses.has(404);
  if (statuses.size === 0 || (isLost && statuses.size > 1)) return undefined;
  const where = "the service";
  if (isLost) {
    const others = basesOf(base, document);
    const asked = await Promise.all(others.map((other) => statusOf(other, paths[0]!)));
    const right = others.find((_, index) => ![0, 404].includes(asked[index]!));
    const hint = right ? `try --url ${right}` : "see the `servers` of the document";
    const message = `every path is 404: is the base right? ${hint}`;
    return { check: RULES.base_right, where, message };
  }
  const given = session.headers.join(", ");
  const message = `every operation answers ${[...statuses].join(" or ")}: ` +
    (given === "" ? `give credentials: ${wanted(document)}` : `${given} is refused`);
  return { check: RULES.credentials_given, where, message };
}

function basesOf(base: string, document: ApiDocument): string[] {
  const { origin } = new URL(base);
  const roots = new Set([...serverPaths(document), "/api", "/v1", "/api/v1", ""]);
  return [...roots].map((path) => origin + path).filter((other) => other !== base);
}

function wanted({ value, resolve }: ApiDocument): string {
  const schemes = objectOf(objectOf(value["components"])["securitySchemes"]);
  const options = Object.entries(schemes).map(([name, value]) => {
    const { type, in: place, name: field } = objectOf(resolve(value));
    const header = type !== "apiKey" ? "Authorization" : place === "header" ? field : "Cookie";
    return `--header '${header}: …' (scheme ${name})`;
  });
  return options.join(" or ") || "--header 'Authorization: …'";
}
