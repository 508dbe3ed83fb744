/**
 * @module clientAddress(): sockets, proxies, IPv6 blocks; more notations are in
 * `contract/service/instances.yaml`.
 */

import { strictEqual as equal } from "node:assert/strict";
import { clientAddress } from "../../../routes/http/client_address.ts";

const UNPROXIED = { forwarded: null, trustedHops: 0 };

const SOCKETS: readonly (readonly [string, string])[] = [
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["::ffff:c000:201", "192.0.2.1"],
  ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
  ["::ffff:1:2:3", "0:0:0:0::/64"],
  ["2001::2:3:4:5:6:7", "2001:0:2:3::/64"],
  ["::1", "0:0:0:0::/64"],
  ["::", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["local", "local"],
];

/** X-Forwarded-For, trusted hops, and the client behind the proxy 10.0.0.1. */
const FORWARDED: readonly (readonly [string | null, number, string])[] = [
  ["198.51.100.7", 0, "10.0.0.1"],
  [null, 1, "10.0.0.1"],
  ["198.51.100.7", 1, "198.51.100.7"],
  ["203.0.113.9, 198.51.100.7, 10.0.0.2", 2, "198.51.100.7"],
  ["198.51.100.7", 2, "10.0.0.1"],
  ["198.51.100.7, ", 1, "10.0.0.1"],
  ["[2001:db8:1:2::1]:4711", 1, "2001:db8:1:2::/64"],
  ["unknown", 1, "10.0.0.1"],
  ["0".repeat(46), 1, "10.0.0.1"],
];

Deno.test("clientAddress() unwraps IPv4 in IPv6 and cuts IPv6 to its /64", () => {
  for (const [remote, client] of SOCKETS) equal(clientAddress(remote, UNPROXIED), client);
});

Deno.test("clientAddress() takes the n-th address from the right of X-Forwarded-For", () => {
  for (const [forwarded, trustedHops, client] of FORWARDED) {
    equal(clientAddress("10.0.0.1", { forwarded, trustedHops }), client, `${forwarded}`);
  }
});
