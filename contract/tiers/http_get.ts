/**
 * @module Rules for GET that compare several answers: HEAD answers alike, and conditional requests get
 * a 304. What differs between two GETs varies by nature and is not compared.
 */

import type { Exchange } from "../exchange.ts";
import { varyOf } from "../expectation.ts";
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

/** A successful GET, and the names of the fields that another GET answered otherwise. */
export interface Got {
  readonly get: Exchange;
  readonly varying: ReadonlySet<string>;
}

/** Sends a documented GET again, by HEAD and with conditions. */
export async function checkGet(
  session: Session,
  { id, get }: { readonly id: string; readonly get: Exchange },
): Promise<void> {
  const call = { ...get.call, method: "HEAD" };
  const isAllowed = session.permits(call) === undefined;
  const head = isAllowed ? await session.send(call, { title: `HEAD of ${id}` }) : undefined;
  const again = await session.send(get.call, { title: `${id} again` });
  const got = { get, varying: varyingFields(get, again) };
  const faults = head === undefined ? [] : headFaults(head, got);
  for (const fault of faults) session.report({ ...fault, exchange: head });
  await checkConditions(session, { id, ...got });
}

function varyingFields({ answer: one }: Exchange, { answer: other }: Exchange): Set<string> {
  const names = [...one.headers.keys(), ...other.headers.keys()];
  const varying = names.filter((name) => one.headers.get(name) !== other.headers.get(name));
  return new Set(one.text === other.text ? varying : [...varying, "content-length"]);
}

/** The differences between the answers to GET and HEAD. */
export function headFaults(
  { answer: head }: Exchange,
  { get: { answer: get }, varying }: Got,
): Fault[] {
  if (head.status === 0 || head.status >= 500 && head.status !== 501) return [];
  if (head.status !== get.status) {
    const isOffered = ![404, 405, 501].includes(head.status);
    return isOffered
      ? [{ check: "head_equals_get", message: `HEAD got ${head.status}, GET ${get.status}` }]
      : [{ check: "head_offered", message: `HEAD got ${head.status}` }];
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
    const what = other === null
      ? "lacks"
      : one === null
      ? "has, unlike GET,"
      : "differs from GET in";
    faults.push({ check: "head_fields", message: `HEAD ${what} ${name}` });
  }
  return faults;
}

/** GET obeys its own entity tag and date, and no other tag. */
async function checkConditions(
  session: Session,
  { id, get, varying }: Got & { readonly id: string },
): Promise<void> {
  const { call, answer: { headers, status: ok } } = get;
  const [etag, modified] = ["etag", "last-modified"].map((name) =>
    varying.has(name) ? undefined : headers.get(name) ?? undefined
  );
  // The comparison is weak: a tag matches with and without W/ (RFC 9110 §13.1.2).
  const otherForm = etag?.startsWith("W/") ? etag.slice(2) : `W/${etag}`;
  const tags = [["another entity tag", '"other"', ok], ["the entity tag", etag!, 304], [
    "the other form of the entity tag",
    otherForm,
    304,
  ]] as const;
  const conditions = [
    ...(etag === undefined ? [] : tags).map((one) =>
      ["not_modified", "If-None-Match", ...one] as const
    ),
    ...[modified].filter((date) => date !== undefined)
      .map((date) =>
        ["revalidation", "If-Modified-Since", "the date of the 200", date, 304] as const
      ),
  ];
  for (const [check, name, which, value, want] of conditions) {
    const conditional = { ...call, headers: [...call.headers ?? [], [name, value] as const] };
    const exchange = await session.send(conditional, { title: `${id} with ${which}` });
    const { status } = exchange.answer;
    if (status !== ok && status !== 304) continue;
    const faults = status === want
      ? notModifiedFaults(exchange, { get, varying })
      : [{ check, message: `${name} with ${which} got ${status} instead of ${want}` }];
    for (const fault of faults) session.report({ ...fault, exchange });
    // A service that does not obey its tag does not obey its other form either.
    if (status !== want) return;
  }
}

/** What a 304 lacks of its 200, or has otherwise. */
export function notModifiedFaults({ answer }: Exchange, { get, varying }: Got): Fault[] {
  if (answer.status !== 304) return [];
  return REPEATED.filter((name) => !varying.has(name)).flatMap((name): Fault[] => {
    const [had, has] = [get.answer, answer].map(({ headers }) => headers.get(name));
    if (had === null || had === has || (has !== null && VARYING.test(name))) return [];
    return has === null
      ? [{ check: "not_modified", message: `304 without ${name}` }]
      : [{ check: "revalidation", message: `304 and 200 differ in ${name}` }];
  });
}
