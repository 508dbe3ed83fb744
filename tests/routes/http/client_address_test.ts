/** @module Which address a request is counted by: sockets, proxies, IPv6 blocks. */

import { strictEqual as equal } from "node:assert/strict";
import { clientAddress } from "../../../routes/http/client_address.ts";
import { withApp } from "../../support/test_app.ts";

const UNPROXIED = { forwarded: null, trustedHops: 0 };

/** Socket address and the client it stands for. */
const SOCKETS: readonly (readonly [string, string])[] = [
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["::FFFF:192.0.2.1", "192.0.2.1"],
  ["0000:0000:0000:0000:0000:ffff:192.0.2.1", "192.0.2.1"],
  ["::ffff:c000:201", "192.0.2.1"],
  ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["::ffff:1:2:3", "0:0:0:0::/64"],
  ["2001:0DB8:0001:0002::1", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:db8::", "2001:db8:0:0::/64"],
  ["2001::2:3:4:5:6:7", "2001:0:2:3::/64"],
  ["::1", "0:0:0:0::/64"],
  ["::", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["local", "local"],
];

/** Field, trusted hops, and the client it stands for behind the proxy 10.0.0.1. */
const FORWARDED: readonly (readonly [string | null, number, string])[] = [
  ["198.51.100.7", 0, "10.0.0.1"],
  [null, 1, "10.0.0.1"],
  ["", 1, "10.0.0.1"],
  ["198.51.100.7", 1, "198.51.100.7"],
  ["203.0.113.9, 198.51.100.7", 1, "198.51.100.7"],
  ["203.0.113.9,198.51.100.7", 1, "198.51.100.7"],
  ["203.0.113.9, 198.51.100.7, 10.0.0.2", 2, "198.51.100.7"],
  ["1.1.1.1, 2.2.2.2, 203.0.113.9, 198.51.100.7, 10.0.0.2", 2, "198.51.100.7"],
  ["198.51.100.7", 2, "10.0.0.1"],
  ["198.51.100.7, ", 1, "10.0.0.1"],
  ["198.51.100.7:4711", 1, "198.51.100.7"],
  ["[2001:db8:1:2::1]", 1, "2001:db8:1:2::/64"],
  ["[2001:db8:1:2::1]:4711", 1, "2001:db8:1:2::/64"],
  ["2001:db8:1:2::1", 1, "2001:db8:1:2::/64"],
  ["::ffff:198.51.100.7", 1, "198.51.100.7"],
  ["unknown", 1, "10.0.0.1"],
  ["<script>", 1, "10.0.0.1"],
  ["0".repeat(46), 1, "10.0.0.1"],
];

Deno.test("a socket's address is unwrapped from IPv6, or cut to its /64", () => {
  for (const [remote, client] of SOCKETS) equal(clientAddress(remote, UNPROXIED), client);
});

Deno.test("behind proxies the address is the n-th from the right, where that is an address", () => {
  for (const [forwarded, trustedHops, client] of FORWARDED) {
    equal(clientAddress("10.0.0.1", { forwarded, trustedHops }), client, `${forwarded}`);
  }
});

Deno.test("all addresses of one /64 are one client, those of the next another", () => {
  const at = (address: string) => clientAddress(address, UNPROXIED);
  equal(at("2001:db8:0:1::1"), at("2001:db8:0:1:ffff:ffff:ffff:ffff"));
  equal(at("2001:db8:0:1::1") === at("2001:db8:0:2::1"), false);
});

async function post(
  { request }: { request: (path: string, init: RequestInit, address: string) => Promise<Response> },
  { from, forwarded }: { from: string; forwarded?: string },
): Promise<number> {
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  const response = await request("/api/lead", { method: "POST", headers }, from);
  await response.body?.cancel();
  return response.status;
}

const ONE_ATTEMPT = { LEAD_ATTEMPT_LIMIT: "1/1m" };

Deno.test("without trusted proxies X-Forwarded-For does not give a client a new allowance", () =>
  withApp(async (app) => {
    equal(await post(app, { from: "192.0.2.1", forwarded: "203.0.113.1" }), 400);
    equal(await post(app, { from: "192.0.2.1", forwarded: "203.0.113.2" }), 429);
    equal(await post(app, { from: "192.0.2.2", forwarded: "203.0.113.2" }), 400);
  }, { env: ONE_ATTEMPT }));

Deno.test("behind one proxy what the client itself writes does not give it a new allowance", () =>
  withApp(async (app) => {
    equal(await post(app, { from: "10.0.0.1", forwarded: "1.1.1.1, 198.51.100.7" }), 400);
    equal(await post(app, { from: "10.0.0.1", forwarded: "2.2.2.2, 198.51.100.7" }), 429);
    equal(await post(app, { from: "10.0.0.1", forwarded: "1.1.1.1, 198.51.100.8" }), 400);
  }, { env: { ...ONE_ATTEMPT, TRUSTED_PROXY_HOPS: "1" } }));
