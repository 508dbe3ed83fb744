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
  equal(pathOfUrl("gopher://x/docs?a"), "/docs");
  equal(pathOfUrl("http://x/docs#/pricing"), "/docs");
  equal(pathOfUrl("http://x/a/../docs"), "/a/../docs");
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
