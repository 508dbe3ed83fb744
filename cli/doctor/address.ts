/** @module Host and port of a target's URL or of KV_PATH. */

import { isRemote } from "../../config/kv_path.ts";

/** A place to connect to. */
export interface Address {
  readonly hostname: string;
  readonly port: number;
  /** Host and port, as permissions and people write them. */
  readonly host: string;
  /** TLS from the first byte. */
  readonly secure: boolean;
}

const PORTS = new Map([["https", 443], ["http", 80], ["smtps", 465], ["smtp", 587]]);

/** The address of a URL; the part before a `+` in its scheme is a dialect. Undefined: unknown. */
export function addressOf({ protocol, hostname, port }: URL): Address | undefined {
  const scheme = protocol.slice(0, -1).split("+").at(-1)!;
  const usual = PORTS.get(scheme);
  if (usual === undefined || hostname === "") return undefined;
  const number = Number(port) || usual;
  return {
    hostname: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: number,
    host: `${hostname}:${number}`,
    secure: scheme.endsWith("s"),
  };
}

/** Whether a host name is this machine's own. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)$|\.localhost$/i.test(hostname);
}

/** The KV Connect URL that a KV path is, or none. */
export function connectUrl(kvPath: string | undefined): URL[] {
  const url = kvPath !== undefined && isRemote(kvPath) ? URL.parse(kvPath) : null;
  return url === null ? [] : [url];
}
