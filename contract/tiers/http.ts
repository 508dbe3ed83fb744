/** @module The http tier: rules for the operations of any document that compare several answers. */

import { parseDocument } from "yaml";
import type { Operation } from "../document/document.ts";
import { arrayOf, at, objectOf } from "../lib/json.ts";
import { type Call, type Exchange, jsonOf, pathOf } from "../lib/exchange.ts";
import { isSuccess, listOf, mismatchesOf } from "../oracle/check.ts";
import { isFailure } from "../oracle/oracle.ts";
import { callFor, exampleCall, filled, inputOf } from "../request/operation_input.ts";
import type { Session, Tier } from "../run/session.ts";
import { CannotGenerate } from "../values/options.ts";
import { WRONG } from "./credentials.ts";
import { checkGet } from "./http_get.ts";
import { declareRules } from "../lib/rules.ts";

const RULES = declareRules({
  allow: "advice: Allow lists exactly the methods that work (RFC 9110 §10.2.1)",
  authorization_ignored: "advice: credentials make no difference where none are required",
  positive_acceptance: "advice: a documented request is accepted",
  unknown_path: "advice: an unknown path gets 404, with the profile's code",
  json_equals_yaml: "breach: the documents in JSON and YAML are the same",
  docs_resolve: "breach: the documentation that an error links to exists",
});

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
    const depthOf = (path: string) => path.split("{").length;
    const paths = [...Map.groupBy(operations, ({ path }) => path)]
      .toSorted(([one], [other]) => depthOf(one) - depthOf(other));
    for (const [index, [template, members]] of paths.entries()) {
      session.progress(index, paths.length);
      if (session.isOver()) {
        session.note(`${paths.length - index} paths not tried: the time was over`);
        break;
      }
      let path = template;
      for (const operation of members) {
        const call = documentedCall(session, operation);
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

/** A request as documented; GET also with generated values, because it changes nothing. */
function documentedCall(session: Session, operation: Operation): Call | undefined {
  // Changing needs ids of this run, which the operations tier has.
  if (operation.method !== "GET" && operation.path.includes("{")) return undefined;
  const example = exampleCall(session, operation);
  if (example !== undefined || operation.method !== "GET") return example;
  const input = inputOf(session, operation);
  if (input instanceof CannotGenerate) return undefined;
  return callFor(input, filled(input, input.smallest, session));
}

async function checkOperation(
  session: Session,
  { operation, call }: { readonly operation: Operation; readonly call: Call },
): Promise<void> {
  const { id, method } = operation;
  const plain = await session.send(call, { title: `${id}, as documented` });
  if (!isSuccess(plain)) {
    // Without cases it may name a thing that does not exist; the operations tier finds a better one.
    if (session.cases === undefined || isFailure(plain, session.contract)) return;
    const message = `the documented request got ${plain.answer.status}`;
    return session.report(RULES.positive_acceptance, message, { exchange: plain });
  }
  if (method === "GET") {
    await checkGet(session, plain);
    // A 406 and the usual representation are both right (RFC 9110 §12.5.1); a failure is not.
    const headers = [...call.headers ?? [], ["accept", "application/vnd.unheard-of"]] as const;
    await session.send({ ...call, headers }, { title: `${id}, accepting an unknown type` });
  }
  await checkCredentials(session, { operation, plain });
}

async function checkMethods(
  session: Session,
  { path, documented }: { readonly path: string; readonly documented: readonly string[] },
): Promise<void> {
  const works = new Set(documented);
  const refused = new Set<string>();
  const seen: Exchange[] = [];
  // A body must not change the answer to an undocumented method.
  const body = { headers: [["content-type", "application/json"]] as const, body: "{}" };
  for (const method of METHODS) {
    const call = { method, path, ...(/^P(?:OST|UT|ATCH)$/.test(method) ? body : {}) };
    if (documented.includes(method) || session.permits(call) !== undefined) continue;
    const exchange = await session.send(call, { title: `${method} ${path}` });
    const { status } = exchange.answer;
    if (isSuccess(exchange) && method !== "OPTIONS") works.add(method);
    if ([405, 501].includes(status)) refused.add(method);
    if (status === 405 || (method === "OPTIONS" && isSuccess(exchange))) seen.push(exchange);
  }
  for (const exchange of seen) {
    const { status, headers } = exchange.answer;
    const allow = new Set(listOf(headers.get(RULES.allow)));
    const lacking = works.difference(allow).keys().map((one) => `Allow lacks ${one}, which works`);
    const surplus = refused.intersection(allow).keys()
      .map((one) => `Allow names ${one}, which does not work`);
    // A 405 without Allow is another finding.
    const absent = status === 405 ? [] : ["OPTIONS without Allow"];
    for (const message of headers.has(RULES.allow) ? [...lacking, ...surplus] : absent) {
      session.report(RULES.allow, message, { exchange });
    }
  }
}

async function checkCredentials(
  session: Session,
  { operation, plain }: { readonly operation: Operation; readonly plain: Exchange },
): Promise<void> {
  const { id, path, method } = operation;
  const { value: root, resolve } = session.contract.document;
  const item = objectOf(resolve(objectOf(root["paths"])[path] ?? null));
  const { security = root["security"] } = objectOf(item[method.toLowerCase()]);
  // Optional credentials may be refused too.
  if (arrayOf(security).length > 0) return;
  for (const value of WRONG) {
    const call = exampleCall(session, operation) ?? plain.call;
    const headers = [...call.headers ?? [], ["authorization", value] as const];
    const purpose = { title: `${id} with Authorization`, markers: [value] };
    const exchange = await session.send({ ...call, headers }, purpose);
    const [was, is] = [plain, exchange].map(({ answer }) => answer.status);
    if (is === was || isFailure(exchange, session.contract)) continue;
    const message = `an Authorization header changes ${was} to ${is}`;
    session.report(RULES.authorization_ignored, message, { exchange });
  }
}

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
  session.report(RULES.json_equals_yaml, message, { exchange: other });
}

async function checkUnknownPaths(session: Session): Promise<void> {
  const { contract: { document, profile } } = session;
  const { under = "/", unknown_path: code, docs: place } = profile.errors ?? {};
  const path = `${under}no-such-path`;
  const docs = new Set<string>();
  for (const method of ["GET", "POST", "DELETE"]) {
    const call = { method, path };
    const isKnown = document.operationsAt(path).length > 0;
    if (isKnown || session.permits(call) !== undefined) continue;
    const title = `${method} of an unknown path`;
    const exchange = await session.send(call, { title, markers: ["no-such-path"] });
    const { answer } = exchange;
    // A service may ask for credentials first.
    const isRefused = profile.errors === undefined && [401, 403].includes(answer.status);
    if (isRefused || answer.status === 0 || isFailure(exchange, session.contract)) continue;
    for (const problem of mismatchesOf(answer, { want: { status: "404", code }, profile })) {
      const seen = { where: `${under}*`, exchange };
      session.report(RULES.unknown_path, `an unknown path ${problem}`, seen);
    }
    if (place !== undefined) docs.add(String(at(jsonOf(answer), place)));
  }
  for (const url of docs) {
    // From the tested service, because the URL may name the production host.
    const { pathname: path = "/", hash = "" } = URL.parse(url, session.base) ?? {};
    const call = { method: "GET", path };
    if (session.permits(call) !== undefined) continue;
    const exchange = await session.send(call, { title: "an error's docs" });
    const { status, text } = exchange.answer;
    if (status === 200 && (hash === "" || text.includes(`id="${hash.slice(1)}"`))) continue;
    const message = "the documentation that an error links to does not exist";
    session.report(RULES.docs_resolve, message, { where: "errors", exchange });
  }
}
