/** @module Finds out what the rows for any service need: a probe, its usual answer, and who gives it. */

import type { Session } from "../session.ts";
import type { WireAnswer } from "./answers.ts";
import { getMessage, type Message, type Words } from "./message.ts";
import { ask, type Asked } from "./wire.ts";

export interface Survey {
  /** The milliseconds of the probe. */
  readonly ms: number;
  /** Replacements of `usual` and `unknown` in outcomes. */
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

/** Asks for a probe and for an unknown path; undefined if neither gets an answer. */
export async function survey(session: Session, named?: string): Promise<Survey | undefined> {
  const { origin, host, pathname } = new URL(session.base);
  const base = pathname.replace(/\/$/, "");
  const paths = named === undefined ? probesOf(session) : [named];
  const [unknown, ...asked] = await Promise.all([UNKNOWN, ...paths].map(async (path) => {
    const one = await ask(session.base, getMessage(base + path, host));
    return one === undefined ? [] : [{ path, ...one }];
  }));
  const rank = ({ answer }: Asked) => answer.body.length + (answer.status < 300 ? 0 : Infinity);
  const [found] = asked.flat().toSorted((one, other) => rank(one) < rank(other) ? -1 : 1);
  if (found === undefined || unknown?.[0] === undefined) return undefined;
  const { path, ms, answer } = found;
  const [probe, missing] = [base + path, base + UNKNOWN];
  const body = `GET ${missing} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  return {
    ms,
    names: { usual: String(answer.status), unknown: String(unknown[0].answer.status) },
    words: { base, origin, host, probe, unknown: missing, body },
    server: serverOf(answer),
    proxy: proxyOf(answer),
  };
}

/** The paths of documented GETs without required parameters, and the root. */
function probesOf({ contract, permits }: Session): string[] {
  const safe = contract.document.operations.filter(({ method, path, parameters, secured }) =>
    method === "GET" && !path.includes("{") && !secured &&
    !parameters.some(({ required }) => required) && permits({ method, path }) === undefined
  );
  return [...safe.map(({ path }) => path).slice(0, MOST_TRIED), "/"];
}

/** Whether a message may be sent: it is permitted, and no POST can reach an operation. */
export function mayBeSent(
  { permits, contract }: Session,
  { calls, words }: Pick<Message, "calls"> & Pick<Survey, "words">,
): boolean {
  // A template at the beginning may take any path, whatever its number of segments.
  const isCaught = contract.document.operations.some(({ method, path }) =>
    method === "POST" && path.startsWith("/{")
  );
  return calls.every((call) =>
    call === undefined ||
    (permits({ ...call, path: call.path.slice(words["base"]!.length) }) === undefined &&
      !(isCaught && call.method === "POST"))
  );
}

export function serverOf({ fields }: WireAnswer): string {
  return fields.filter(([name]) => name.toLowerCase() === "server").map(([, value]) => value)
    .join(", ");
}

/** Fields that only proxies and platforms add, and their names in Server. */
const PROXY_FIELD =
  /^(?:via|cf-ray|x-(?:cache|served-by|vercel-id|nf-request-id|azure-ref|sucuri-id|fastly-request-id|amz-cf-id|amz-apigw-id|render-origin-server|railway-request-id|envoy-upstream-service-time|kong-proxy-latency)|fly-request-id)$/i;
const PROXY_SERVER =
  /^(?:cloudflare|cloudfront|awselb|akamai|google|gws|vercel|netlify|fly|envoy|istio|heroku|railway|bunny|varnish|squid|deno\/)/i;

function proxyOf({ fields }: WireAnswer): string | undefined {
  const field = fields.find(([name, value]) =>
    PROXY_FIELD.test(name) || (name.toLowerCase() === "server" && PROXY_SERVER.test(value))
  );
  return field?.join(": ");
}
