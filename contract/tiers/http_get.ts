/**
 * @module Rules for GET that compare several answers: HEAD answers alike, and conditional requests get
 * a 304. What differs between two GETs varies by nature and is not compared.
 */

import type { Exchange } from "../exchange.ts";
import { varyOf } from "../expectation.ts";
import { isSuccess } from "../oracle/check.ts";
import type { Session } from "../session.ts";

/** Fields of one answer or one connection, also if two answers happen to have the same value. */
const VARYING = new RegExp(
  "^(?:date|age|expires|connection|keep-alive|transfer-encoding|set-cookie|via|alt-svc|nel|report-to" +
    "|.*request-?id|.*correlation-?id|.*trace.*|server-timing|x-runtime|x-(?:process|response)-time" +
    "|.*rate-?limit.*|retry-after|cf-.*|x-cache.*|x-served-by|x-timer)$",
);

/** What a 304 repeats of its 200 (RFC 9110 §15.4.5). */
const REPEATED = ["cache-control", "content-location", "date", "etag", "expires", "vary"];

interface Fault {
  readonly check: string;
  readonly message: string;
}

/** A GET to compare with. */
interface Got {
  readonly get: Exchange;
  /** The names of the fields that another GET answered otherwise. */
  readonly varying: ReadonlySet<string>;
}

/** Sends a documented GET again, by HEAD and with conditions. */
export async function checkGet(
  session: Session,
  { id, get }: { readonly id: string; readonly get: Exchange },
): Promise<void> {
  const again = await session.send(get.call, { title: `${id} again` });
  await compareGet(session, { id, get, varying: varyingFields(get, again) });
}

/** HEAD answers alike, and at most so many conditional requests get what they should. */
export async function compareGet(
  session: Session,
  { id, most, ...got }: Got & { readonly id: string; readonly most?: number },
): Promise<void> {
  const { call } = got.get;
  const other = { ...call, method: "HEAD" };
  const isAllowed = session.permits(other) === undefined;
  const head = isAllowed ? await session.send(other, { title: `HEAD of ${id}` }) : undefined;
  const faults = head === undefined ? [] : headFaults(head, got);
  for (const fault of faults) session.report({ ...fault, exchange: head });
  for (const condition of isSuccess(got.get) ? conditionsOf(got).slice(0, most) : []) {
    const { field, value, which, want } = condition;
    const headers = [...call.headers ?? [], [field, value] as const];
    const exchange = await session.send({ ...call, headers }, { title: `${id} with ${which}` });
    const { status } = exchange.answer;
    if (status !== got.get.answer.status && status !== 304) continue;
    const faults = status === want ? notModifiedFaults(exchange, got) : [{
      check: condition.check,
      message: `${field} with ${which} got ${status} instead of ${want}`,
    }];
    for (const fault of faults) session.report({ ...fault, exchange });
    // A service that does not obey its tag does not obey its other form either.
    if (status !== want) return;
  }
}

function varyingFields({ answer: one }: Exchange, { answer: other }: Exchange): Set<string> {
  const names = [...one.headers.keys(), ...other.headers.keys()];
  const varying = names.filter((name) => one.headers.get(name) !== other.headers.get(name));
  return new Set(one.text === other.text ? varying : [...varying, "content-length"]);
}

/** The differences between the answers to GET and HEAD. */
function headFaults({ answer: head }: Exchange, { get: { answer: get }, varying }: Got): Fault[] {
  if (head.status === 0 || head.status >= 500 && head.status !== 501) return [];
  if (head.status !== get.status) {
    const message = `HEAD got ${head.status}`;
    return [404, 405, 501].includes(head.status)
      ? [{ check: "head_offered", message }]
      : [{ check: "head_equals_get", message: `${message}, GET ${get.status}` }];
  }
  const faults: Fault[] = [];
  const length = head.headers.get("content-length");
  // Without Content-Length and coding the length is that of the body.
  const wanted = get.headers.get("content-length") ??
    (get.headers.has("content-encoding") || get.isCut === true ? length : String(get.body.length));
  if (length !== null && length !== wanted && !varying.has("content-length")) {
    // Deno writes 0 for every HEAD without a length: no service can help that.
    const check = length === "0" ? "head_fields" : "head_equals_get";
    faults.push({ check, message: "HEAD has another content-length than GET" });
  }
  for (const name of new Set([...get.headers.keys(), ...head.headers.keys()])) {
    if (name === "content-length" || VARYING.test(name) || varying.has(name)) continue;
    const [one, other] = [get, head].map(({ headers }) =>
      name === "vary" ? varyOf(headers).toSorted().join() : headers.get(name)
    );
    if (one === other) continue;
    const has = one === null ? "has, unlike GET," : "differs from GET in";
    faults.push({
      check: "head_fields",
      message: `HEAD ${other === null ? "lacks" : has} ${name}`,
    });
  }
  return faults;
}

/** GET obeys its own entity tag and date, and no other tag. */
function conditionsOf({ get: { answer: { headers, status } }, varying }: Got) {
  const [etag, date] = ["etag", "last-modified"]
    .map((name) => varying.has(name) ? null : headers.get(name));
  // The comparison is weak: a tag matches with and without W/ (RFC 9110 §13.1.2).
  const otherForm = etag?.startsWith("W/") ? etag.slice(2) : `W/${etag}`;
  const conditions = [
    { which: "the entity tag", value: etag, want: 304 },
    { which: "the other form of the entity tag", value: etag && otherForm, want: 304 },
    { which: "another entity tag", value: etag && '"other"', want: status },
  ].map((one) => ({ ...one, check: "not_modified", field: "If-None-Match" }));
  const dated = { which: "the date of the 200", value: date, want: 304 };
  conditions.push({ ...dated, check: "revalidation", field: "If-Modified-Since" });
  return conditions.flatMap(({ value, ...one }) => value ? [{ ...one, value }] : []);
}

/** What a 304 lacks of its 200, or has otherwise. */
function notModifiedFaults({ answer }: Exchange, { get, varying }: Got): Fault[] {
  if (answer.status !== 304) return [];
  return REPEATED.filter((name) => !varying.has(name)).flatMap((name): Fault[] => {
    const [had, has] = [get.answer, answer].map(({ headers }) => headers.get(name));
    if (had === null || had === has || (has !== null && VARYING.test(name))) return [];
    return has === null
      ? [{ check: "not_modified", message: `304 without ${name}` }]
      : [{ check: "revalidation", message: `304 and 200 differ in ${name}` }];
  });
}
