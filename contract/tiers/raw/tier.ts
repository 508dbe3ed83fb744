/**
 * @module The raw tier: rows over sockets, as `fetch` refuses odd messages. `generic.yaml` fits
 * any service; rows of `raw.yaml` in the folder of cases replace those with their titles.
 */

import pMap from "p-map";
import type { Call, Exchange } from "../../lib/exchange.ts";
import type { Seen, Session, Tier } from "../../run/session.ts";
import type { Problem } from "../../document/document.ts";
import { exampleBody } from "../../request/operation_input.ts";
import { readYaml } from "../../lib/yaml_file.ts";
import { getMessage, messageOf, type Names, RawFile, type RawRow, rowsOf } from "./rows.ts";
import { finalAnswers, isOfPlatform, rowProblems } from "./outcome.ts";
import { ask, isOnDeno, openSocket, type Place, sendRow } from "./wire.ts";
import { declareRules } from "../../lib/rules.ts";
import type { WireAnswer } from "./answers.ts";

const RULES = declareRules({
  raw_survival: "advice: the service answers while many connections have sent half a request",
});

/** Concurrent rows, in addition to those that wait. */
const WORKERS = 6;

/** Connections with half a request: to an own instance, and to the service of somebody else. */
const HALF_SENT = { own: 200, other: 20 };

export const rawTier: Tier = {
  name: "raw",
  tries: "over sockets: Host, lengths, chunks, targets, methods, stalls, floods, pipelining",
  live: false,
  // A service may keep each row waiting.
  share: 0.3,
  async run(session) {
    const { base, cases, note } = session;
    const file = cases && await readYaml(new URL("raw.yaml", cases), RawFile);
    const isAtRoot = new URL(base).pathname === "/";
    if (file !== undefined && !isAtRoot) note("raw.yaml not sent: the base URL has a path");
    const found = await survey(session, isAtRoot ? file?.probe : undefined);
    if (found === undefined) return note("no row sent: the service answers no GET");
    const own = file !== undefined && isAtRoot ? rowsOf(file, found.names) : [];
    const isDeno = await isOnDeno(session);
    const rows = own.filter(({ by, platform }) =>
      isDeno || (by === "service" && platform === undefined)
    );
    const left = own.length - rows.length;
    if (left > 0) note(`${left} rows not sent: they need another platform`);
    const titles = new Set(rows.map(({ title }) => title));
    const generic = (await readYaml(new URL("generic.yaml", import.meta.url), RawFile))!;
    const general = rowsOf(generic, found.names).filter(({ title }) => !titles.has(title));
    if (found.proxy === undefined) rows.push(...general);
    else {
      const count = `${general.length} rows for any service`;
      note(`${count} not sent: a proxy answers, not the service (${found.proxy})`);
    }
    await runRows(session, rows, found);
    const byDeno = rows.filter(({ by }) => by === "platform").length;
    const lenient = rows.filter(({ deviates }) => deviates !== undefined).length;
    const known = `: ${byDeno} answered by Deno itself, ${lenient} deviate from a standard`;
    note(`${rows.length} rows${byDeno + lenient > 0 ? known : ""}`);
    if (found.proxy !== undefined) return;
    const half = session.launcher === undefined ? HALF_SENT.other : HALF_SENT.own;
    const message = await survivalProblem(found, half);
    const where = `GET ${found.words.probe}`;
    if (message !== undefined) session.report(RULES.raw_survival, message, { where });
  },
};

/** The problems of a row, or why it was not judged. */
type Outcome = string | readonly (Pick<Problem, "check" | "message"> & Seen)[];

async function runRows(session: Session, rows: readonly RawRow[], found: Survey): Promise<void> {
  const outcomes = new Map<RawRow, Outcome>();
  const slow = rows.filter(({ seconds }) => seconds !== undefined);
  const queue = [...slow, ...rows.filter((row) => !slow.includes(row))];
  await pMap(queue, async (row) => {
    const late = session.isOver() ? "not sent, because the time for them was over" : undefined;
    outcomes.set(row, late ?? await runRow(session, row, found));
    session.progress(outcomes.size, rows.length);
  }, { concurrency: slow.length + WORKERS });
  for (const [outcome, those] of Map.groupBy(rows, (row) => outcomes.get(row)!)) {
    if (typeof outcome !== "string") {
      outcome.forEach(({ check, message, ...seen }) => session.report(check, message, seen));
    } else session.note(`${outcome}: ${those.map(({ title }) => title).join("; ")}`);
  }
}

/** The milliseconds of a probe with which a row gets the longest time. */
const SLOW_MS = 150;

async function runRow(session: Session, row: RawRow, found: Survey): Promise<Outcome> {
  const { tier, base, launcher, contract } = session;
  const { title } = row;
  const isForAny = row.rfc !== undefined;
  const operation = contract.document.operations.find(({ id }) => id === row.operation);
  const valid = operation && exampleBody(session, operation);
  const body = valid === undefined ? found.words.body : JSON.stringify(valid);
  const message = messageOf(row, { ...found.words, body });
  const calls = message.calls.filter(({ path }) => path.startsWith("/"));
  if (isForAny && !calls.every((call) => mayBeSent(session, call))) {
    return "not sent, because not permitted";
  }
  let received = await sendRow(row, { message, place: found });
  // A slow moment is no silence: it gets the whole time before it counts.
  const isSilent = isForAny && finalAnswers(received).length === 0;
  if (isSilent && rowProblems(row, received).length > 0) {
    received = await sendRow(row, { message, place: { ...found, ms: SLOW_MS } });
  }
  const line = message.text;
  const finals = finalAnswers(received);
  const exchanges = (finals.length === 0 ? [SILENCE] : finals).map((answer, index): Exchange => {
    const call = message.calls[index] ?? { method: "", path: "/" };
    const sent = { tier, base, call, title, line, bytes: message.parts };
    return { ...sent, answer: { ...answer, ms: received.ms } };
  });
  for (const [index, one] of finals.entries()) {
    const exchange = exchanges[index]!;
    const isJudged = !isForAny && calls.includes(exchange.call) && !isOfPlatform(one);
    if (isJudged) session.record(exchange);
  }
  const problems = rowProblems(row, received);
  if (problems.length === 0) return [];
  // A refusal over a limit proves nothing about the row; some servers refuse load with 503.
  const isLimited = finals.some(({ status }) => status === 429 || status === 503);
  if (isLimited && launcher === undefined) return "not judged, because refused over a limit";
  if (isForAny && finals[0] !== undefined && isByOther(finals[0], found)) {
    return "not judged, because another server answered";
  }
  return problems.map((problem) => ({ ...problem, where: title, exchange: exchanges.at(-1) }));
}

const SILENCE = { status: 0, headers: new Headers(), body: new Uint8Array(), text: "(no answer)" };

/** Whether a request may be sent. Odd methods are safe. */
function mayBeSent({ base, permits }: Session, { method, path }: Call): boolean {
  const below = path.slice(new URL(base).pathname.replace(/\/$/, "").length);
  const asked = ["HEAD", "OPTIONS", "POST", "TRACE"].includes(method) ? method : "GET";
  return permits({ method: asked, path: below }) === undefined;
}

export interface Survey extends Place {
  /** What `usual` and `unknown` mean in outcomes. */
  readonly names: Names;
  /** The Server field of the probe's answer. */
  readonly server: string | null;
  /** The field that shows a proxy or a platform in front of the service. */
  readonly proxy: string | undefined;
}

const MOST_TRIED = 5;

const UNKNOWN = "/no-such-path";

export async function survey(session: Session, named?: string): Promise<Survey | undefined> {
  const { origin, host, pathname } = new URL(session.base);
  const base = pathname.replace(/\/$/, "");
  const get = async (path: string) => {
    const answer = await ask(session.base, getMessage(base + path, host));
    return answer && { path: base + path, answer };
  };
  const paths = named === undefined ? probesOf(session) : [named];
  const asked = (await Promise.all(paths.map(get))).filter((one) => one !== undefined);
  const usual = asked.find(({ answer }) => answer.status < 300) ?? asked[0];
  if (usual === undefined) return undefined;
  // If only some operations may be called, the unknown path is that of the probe too.
  const other = isPermitted(session, UNKNOWN) ? await get(UNKNOWN) : usual;
  const ms = Math.min(usual.answer.ms, other?.answer.ms ?? Infinity);
  const [probe, unknown] = [usual.path, other?.path ?? base + UNKNOWN];
  const body = `GET ${unknown} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  const { status, headers, fields } = usual.answer;
  return {
    base: session.base,
    code: session.contract.profile.errors?.code,
    words: { base, origin, host, probe, unknown, body },
    names: { usual: String(status), unknown: String(other?.answer.status ?? "xxx") },
    ms,
    server: headers.get("server"),
    proxy: fields.find(isOfProxy)?.join(": "),
  };
}

function isPermitted({ permits }: Session, path: string): boolean {
  return permits({ method: "GET", path }) === undefined;
}

/** The paths of documented GETs without required parameters, and the root. */
function probesOf(session: Session): string[] {
  const paths = session.contract.document.operations.filter((operation) =>
    operation.method === "GET" && !operation.path.includes("{") && !operation.secured &&
    !operation.parameters.some(({ required }) => required)
  ).map(({ path }) => path).filter((path) => isPermitted(session, path));
  return paths.length > 0 || !isPermitted(session, "/") ? paths.slice(0, MOST_TRIED) : ["/"];
}

/** Whether a gateway (RFC 9110 §15.6.3, §15.6.5) or another server than the probe's answered. */
export function isByOther({ status, headers }: WireAnswer, { server }: Survey): boolean {
  const other = headers.get("server");
  return [502, 504].includes(status) || (other !== null && other !== server);
}

/** Fields that only proxies and platforms add, and their names in Server. */
const PROXY_FIELD =
  /^(?:via|cf-ray|x-(?:cache|served-by|vercel-id|nf-request-id|azure-ref|sucuri-id|fastly-request-id|amz-cf-id|amz-apigw-id|render-origin-server|railway-request-id|envoy-upstream-service-time|kong-proxy-latency)|fly-request-id)$/i;
const PROXY_SERVER =
  /^(?:cloudflare|cloudfront|awselb|akamai|google|gws|vercel|netlify|fly|envoy|istio|heroku|railway|bunny|varnish|squid|deno\/)/i;

function isOfProxy([name, value]: WireAnswer["fields"][number]): boolean {
  return PROXY_FIELD.test(name) || (/^server$/i.test(name) && PROXY_SERVER.test(value));
}

/** The probe may be this many times slower, plus `AND_MS`: the machine is busy. */
const SLOWER = 20;
const AND_MS = 500;

const TRIES = 3;

export async function survivalProblem(
  { base, words: { probe = "", host }, ms }: Survey,
  count: number,
): Promise<string | undefined> {
  await using sockets = new AsyncDisposableStack();
  try {
    for (let open = 0; open < count; open++) {
      const socket = sockets.use(await openSocket(base));
      await socket.send(getMessage(probe, host).slice(0, -2));
    }
    const message = getMessage(probe, `${host}\r\nUser-Agent: contract`);
    const asked = await Promise.all(Array.from({ length: TRIES }, () => ask(base, message)));
    const fastest = Math.min(...asked.map((one) => one?.ms ?? Infinity));
    if (fastest === Infinity) return "it no longer answers";
    return fastest > SLOWER * ms + AND_MS ? "it answers far more slowly" : undefined;
  } catch {
    return "it no longer answers";
  }
}
