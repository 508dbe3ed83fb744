/**
 * @module The address that a request is counted by.
 *
 * The socket's address, or with trusted proxies in front the n-th from the right of
 * X-Forwarded-For: entries that a client writes itself are further left and change nothing.
 * IPv4-mapped IPv6 is unwrapped and IPv6 is cut to its /64, the smallest block that one subscriber
 * gets (RFC 6177), so that one client is one key. The result never leaves memory: logs and KV keys
 * do not hold it.
 */

/** `::ffff:192.0.2.1`, and the same in groups: `::ffff:c000:201` (RFC 4291 §2.5.5.2). */
const MAPPED_IPV4 = /^(?:0*:)*:?ffff:(?:(\d+\.\d+\.\d+\.\d+)|([\da-f]{1,4}):([\da-f]{1,4}))$/i;

/** The address that a request is counted by, from its connection and its fields. */
export function requestAddress(
  request: Request,
  { remoteAddr, trustedHops }: { readonly remoteAddr: Deno.Addr; readonly trustedHops: number },
): string {
  const remote = "hostname" in remoteAddr ? remoteAddr.hostname : "local";
  const forwarded = trustedHops > 0 ? request.headers.get("x-forwarded-for") : null;
  return clientAddress(remote, { forwarded, trustedHops });
}

/**
 * The same, from the socket's address and the field.
 *
 * @param remote the socket's address
 * @param options.forwarded the X-Forwarded-For field, `null` when absent
 * @param options.trustedHops how many of our own proxies appended to it; 0 ignores the field
 * @example One proxy of our own in front; the client's own entry is further left
 * ```ts
 * import { strictEqual } from "node:assert/strict";
 *
 * const forwarded = "1.1.1.1, 203.0.113.9";
 * strictEqual(clientAddress("10.0.0.1", { forwarded, trustedHops: 1 }), "203.0.113.9");
 * const address = "2001:db8:1:2:3:4:5:6";
 * strictEqual(clientAddress(address, { forwarded, trustedHops: 0 }), "2001:db8:1:2::/64");
 * ```
 *
 * @returns an IPv4 address or an IPv6 /64 in the form `a:b:c:d::/64`; what is neither, as it is
 */
export function clientAddress(
  remote: string,
  { forwarded, trustedHops }: { readonly forwarded: string | null; readonly trustedHops: number },
): string {
  return normalise(trustedHops > 0 ? hop(forwarded, trustedHops) ?? remote : remote);
}

/** The n-th entry from the right, or undefined where the field is shorter or the entry no address. */
function hop(forwarded: string | null, trustedHops: number): string | undefined {
  const entry = forwarded?.split(",").at(-trustedHops)?.trim();
  if (entry === undefined || entry === "") return undefined;
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1];
  const address = bracketed ?? entry.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1");
  // No address is longer (RFC 4291 §2.2): a client must not choose the size of its key.
  return /^[\da-f:.]{2,45}$/i.test(address) ? address : undefined;
}

function normalise(address: string): string {
  if (!address.includes(":")) return address;
  const bare = address.replace(/%.*$/, "");
  const [, dotted, high, low] = MAPPED_IPV4.exec(bare) ?? [];
  if (dotted !== undefined) return dotted;
  if (high !== undefined && low !== undefined) return dotsOf([high, low]);
  return `${firstFourGroups(bare).join(":")}::/64`;
}

/** Two groups of an IPv6 address as an IPv4 address. */
function dotsOf(groups: readonly string[]): string {
  return groups.map((group) => parseInt(group, 16))
    .flatMap((bits) => [bits >> 8, bits & 255])
    .join(".");
}

/** The first 64 bits, each group without leading zeros: `2001:db8::1` gives 2001, db8, 0, 0. */
function firstFourGroups(address: string): string[] {
  const [head = "", tail] = address.split("::", 2);
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const missing = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  return [...left, ...Array<string>(missing).fill("0"), ...right]
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ""));
}
