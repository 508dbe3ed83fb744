/**
 * @module The http tier: rules for the operations of any document. HEAD answers like GET, OPTIONS lists
 * the methods and all others get 405, a matching entity tag gets 304, the document is the same in
 * JSON and YAML, Authorization is ignored, and errors link to existing documentation.
 */

import { parseDocument } from "yaml";
import type { Operation } from "../document.ts";
import { type Call, type Exchange, jsonOf, pathOf } from "../exchange.ts";
import { faultsOf } from "../expectation.ts";
import { isSuccess, listOf } from "../oracle/check.ts";
import { isFailure } from "../oracle/oracle.ts";
import { at } from "../pointer.ts";
import { callFor as intakeCall, filled, intakeOf } from "../request/intake.ts";
import type { Session, Tier } from "../session.ts";
import { CannotGenerate } from "../values/options.ts";
import { exampleCall } from "./example_call.ts";
import { checkCredentials } from "./http_credentials.ts";
import { checkGet } from "./http_get.ts";

/** Methods that fetch sends; the raw tier sends TRACE, CONNECT and odd spellings. */
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "QUERY"];

export const httpTier: Tier = {
  name: "http",
  tries: "methods, HEAD, OPTIONS, entity tags, both notations of the document, unknown paths",
  live: true,
  share: 0.3,
  async run(session) {
    const { operations } = session.contract.document;
    // Lists first, because they show the values of other paths.
    const paths = [...Map.groupBy(operations, ({ path }) => path).values()]
      .toSorted((one, other) => parametersIn(one) - parametersIn(other));
    for (const [index, members] of paths.entries()) {
      session.progress(index, paths.length);
      if (session.isOver()) {
        session.note(`${paths.length - index} paths not tried: the time was over`);
        break;
      }
      let path = members[0]!.path;
      for (const operation of members) {
        const call = callFor(session, operation);
        if (call === undefined) continue;
        path = pathOf(call);
        if (session.permits(call) === undefined) await checkOperation(session, { operation, call });
      }
      if (path.includes("{")) continue;
      await checkMethods(session, { path, documented: members.map(({ method }) => method) });
    }
    await checkNotations(session);
    await checkUnknownPaths(session);
    session.progress(paths.length, paths.length);
  },
};

function parametersIn([operation]: readonly Operation[]): number {
  return operation!.path.split("{").length;
}

/** A request as documented; GET also with generated values, because it changes nothing. */
function callFor(session: Session, operation: Operation): Call | undefined {
  const example = exampleCall(session, operation);
  if (example !== undefined || operation.method !== "GET") return example;
  const intake = intakeOf(session, operation);
  if (intake instanceof CannotGenerate) return undefined;
  return intakeCall(intake, filled(intake, { parts: intake.smallest, session }));
}

/** An operation as documented, with conditions, and with credentials. */
async function checkOperation(
  session: Session,
  { operation, call }: { readonly operation: Operation; readonly call: Call },
): Promise<void> {
  const { id, method } = operation;
  const plain = await session.send(call, { title: `${id}, as documented` });
  if (!isSuccess(plain)) {
    const message = `the documented request got ${plain.answer.status}`;
    // Without cases it may name a thing that does not exist; the operations tier finds a better one.
    if (session.cases !== undefined && !isFailure(plain, session.contract)) {
      session.report({ check: "positive_acceptance", message, exchange: plain });
    }
    return;
  }
  if (method === "GET") {
    await checkGet(session, { id, get: plain });
    // A 406 and the usual representation are both right (RFC 9110 §12.5.1); a failure is not.
    const headers = [...call.headers ?? [], ["accept", "application/vnd.unheard-of"]] as const;
    await session.send({ ...call, headers }, { title: `${id}, accepting an unknown type` });
  }
  await checkCredentials(session, { operation, plain });
}

/** Allow lists exactly the methods of a path that work, on OPTIONS and on 405. */
async function checkMethods(
  session: Session,
  { path, documented }: { readonly path: string; readonly documented: readonly string[] },
): Promise<void> {
  const works = new Set(documented);
  const refused = new Set<string>();
  const seen: Exchange[] = [];
  for (const method of METHODS) {
    const call = { method, path, ...bodyFor(method) };
    if (documented.includes(method) || session.permits(call) !== undefined) continue;
    const exchange = await session.send(call, { title: `${method} ${path}` });
    seen.push(exchange);
    if (isSuccess(exchange) && method !== "OPTIONS") works.add(method);
    if ([405, 501].includes(exchange.answer.status)) refused.add(method);
  }
  for (const exchange of seen) {
    const { call, answer: { status, headers } } = exchange;
    const field = headers.get("allow");
    const isOptions = call.method === "OPTIONS" && isSuccess(exchange);
    if (isOptions && field === null) {
      session.report({ check: "allow", message: "OPTIONS without Allow", exchange });
    }
    // A 405 without Allow is another finding.
    if (field === null || (!isOptions && status !== 405)) continue;
    const allow = new Set(listOf(field));
    const faults = [
      ...works.difference(allow).keys().map((method) => `lacks ${method}, which works`),
      ...refused.intersection(allow).keys().map((method) => `names ${method}, which does not work`),
    ];
    for (const fault of faults) {
      session.report({ check: "allow", message: `Allow ${fault}`, exchange });
    }
  }
}

/** A body must not change the answer to an undocumented method. */
function bodyFor(method: string) {
  if (!["POST", "PUT", "PATCH"].includes(method)) return {};
  return { headers: [["content-type", "application/json"]] as const, body: "{}" };
}

/** The document is the same in JSON and in YAML. */
async function checkNotations(session: Session): Promise<void> {
  const { document, document_yaml: yaml } = session.contract.profile;
  if (yaml === undefined) return;
  const purpose = { title: "the document in JSON and YAML" };
  const json = await session.send({ method: "GET", path: document }, purpose);
  const other = await session.send({ method: "GET", path: yaml }, purpose);
  // What is malformed is a finding of the oracle.
  const [one, two] = [json, other].map(({ answer }) => parseDocument(answer.text).toJS());
  if (JSON.stringify(one) === JSON.stringify(two)) return;
  const message = "the documents in YAML and JSON differ";
  session.report({ check: "json_equals_yaml", message, exchange: other });
}

/** An unknown path gets 404, whatever Accept says; below the profile's prefix with the profile's code. */
async function checkUnknownPaths(session: Session): Promise<void> {
  const { contract: { document, profile } } = session;
  const { errors } = profile;
  const { under = "/", unknown_path: code } = errors ?? {};
  const docs = new Set<string>();
  const types = ["*/*", "text/html", "text/markdown", "application/json", "image/png"];
  for (const accept of errors === undefined ? types.slice(0, 1) : types) {
    for (const method of ["GET", "POST", "DELETE"]) {
      const name = `no-such-${accept.replace(/\W/g, "-")}`;
      const call = { method, path: under + name, headers: [["accept", accept]] as const };
      const isKnown = document.operationsAt(call.path).length > 0;
      if (isKnown || session.permits(call) !== undefined) continue;
      const exchange = await session.send(call, {
        title: `${method} of an unknown path, accepting ${accept}`,
        markers: [name],
      });
      const { answer } = exchange;
      // A service may ask for credentials first.
      const isRefused = errors === undefined && [401, 403].includes(answer.status);
      const isFault = answer.status === 0 || isFailure(exchange, session.contract);
      if (isRefused || isFault) continue;
      for (const fault of faultsOf(answer, { want: { status: "404", code }, profile })) {
        const message = `an unknown path ${fault}, accepting ${accept}`;
        session.report({ check: "unknown_path", where: `${under}*`, message, exchange });
      }
      if (errors?.docs !== undefined) docs.add(String(at(jsonOf(answer), errors.docs)));
    }
  }
  for (const url of docs) await checkDocs(session, url);
}

/**
 * The documentation that errors link to exists. The path is requested from the tested service,
 * because the URL may name the production host.
 */
async function checkDocs(session: Session, url: string): Promise<void> {
  const path = URL.parse(url)?.pathname;
  if (path !== undefined && session.permits({ method: "GET", path }) !== undefined) return;
  const exchange = path === undefined
    ? undefined
    : await session.send({ method: "GET", path }, { title: "an error's docs" });
  if (exchange?.answer.status === 200) return;
  const message = "the documentation that an error links to does not exist";
  session.report({ check: "docs_resolve", where: "errors", message, exchange });
}
