/** @module Parts of requests: paths, Hosts, clients' addresses, forms, JSON; and the exact RateLimit headers. */

import { deepStrictEqual as deepEqual, strictEqual as equal, throws } from "node:assert/strict";
import { NO_HOST, pathOf } from "../../../routes/http/host.ts";
import { clientAddress } from "../../../routes/http/client_address.ts";
import { parseForm } from "../../../routes/http/form_fields.ts";
import { parseJson } from "../../../routes/http/json_body.ts";
import {
  limitHeader,
  policyHeader,
  refusalHeaders,
} from "../../../routes/http/rate_limit_headers.ts";

/** The path of a URL as Deno writes it from Host and target; `new Request` would rewrite it. */
function pathOfUrl(url: string, headers: Record<string, string> = {}): string {
  const request = new Request("http://localhost/", { headers });
  return pathOf(Object.defineProperty(request, "url", { value: url }));
}

Deno.test("pathOf() reads absolute targets without a path, and resolves no dot segments", () => {
  equal(pathOfUrl("http://example.com?q"), "/");
  equal(pathOfUrl("http://example.com:443"), "*", "CONNECT");
  equal(pathOfUrl("gopher://x/docs?a"), "/docs");
  equal(pathOfUrl("http://x/docs#/pricing"), "/docs");
  equal(pathOfUrl("http://x/a/../docs"), "/a/../docs");
});

Deno.test("pathOf() decodes a path, and of one that is not UTF-8 the ASCII characters", () => {
  for (
    const [target, path] of [
      ["/d%6fcs?%ff", "/docs"],
      ["/gr%C3%BC%c3%9fe", "/grüße"],
      ["/api%2fhealth%3F", "/api%2fhealth%3F"],
      ["/%2568ealth", "/%68ealth"],
      ["/%61pi/%ff%2emd", "/api/%ff.md"],
      ["/%61pi/%zz%", "/api/%zz%"],
      ["/%ed%a0%80%00", "/%ed%a0%80%00"],
    ] as const
  ) {
    equal(pathOfUrl(`http://x${target}`), path);
  }
});

Deno.test("pathOf() catches one error, however many sequences are not UTF-8", () => {
  const { decodeURI } = globalThis;
  let thrown = 0;
  globalThis.decodeURI = (text) => {
    try {
      return decodeURI(text);
    } catch (error) {
      thrown++;
      throw error;
    }
  };
  try {
    pathOfUrl(`http://x/${"%FFa".repeat(15_000)}`);
  } finally {
    globalThis.decodeURI = decodeURI;
  }
  equal(thrown, 1);
});

const HOSTS: readonly (readonly [boolean, readonly string[]])[] = [
  [true, ["example.com", "EXAMPLE.com", "a_b.example", "localhost:8000", "[FE80::1]:80", "a:", ""]],
  [false, ["a b", "a/b", "x/api/no-such", "x?y", "x#y", "a@b", "a\\b", "a:b", "a:1:2", "[::1"]],
  [false, ["::1", 'x"', "<x>", "\u00ff\u00fe", "a,b\tc"]],
];

Deno.test("pathOf() refuses an invalid Host", () => {
  for (const [isHost, hosts] of HOSTS) {
    for (const host of hosts) {
      equal(pathOfUrl(`http://${host}/docs`, { host }) !== NO_HOST, isHost, JSON.stringify(host));
    }
  }
});

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

function form(pairs: readonly string[]) {
  return parseForm(new TextEncoder().encode(pairs.join("&")));
}

const names = Array.from({ length: 17_000 }, (_, n) => `${n.toString(36)}=x`);

Deno.test("parseForm() reads 32 fields, and of a form with more the first 32", () => {
  deepEqual(Object.keys(form(names.slice(0, 32))), ["values"]);
  for (const many of [names.slice(0, 33), names, Array(60_000).fill("")]) {
    const { values, problem } = form(["message=keep+me", ...many]);
    equal(problem, "too_many_fields");
    equal(values["message"], "keep me");
    equal(Object.keys(values).length, many[0] === "" ? 1 : 32);
  }
});

Deno.test("parseForm() takes the last of several values, and a percent sign without digits as text", () => {
  deepEqual(form(["plan=a", "plan=b", "message=5%25+%+%zz%0D%0A\r\n"]), {
    values: { plan: "b", message: "5% % %zz\n\n" },
  });
});

const encoder = new TextEncoder();
const parse = (text: string) => parseJson(encoder.encode(text));

const numbers = Array.from({ length: 100 }, (_, n) => String(n + 10));

Deno.test("JSON keeps the first 32 strings of digits, as more than any lead has, and all others", () => {
  const lead = { email: "1@2.example", company: "1234", message: '"5" or "6', plan: "\\7", n: 8 };
  deepEqual(parse(JSON.stringify(lead)), lead);
  deepEqual(parse(JSON.stringify(numbers.slice(0, 32))), numbers.slice(0, 32));
  const kept = numbers.map((text, at) => at < 32 ? text : "0");
  deepEqual(parse(JSON.stringify(numbers)), kept);
  deepEqual(parse(JSON.stringify(numbers).replaceAll('"1', '"\\u0031')), kept);
  const others = numbers.map((text) => [`-${text}`, `${text}"`, `"${text} `, `${text}.5`]);
  deepEqual(parse(JSON.stringify(others)), others);
});

Deno.test("what is no JSON stays none after 32 strings of digits", () => {
  const before = numbers.map((text) => `"${text}"`).join();
  for (const end of ["", "}", ',"1"2"]', ',"12]', ',"\\u003"]', ',"\\u00311"', ',""12""]']) {
    throws(() => parse(`[${before}${end}`), SyntaxError);
  }
  throws(() => parseJson(Uint8Array.of(0x22, 0xff, 0x22)), TypeError);
});

const FULL = { remaining: 120, restoreMs: 0 };

// Both limits in both fields are in `../documented_answers_test.ts`.
Deno.test("seconds are rounded up", () => {
  const lead = { remaining: 19, restoreMs: 29_001 };
  deepEqual(limitHeader({ lead }), { "ratelimit": '"lead";r=19;t=30' });
  const rounded = policyHeader({ lead: { count: 7, windowMs: 1_500 } });
  equal(rounded["ratelimit-policy"], '"lead";q=7;w=2');
});

const REFUSALS = [
  [{ remaining: 0, restoreMs: 29_001 }, FULL, "30"],
  [{ remaining: 0, restoreMs: 0 }, FULL, "1"],
  [{ remaining: 5, restoreMs: 30_000 }, { remaining: 0, restoreMs: 2_000 }, "2"],
  [{ remaining: 0, restoreMs: 30_000 }, { remaining: 0, restoreMs: 2_000 }, "30"],
  [{ remaining: 0, restoreMs: 1_000 }, { remaining: 0, restoreMs: 2_500 }, "3"],
  [{ remaining: 20, restoreMs: 0 }, FULL, "1"],
] as const;

Deno.test("Retry-After is the wait until every limit admits a request, at least a second", () => {
  for (const [lead, attempt, seconds] of REFUSALS) {
    const { "retry-after": wait, ...limits } = refusalHeaders({ lead, attempt });
    equal(wait, seconds);
    deepEqual(limits, limitHeader({ lead, attempt }));
  }
});
