/** @module pathOf(): the path of any request target, and which Hosts are valid. */

import { strictEqual as equal } from "node:assert/strict";
import { NO_HOST, pathOf } from "../../../routes/http/host.ts";

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
