/** @module Finds out what the rows for any service need: a probe, its usual answer, and who gives it. */

import type { Session } from "../session.ts";
import type { WireAnswer } from "./answers.ts";
import { getMessage, type Message, type Words } from "./message.ts";
import { ask, type Asked } from "./wire.ts";

export interface Survey {
  /** The path of a GET that works, below the base URL. */
  readonly probe: string;
  /** The median of the probe's milliseconds. */
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

/** Asks for a probe and for an unknown path; undefined if neither gets an answer. */
export async function survey(session: Session, probe?: string): Promise<Survey | undefined> {
  const { origin, host, pathname } = new URL(session.base);
  const base = pathname.replace(/\/$/, "");
  const get = (path: string) => ask(session.base, getMessage(base + path, host));
  const asked = await Promise.all(
    (probe === undefined ? probesOf(session) : [probe]).map(async (path) => ({
      path,
      ...await get(path),
    })),
  );
  const works = ({ answer }: Partial<Asked>) => Math.floor((answer?.status ?? 0) / 100) === 2;
  const answered = asked.filter(({ answer }) => answer !== undefined);
  const [found] = answered.toSorted((one, other) =>
    Number(works(other)) - Number(works(one)) ||
    one.answer!.body.length - other.answer!.body.length
  );
  const missing = unknownPath(session);
  const unknown = await get(missing);
  if (found?.answer === undefined || unknown === undefined) return undefined;
  return {
    probe: found.path,
    ms: found.ms ?? 0,
    names: { usual: String(found.answer.status), unknown: String(unknown.answer.status) },
    words: {
      base,
      origin,
      host,
      probe: base + found.path,
      unknown: base + missing,
      body: `GET ${base}${missing} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    },
    server: serverOf(found.answer),
    proxy: proxyOf(found.answer),
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

/** A path that no operation has. */
function unknownPath({ contract: { document } }: Session): string {
  let path = "/no-such-path";
  while (document.operationsAt(path).length > 0) path += "/no-such-path";
  return path;
}

/** Whether a message may be sent: it is permitted, and no POST can reach an operation. */
export function mayBeSent(
  { base, permits, contract }: Session,
  { calls }: Message,
): boolean {
  const below = new URL(base).pathname.replace(/\/$/, "");
  // A template at the beginning may take any path, whatever its number of segments.
  const isCaught = contract.document.operations.some(({ method, path }) =>
    method === "POST" && path.startsWith("/{")
  );
  return calls.every((call) => {
    if (call === undefined) return true;
    const { method, path } = call;
    return permits({ method, path: path.slice(below.length) }) === undefined &&
      !(isCaught && method === "POST");
  });
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
