/** @module The probe of a service, its usual answer, and whether half requests keep it busy. */

import type { Session } from "../../run/session.ts";
import type { Socket } from "../../lib/socket.ts";
import type { WireAnswer } from "./answers.ts";
import { getMessage, type Names } from "./rows.ts";
import { ask, openSocket, type Place } from "./wire.ts";

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
  const sockets: Socket[] = [];
  try {
    while (sockets.length < count) {
      const socket = await openSocket(base);
      sockets.push(socket);
      await socket.send(getMessage(probe, host).slice(0, -2));
    }
    const message = getMessage(probe, `${host}\r\nUser-Agent: contract`);
    const asked = await Promise.all(Array.from({ length: TRIES }, () => ask(base, message)));
    const fastest = Math.min(...asked.map((one) => one?.ms ?? Infinity));
    if (fastest === Infinity) return "it no longer answers";
    return fastest > SLOWER * ms + AND_MS ? "it answers far more slowly" : undefined;
  } catch {
    return "it no longer answers";
  } finally {
    await Promise.all(sockets.map((socket) => socket.close()));
  }
}
