/** @module Rules for GET: HEAD and conditions. What differs between two GETs is not compared. */

import type { Exchange } from "../lib/exchange.ts";
import { isSuccess, varyOf } from "../oracle/check.ts";
import type { Session } from "../run/session.ts";
import { declareRules, type RuleName } from "../lib/rules.ts";
import { DOCUMENTED_RULES } from "../oracle/documented.ts";
import { HTTP_RULES } from "../oracle/http.ts";

const RULES = declareRules({
  head_offered: "advice: HEAD works where GET does (RFC 9110 §9.1)",
  head_equals_get: "breach: HEAD has status and Content-Length of GET (RFC 9110 §8.6, §9.3.2)",
});

/** Fields of one answer or one connection, also if two answers happen to have the same value. */
const VARYING = new RegExp(
  "^(?:date|age|expires|connection|keep-alive|transfer-encoding|set-cookie|via|alt-svc|nel|report-to" +
    "|.*request-?id|.*correlation-?id|.*trace.*|server-timing|x-runtime|x-(?:process|response)-time" +
    "|.*rate-?limit.*|retry-after|cf-.*|x-cache.*|x-served-by|x-timer)$",
);

/** What a 304 repeats of its 200 (RFC 9110 §15.4.5). */
const REPEATED = ["cache-control", "content-location", "date", "etag", "expires", "vary"];

type Broken = readonly [check: RuleName, message: string];

interface Got {
  readonly get: Exchange;
  /** The names of the fields that another GET answered otherwise. */
  readonly varying: ReadonlySet<string>;
  /** The number of conditional requests, if not all. */
  readonly most?: number;
}

export async function checkGet(session: Session, get: Exchange): Promise<void> {
  const again = await session.send(get.call, { title: `${get.title}, again` });
  await compareGet(session, { get, varying: varyingFields(get, again) });
}

export async function compareGet(session: Session, got: Got): Promise<void> {
  const { call, answer, title } = got.get;
  const report = (exchange: Exchange, problems: readonly Broken[]) =>
    problems.forEach(([check, message]) => session.report(check, message, { exchange }));
  const head = { ...call, method: "HEAD" };
  if (session.permits(head) === undefined) {
    const exchange = await session.send(head, { title: `HEAD: ${title}` });
    report(exchange, headProblems(exchange, got));
  }
  for (const condition of isSuccess(got.get) ? conditionsOf(got) : []) {
    const { field, value, which, want, check } = condition;
    const headers = [...call.headers ?? [], [field, value] as const];
    const exchange = await session.send({ ...call, headers }, { title: `${title}, with ${which}` });
    const { status } = exchange.answer;
    if (status !== answer.status && status !== 304) continue;
    const other: Broken = [check, `${field} with ${which} got ${status} instead of ${want}`];
    report(exchange, status === want ? notModifiedProblems(exchange, got) : [other]);
    // A service that does not obey its tag does not obey its other form either.
    if (status !== want) return;
  }
}

function varyingFields({ answer: one }: Exchange, { answer: other }: Exchange): Set<string> {
  const names = [...one.headers.keys(), ...other.headers.keys()];
  const varying = names.filter((name) => one.headers.get(name) !== other.headers.get(name));
  return new Set(one.text === other.text ? varying : [...varying, "content-length"]);
}

function headProblems(
  { answer: head }: Exchange,
  { get: { answer: get }, varying }: Got,
): Broken[] {
  if (head.status === 0 || head.status >= 500 && head.status !== 501) return [];
  if (head.status !== get.status) {
    return [404, 405, 501].includes(head.status)
      ? [[RULES.head_offered, `HEAD got ${head.status}`]]
      : [[RULES.head_equals_get, `HEAD got ${head.status}, GET ${get.status}`]];
  }
  const problems: Broken[] = [];
  const length = head.headers.get("content-length");
  // Without Content-Length and coding the length is that of the body.
  const wanted = get.headers.get("content-length") ??
    (get.headers.has("content-encoding") || get.isCut === true ? length : String(get.body.length));
  if (length !== null && length !== wanted && !varying.has("content-length")) {
    // Deno writes 0 for every HEAD without a length: no service can help that.
    const check = length === "0" ? DOCUMENTED_RULES.head_fields : RULES.head_equals_get;
    problems.push([check, "HEAD has another content-length than GET"]);
  }
  for (const name of new Set([...get.headers.keys(), ...head.headers.keys()])) {
    if (name === "content-length" || VARYING.test(name) || varying.has(name)) continue;
    const [one, other] = [get, head].map(({ headers }) =>
      name === "vary" ? varyOf(headers).toSorted().join() : headers.get(name)
    );
    const has = one === null ? "has, unlike GET," : "differs from GET in";
    const problem = `HEAD ${other === null ? "lacks" : has} ${name}`;
    if (one !== other) problems.push([DOCUMENTED_RULES.head_fields, problem]);
  }
  return problems;
}

/** GET obeys its own entity tag and date, and no other tag. */
function conditionsOf({ get: { answer: { headers, status } }, varying, most }: Got) {
  const [etag, date] = ["etag", "last-modified"]
    .map((name) => varying.has(name) ? null : headers.get(name));
  // The comparison is weak: a tag matches with and without W/ (RFC 9110 §13.1.2).
  const otherForm = etag?.startsWith("W/") ? etag.slice(2) : `W/${etag}`;
  const { not_modified, revalidation } = HTTP_RULES;
  const byTag = { value: etag, want: 304, check: not_modified, field: "If-None-Match" };
  const byDate = { value: date, want: 304, check: revalidation, field: "If-Modified-Since" };
  const conditions = [
    { ...byTag, which: "the entity tag" },
    { ...byTag, which: "the other form of the entity tag", value: etag && otherForm },
    { ...byTag, which: "another entity tag", value: etag && '"other"', want: status },
    { ...byDate, which: "the date of the 200" },
  ];
  return conditions.flatMap(({ value, ...one }) => value ? [{ ...one, value }] : []).slice(0, most);
}

function notModifiedProblems({ answer }: Exchange, { get, varying }: Got): Broken[] {
  if (answer.status !== 304) return [];
  return REPEATED.filter((name) => !varying.has(name)).flatMap((name): Broken[] => {
    const [had, has] = [get.answer, answer].map(({ headers }) => headers.get(name));
    if (had === null || had === has || (has !== null && VARYING.test(name))) return [];
    return has === null
      ? [[HTTP_RULES.not_modified, `304 without ${name}`]]
      : [[HTTP_RULES.revalidation, `304 and 200 differ in ${name}`]];
  });
}
