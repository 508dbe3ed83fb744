/** @module Finds out what the rows for any service need: a probe, its usual answer, and who gives it. */

import type { Session } from "../session.ts";
import type { WireAnswer } from "./answers.ts";
import { getMessage, type Words } from "./message.ts";
import type { Place } from "./send_row.ts";
import { ask } from "./wire.ts";

export interface Survey extends Place {
  /** The milliseconds of the probe. */
  readonly ms: number;
  /** What `usual` and `unknown` mean in outcomes. */
  readonly names: Readonly<Record<string, string>>;
  readonly words: Words;
  /** The Server fields of the probe's answer. */
  readonly server: string;
  /** The field that shows a proxy or a platform in front of the service. */
  readonly proxy: string | undefined;
}

/** Operations that are tried as the probe. */
const MOST_TRIED = 5;

/** A path that no document has. */
const UNKNOWN = "/no-such-path";

/** The shortest time to wait for a second answer. */
const STILL_MS = 300;

/** Asks for a probe and for an unknown path; undefined without answers. */
export async function survey(session: Session, named?: string): Promise<Survey | undefined> {
  const { origin, host, pathname } = new URL(session.base);
  const base = pathname.replace(/\/$/, "");
  const get = (path: string) => ask(session.base, getMessage(base + path, host));
  const paths = named === undefined ? probesOf(session) : [named];
  const asked = await Promise.all(paths.map(async (path) => ({ path, one: await get(path) })));
  const found = [300, 600].map((most) =>
    asked.find(({ one }) => one !== undefined && one.answer.status < most)
  ).find((one) => one !== undefined);
  if (found?.one === undefined) return undefined;
  const { path, one: { answer, ...one } } = found;
  // If only some operations may be called, the unknown path is that of the probe too.
  const missing = isPermitted(session, UNKNOWN) ? UNKNOWN : path;
  const other = await get(missing);
  const ms = Math.min(one.ms, other?.ms ?? one.ms);
  const [probe, unknown] = [base + path, base + missing];
  const body = `GET ${unknown} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  return {
    base: session.base,
    host,
    probe,
    code: session.contract.profile.errors?.code,
    ms,
    stillMs: Math.max(STILL_MS, 3 * ms),
    names: { usual: String(answer.status), unknown: String(other?.answer.status ?? "xxx") },
    words: { base, origin, host, probe, unknown, body },
    server: serverOf(answer),
    proxy: proxyOf(answer),
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

function serverOf({ headers }: WireAnswer): string {
  return headers.get("server") ?? "";
}

/** Whether a gateway (RFC 9110 §15.6.3, §15.6.5) or another server than the probe's answered. */
export function isByOther(answer: WireAnswer, { server }: Pick<Survey, "server">): boolean {
  return [502, 504].includes(answer.status) || !["", server].includes(serverOf(answer));
}

/** Fields that only proxies and platforms add, and their names in Server. */
const PROXY_FIELD =
  /^(?:via|cf-ray|x-(?:cache|served-by|vercel-id|nf-request-id|azure-ref|sucuri-id|fastly-request-id|amz-cf-id|amz-apigw-id|render-origin-server|railway-request-id|envoy-upstream-service-time|kong-proxy-latency)|fly-request-id)$/i;
const PROXY_SERVER =
  /^(?:cloudflare|cloudfront|awselb|akamai|google|gws|vercel|netlify|fly|envoy|istio|heroku|railway|bunny|varnish|squid|deno\/)/i;

function proxyOf({ fields }: WireAnswer): string | undefined {
  return fields.find(([name, value]) =>
    PROXY_FIELD.test(name) || (/^server$/i.test(name) && PROXY_SERVER.test(value))
  )?.join(": ");
}
