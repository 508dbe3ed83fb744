/**
 * @module The address that a request is counted by: the socket's, or with trusted proxies in front the
 * n-th from the right of X-Forwarded-For. Entries that a client writes itself are further left and
 * have no effect. The address stays in memory: neither logs nor KV keys contain it.
 */

import { MAX_LENGTH } from "./fields.ts";

/**
 * Returns an IPv4 address, an IPv6 /64 in the form `a:b:c:d::/64`, the smallest block that a
 * subscriber gets (RFC 6177), or anything else unchanged.
 *
 * @param options.trustedHops how many of our own proxies appended to `forwarded`; 0 ignores it
 */
export function clientAddress(
  remote: string,
  { forwarded, trustedHops }: { readonly forwarded: string | null; readonly trustedHops: number },
): string {
  return blockOf(trustedHops > 0 ? hop(forwarded, trustedHops) ?? remote : remote);
}

/**
 * The n-th entry from the right; undefined if the field is shorter or the entry no address. Of a long field
 * only the end counts, which our own proxies wrote: a client that fills the rest still has its address.
 */
function hop(forwarded: string | null, trustedHops: number): string | undefined {
  const entry = forwarded?.slice(-MAX_LENGTH).split(",").at(-trustedHops)?.trim() ?? "";
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1];
  const address = bracketed ?? entry.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1");
  // No address is longer (RFC 4291 §2.2): a client must not choose the size of its key.
  return /^[\da-f:.]{2,45}$/i.test(address) ? address : undefined;
}

/** The /64 of an IPv6 address, or the IPv4 address that it stands for (RFC 4291 §2.5.5.2). */
function blockOf(address: string): string {
  if (!address.includes(":")) return address;
  // The URL parser compresses any IPv6 address (WHATWG URL §3.5), and rejects zones.
  const ipv6 = URL.parse(`http://[${address.replace(/%.*$/, "")}]`)?.hostname.slice(1, -1);
  if (ipv6 === undefined) return address;
  const [left = [], right = []] = ipv6.split("::").map((part) => part.split(":").filter(Boolean));
  const zeros = Array<string>(8 - left.length - right.length).fill("0");
  const groups = [...left, ...zeros, ...right];
  return ipv6.startsWith("::ffff:") && right.length === 3
    ? groups.slice(6).map((group) => parseInt(group, 16))
      .flatMap((bits) => [bits >> 8, bits & 255])
      .join(".")
    : `${groups.slice(0, 4).join(":")}::/64`;
}
