/**
 * @module The http tier: rules for the operations of any document. HEAD answers like GET, OPTIONS lists
 * the methods and all others get 405, a matching entity tag gets 304, the document is the same in
 * JSON and YAML, Authorization is ignored, and errors link to existing documentation.
 */

import { parse } from "yaml";
import type { Operation } from "../document.ts";
import { type Exchange, jsonOf } from "../exchange.ts";
import { varyOf } from "../expectation.ts";
import { listOf } from "../oracle/check.ts";
import { at } from "../profile.ts";
import type { Session, Tier } from "../session.ts";
import { exampleCall } from "./example_call.ts";

/** Methods that fetch sends; the raw tier sends TRACE, CONNECT and odd spellings. */
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "QUERY"];

/** Headers that differ between answers, or that a proxy adds. */
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
      await checkMethods(session, path);
    }
    for (const operation of operations) {
      if (operation.path.includes("{")) continue;
      const call = exampleCall(session, operation);
      if (call === undefined || session.permits(call) !== undefined) continue;
      const plain = await session.send(call, { title: `${operation.id}, as documented` });
      checkSuccess(session, plain);
      if (operation.method === "GET") await checkHeadAndEntityTag(session, { operation, plain });
      await checkAuthorization(session, { operation, plain });
    }
    await checkNotations(session);
    await checkUnknownPaths(session);
    session.progress(paths.length, paths.length);
  },
};

/** Allow lists exactly the methods of a path that work, on OPTIONS and on 405. */
async function checkMethods(session: Session, path: string): Promise<void> {
  const documented = session.contract.document.operationsAt(path).map(({ method }) => method);
  const seen = new Map<string, Exchange>();
  const able = METHODS.filter((method) => session.permits({ method, path }) === undefined);
  for (const method of able) {
    const call = { method, path, ...(documented.includes(method) ? {} : bodyFor(method)) };
    seen.set(method, await session.send(call, { title: `${method} ${path}` }));
  }
  const options = seen.get("OPTIONS")!;
  const allow = listOf(options.answer.headers.get("allow"));
  const works = able.filter((method) => seen.get(method)!.answer.status !== 405);
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
    const listed = listOf(exchange.answer.headers.get("allow"));
    if (listed.toSorted().join() !== works.toSorted().join()) {
      report(`Allow on 405 says ${listed.join(", ")}, but ${works.join(", ")} work`, exchange);
    }
  }
}

/** A body must not change the answer to an undocumented method. */
function bodyFor(method: string) {
  if (!["POST", "PUT", "PATCH"].includes(method)) return {};
  return { headers: [["content-type", "application/json"]] as const, body: "{}" };
}

function checkSuccess(session: Session, exchange: Exchange): void {
  const { status } = exchange.answer;
  if (status >= 200 && status < 300) return;
  const message = `the documented request got ${status}`;
  session.report({ check: "positive_acceptance", message, exchange });
}

/** HEAD answers like GET, and GET honours its own entity tag and no other. */
async function checkHeadAndEntityTag(
  session: Session,
  { operation, plain }: { operation: Operation; plain: Exchange },
): Promise<void> {
  const { path } = plain.call;
  const head = await session.send({ method: "HEAD", path }, { title: `HEAD of ${operation.id}` });
  for (const name of headDifferences(plain, head)) {
    const message = `HEAD and GET differ in ${name}`;
    session.report({ check: "head_equals_get", message, exchange: head });
  }
  const etag = plain.answer.headers.get("etag");
  if (etag === null) return;
  // The comparison is weak: a tag matches with and without W/ (RFC 9110 §13.1.2).
  const otherForm = etag.startsWith("W/") ? etag.slice(2) : `W/${etag}`;
  for (
    const [tag, which, want] of [
      ['"other"', "another", plain.answer.status],
      [etag, "the", 304],
      [otherForm, "the other form of the", 304],
    ] as const
  ) {
    const call = { method: "GET", path, headers: [["if-none-match", tag]] } as const;
    const exchange = await session.send(call, {
      title: `${operation.id} with ${which} entity tag`,
    });
    const { status, headers } = exchange.answer;
    const different = ["etag", "vary", "cache-control"].filter((name) =>
      headers.get(name) !== plain.answer.headers.get(name)
    );
    const faults = status === want
      ? different.map((name) => `${status} and 200 differ in ${name}`)
      : [`If-None-Match with ${which} entity tag got ${status} instead of ${want}`];
    for (const message of faults) session.report({ check: "not_modified", message, exchange });
  }
}

/** The differences between the answers to GET and HEAD: the status, or header names. */
export function headDifferences({ answer: get }: Exchange, { answer: head }: Exchange): string[] {
  if (get.status !== head.status) return ["status"];
  const valueOf = (headers: Headers, name: string) =>
    name === "vary" ? varyOf(headers).toSorted().join() : headers.get(name);
  return [...new Set([...get.headers.keys(), ...head.headers.keys()])].filter((name) =>
    !VARYING.has(name) && valueOf(get.headers, name) !== valueOf(head.headers, name)
  );
}

/** Credentials make no difference. */
async function checkAuthorization(
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
    const [was, is] = [plain, exchange].map(({ answer }) => answer.status);
    const message = `an Authorization header changes ${was} to ${is}`;
    session.report({ check: "authorization_ignored", message, exchange });
  }
}

/** The document is the same in JSON and in YAML. */
async function checkNotations(session: Session): Promise<void> {
  const { document, document_yaml: yaml } = session.contract.profile;
  if (yaml === undefined) return;
  const [json, other] = await Promise.all(
    [document, yaml].map((path) =>
      session.send({ method: "GET", path }, { title: "the document in JSON and YAML" })
    ),
  );
  const values = [json!, other!].map(({ answer }) => JSON.stringify(valueOf(answer.text)));
  if (values[0] !== values[1]) {
    const message = "the documents in YAML and JSON differ";
    session.report({ check: "json_equals_yaml", message, exchange: other });
  }
}

/** Parses JSON or YAML; undefined if the text is neither, which is a finding of the oracle. */
function valueOf(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** Below the profile's prefix, an unknown path gets 404 with the profile's code, whatever Accept says. */
async function checkUnknownPaths(session: Session): Promise<void> {
  const { errors } = session.contract.profile;
  if (errors === undefined) return;
  const docs = new Set<string>();
  for (const accept of ["*/*", "text/html", "text/markdown", "application/json", "image/png"]) {
    for (const method of ["GET", "POST", "DELETE"]) {
      const name = `no-such-${accept.replace(/\W/g, "-")}`;
      const path = errors.under + name;
      if (session.permits({ method, path }) !== undefined) continue;
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
  await checkDocs(session, docs);
}

/**
 * The documentation that errors link to exists. The path is requested from the tested service,
 * because the URL may name the production host.
 */
async function checkDocs(session: Session, urls: ReadonlySet<string>): Promise<void> {
  for (const url of urls) {
    const path = URL.parse(url)?.pathname;
    const exchange = path === undefined
      ? undefined
      : await session.send({ method: "GET", path }, { title: "an error's docs" });
    if (exchange?.answer.status === 200) continue;
    const message = "the documentation that an error links to does not exist";
    session.report({ check: "docs_resolve", where: "errors", message, exchange });
  }
}
