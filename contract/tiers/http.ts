/**
 * @module What every operation of every document must do: answer, in HEAD as in GET; tell its
 * methods by OPTIONS and refuse all others; give 304 for its entity tag; say the same in JSON and
 * YAML; not care about an Authorization header; point to documentation that is there.
 */

import { parse } from "yaml";
import type { Operation } from "../document.ts";
import { type Exchange, jsonOf } from "../exchange.ts";
import { varyOf } from "../expectation.ts";
import { listOf } from "../oracle/check.ts";
import { at } from "../profile.ts";
import type { Session, Tier } from "../session.ts";
import { exampleCall } from "./example_call.ts";

/** Methods that fetch will send; TRACE, CONNECT and odd spellings are the raw tier's. */
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "QUERY"];

/** Headers that may differ from one answer to the next, and what a proxy adds. */
const VARYING = new Set(["date", "age", "x-request-id", "ratelimit", "connection"]);

export const httpTier: Tier = {
  name: "http",
  tries: "methods, HEAD, OPTIONS, entity tags, both notations of the document, unknown paths",
  live: true,
  async run(session) {
    const { operations } = session.contract.document;
    const paths = [...new Set(operations.map(({ path }) => path))].filter((path) =>
      !path.includes("{")
    );
    for (const [index, path] of paths.entries()) {
      session.progress(index, paths.length);
      await methodsAt(session, path);
    }
    for (const operation of operations) {
      if (operation.path.includes("{")) continue;
      const call = exampleCall(session, operation);
      if (call === undefined) continue;
      const plain = await session.send(call, { title: `${operation.id}, as documented` });
      checkSuccess(session, plain);
      if (operation.method === "GET") await likeGet(session, { operation, plain });
      await withAuthorization(session, { operation, plain });
    }
    await bothNotations(session);
    await unknownPaths(session);
    session.progress(paths.length, paths.length);
  },
};

/** Every method on a path: the documented ones are its, the others are refused, OPTIONS tells. */
async function methodsAt(session: Session, path: string): Promise<void> {
  const documented = session.contract.document.operationsAt(path).map(({ method }) => method);
  const seen = new Map<string, Exchange>();
  for (const method of METHODS) {
    const call = { method, path, ...(documented.includes(method) ? {} : bodyFor(method)) };
    seen.set(method, await session.send(call, { title: `${method} ${path}` }));
  }
  const options = seen.get("OPTIONS")!;
  const allow = listOf(options.answer.headers.get("allow"));
  const works = METHODS.filter((method) => seen.get(method)!.answer.status !== 405);
  const report = (message: string, exchange: Exchange) =>
    session.report({ check: "allow", message, exchange });
  if (allow.toSorted().join() !== works.toSorted().join()) {
    report(
      `Allow on OPTIONS says ${allow.join(", ") || "nothing"}, but ${works.join(", ")} work`,
      options,
    );
  }
  for (const exchange of seen.values()) {
    if (exchange.answer.status !== 405) continue;
    const told = listOf(exchange.answer.headers.get("allow"));
    if (told.toSorted().join() !== works.toSorted().join()) {
      report(`Allow on 405 says ${told.join(", ")}, but ${works.join(", ")} work`, exchange);
    }
  }
}

/** Where no body is documented, one that is sent must not make another answer of a refusal. */
function bodyFor(method: string) {
  if (!["POST", "PUT", "PATCH"].includes(method)) return {};
  return { headers: [["content-type", "application/json"]] as const, body: "{}" };
}

/** The documented request works. */
function checkSuccess(session: Session, exchange: Exchange): void {
  const { status } = exchange.answer;
  if (status >= 200 && status < 300) return;
  session.report({
    check: "positive_acceptance",
    message: `the documented request got ${status}`,
    exchange,
  });
}

/** HEAD is like GET, and the entity tag that GET gives is honoured, while others are not. */
async function likeGet(
  session: Session,
  { operation, plain }: { operation: Operation; plain: Exchange },
): Promise<void> {
  const { path } = plain.call;
  const head = await session.send({ method: "HEAD", path }, { title: `HEAD of ${operation.id}` });
  for (const name of headDifferences(plain, head)) {
    session.report({
      check: "head_equals_get",
      message: `HEAD and GET differ in ${name}`,
      exchange: head,
    });
  }
  const etag = plain.answer.headers.get("etag");
  if (etag === null) return;
  const headers = [["if-none-match", '"other"']] as const;
  const title = `${operation.id} with an entity tag that is not its own`;
  const other = await session.send({ method: "GET", path, headers }, { title });
  if (other.answer.status !== plain.answer.status) {
    const message = `If-None-Match with another entity tag got ${other.answer.status}`;
    session.report({ check: "not_modified", message, exchange: other });
  }
  // The comparison is weak (RFC 9110 §13.1.2): a tag is itself with and without W/.
  for (const tag of [etag, etag.startsWith("W/") ? etag.slice(2) : `W/${etag}`]) {
    const which = tag === etag ? "the" : "the other form of the";
    await conditional(session, { plain, tag, which });
  }
}

/** A GET with a matching entity tag is a 304 with the headers that a 200 would have. */
async function conditional(
  session: Session,
  { plain, tag, which }: {
    readonly plain: Exchange;
    readonly tag: string;
    readonly which: string;
  },
): Promise<void> {
  const { path } = plain.call;
  const again = await session.send({ method: "GET", path, headers: [["if-none-match", tag]] }, {
    title: `${path} with ${which} entity tag that it gave`,
  });
  if (again.answer.status !== 304) {
    const message =
      `If-None-Match with ${which} entity tag got ${again.answer.status} instead of 304`;
    session.report({ check: "not_modified", message, exchange: again });
    return;
  }
  for (const name of ["etag", "vary", "cache-control"]) {
    if (again.answer.headers.get(name) === plain.answer.headers.get(name)) continue;
    const message = `304 and 200 differ in ${name}`;
    session.report({ check: "not_modified", message, exchange: again });
  }
}

/** What differs between the answers to GET and HEAD: the status, or headers by name. */
export function headDifferences({ answer: get }: Exchange, { answer: head }: Exchange): string[] {
  if (get.status !== head.status) return ["status"];
  const valueOf = (headers: Headers, name: string) =>
    name === "vary" ? varyOf(headers).toSorted().join() : headers.get(name);
  return [...new Set([...get.headers.keys(), ...head.headers.keys()])].filter((name) =>
    !VARYING.has(name) && valueOf(get.headers, name) !== valueOf(head.headers, name)
  );
}

/** Nothing needs credentials, and none that are given make a difference. */
async function withAuthorization(
  session: Session,
  { operation, plain }: { operation: Operation; plain: Exchange },
): Promise<void> {
  const call = exampleCall(session, operation);
  if (call === undefined) return;
  for (const value of ["Bearer contract-token-zz81", "Basic Y29udHJhY3Q6eng4MQ=="]) {
    const exchange = await session.send(
      { ...call, headers: [...(call.headers ?? []), ["authorization", value]] },
      { title: `${operation.id} with Authorization`, markers: [value] },
    );
    if (exchange.answer.status === plain.answer.status) continue;
    session.report({
      check: "authorization_ignored",
      message:
        `an Authorization header turns ${plain.answer.status} into ${exchange.answer.status}`,
      exchange,
    });
  }
}

/** The document is the same in JSON and in YAML. */
async function bothNotations(session: Session): Promise<void> {
  const { document, document_yaml: yaml } = session.contract.profile;
  if (yaml === undefined) return;
  const [json, other] = await Promise.all(
    [document, yaml].map((path) =>
      session.send({ method: "GET", path }, { title: "the document in each notation" })
    ),
  );
  const values = [json!, other!].map(({ answer }) => JSON.stringify(valueOf(answer.text)));
  if (values[0] !== values[1]) {
    session.report({
      check: "json_equals_yaml",
      message: "the document in YAML is not the document in JSON",
      exchange: other,
    });
  }
}

/** JSON is YAML; undefined: the text is neither, which the oracle has said. */
function valueOf(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** Below the prefix of errors, an unknown path is a 404 in the one shape, whatever is accepted. */
async function unknownPaths(session: Session): Promise<void> {
  const { errors } = session.contract.profile;
  if (errors === undefined) return;
  const docs = new Set<string>();
  for (const accept of ["*/*", "text/html", "text/markdown", "application/json", "image/png"]) {
    for (const method of ["GET", "POST", "DELETE"]) {
      const name = `no-such-${accept.replace(/\W/g, "-")}`;
      const path = errors.under + name;
      const exchange = await session.send({ method, path, headers: [["accept", accept]] }, {
        title: `${method} of an unknown path, accepting ${accept}`,
        markers: [name],
      });
      const body = jsonOf(exchange.answer);
      if (exchange.answer.status !== 404 || at(body, errors.code) !== errors.unknown_path) {
        session.report({
          check: "unknown_path",
          where: `${errors.under}*`,
          message: `an unknown path got ${exchange.answer.status} with another code than ` +
            `${errors.unknown_path}, accepting ${accept}`,
          exchange,
        });
      }
      if (errors.docs !== undefined) docs.add(String(at(body, errors.docs)));
    }
  }
  await resolves(session, docs);
}

/**
 * Documentation that errors point to is there. It is asked for on the service at hand, whatever
 * host the URL names: one that is tried out names the one in production.
 */
async function resolves(session: Session, urls: ReadonlySet<string>): Promise<void> {
  for (const url of urls) {
    const path = URL.parse(url)?.pathname;
    const exchange = path === undefined
      ? undefined
      : await session.send({ method: "GET", path }, { title: "an error's docs" });
    if (exchange?.answer.status === 200) continue;
    session.report({
      check: "docs_resolve",
      where: "errors",
      message: "the documentation that an error names is not there",
      exchange,
    });
  }
}
